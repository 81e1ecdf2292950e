import { parseProjectReference } from '../../marketplace/project-key.ts';
import type { CommandCall, CommandRoute } from '../core/routes.ts';
import { inputErrorMessage } from '../kit/input-error.ts';
import { invalidProjectReferenceMessage } from '../kit/project/no-such-project.ts';
import { lookUpAndDescribeProject } from './describe-project-lookup.ts';

const EXAMPLE = 'lookup ~012345678901234567';

async function run(call: CommandCall): Promise<void> {
  if (call.args === '')
    return call.answer(
      inputErrorMessage(
        'Which project? Paste its link, or the part of the link that starts with `~`.',
        EXAMPLE,
      ),
    );
  const reference = parseProjectReference(call.args);
  if (!reference) return call.answer(invalidProjectReferenceMessage(call.args, EXAMPLE));
  await call.answer(await lookUpAndDescribeProject(call, reference));
}

export const lookupCommand: CommandRoute = {
  word: 'lookup',
  topic: 'projects',
  needs: 'viewer',
  usage: ['lookup <link | ~id | uid>'],
  summary: 'Show a project in full. Costs this channel at most 1 credit.',
  details: 'Only you see the reply. For a link in a message, use the message shortcut “Look up project”.',
  examples: ['lookup https://www.marketplace.example/jobs/~012345678901234567', 'lookup ~012345678901234567'],
  isSlow: true,
  run,
};
