import { readProjectReference } from '../../marketplace/project-key.ts';
import { lookUpMessage } from '../actions/look-up-message.ts';
import { inputMistake } from '../messages/input-mistake.ts';
import { noProjectNamed } from '../messages/no-project-named.ts';
import type { CommandCall, CommandRoute } from '../routes.ts';

const EXAMPLE = 'lookup ~012345678901234567';

async function run(call: CommandCall): Promise<void> {
  if (call.args === '')
    return call.answer(inputMistake('Say which project: its link, or its id with the tilde.', EXAMPLE));
  const reference = readProjectReference(call.args);
  if (!reference) return call.answer(noProjectNamed(call.args, EXAMPLE));
  await call.answer(await lookUpMessage(call, reference));
}

export const lookup: CommandRoute = {
  word: 'lookup',
  topic: 'projects',
  needs: 'viewer',
  usage: ['lookup <link | ~id | uid>'],
  summary: 'One project in full; costs at most one credit of this channel.',
  details:
    'Only you see the answer. The message shortcut “Look up project” does the same for a link in a message.',
  examples: ['lookup https://www.marketplace.example/jobs/~012345678901234567', 'lookup ~012345678901234567'],
  mayWait: true,
  run,
};
