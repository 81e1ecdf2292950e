import { readProjectReference } from '../../marketplace/project-key.ts';
import { lookUpMessage } from '../actions/look-up-message.ts';
import { inputMistake } from '../messages/input-mistake.ts';
import { noProjectNamed } from '../messages/no-project-named.ts';
import type { CommandCall, CommandRoute } from '../routes.ts';

const EXAMPLE = 'lookup ~012345678901234567';

async function run(call: CommandCall): Promise<void> {
  if (call.args === '') return call.answer(inputMistake('Which project? Paste a link or ~ID.', EXAMPLE));
  const reference = readProjectReference(call.args);
  if (!reference) return call.answer(noProjectNamed(call.args, EXAMPLE));
  await call.answer(await lookUpMessage(call, reference));
}

export const lookup: CommandRoute = {
  word: 'lookup',
  topic: 'projects',
  needs: 'viewer',
  usage: ['lookup <link | ~id | uid>'],
  summary: 'Show a project in full. Costs this channel at most 1 credit.',
  details: 'Only you see the reply. For a link in a message, use the message shortcut “Look up project”.',
  examples: ['lookup https://www.marketplace.example/jobs/~012345678901234567', 'lookup ~012345678901234567'],
  mayWait: true,
  run,
};
