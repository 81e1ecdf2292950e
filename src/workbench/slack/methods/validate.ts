/** `blocks.validate`: what Slack would refuse in blocks, a message or a view. */
import { findMessageBlockProblems } from '../blocks/block-rules.ts';
import { findViewProblems } from '../blocks/view-rules.ts';
import { listOrEmpty, objectOrEmpty } from '../json-reading.ts';
import type { JsonObject } from '../objects.ts';
import type { CallArguments } from '../web/arguments.ts';
import { SlackApiError } from '../web/slack-api-error.ts';
import type { WebApiMethods } from './method.ts';

const POINTER = / \[json-pointer:([^\]]*)\]$/u;

/** A problem in the shape of this method's errors. */
function errorOf(problem: string): JsonObject {
  const pointer = POINTER.exec(problem)?.[1] ?? '';
  return { code: 'failed_constraint', message: problem.replace(POINTER, ''), pointer };
}

function findProblems(args: CallArguments): { error: string; problems: readonly string[] } {
  const blocks = args.json('blocks', 'invalid_arguments');
  const message = args.json('message', 'invalid_arguments');
  const view = args.json('view', 'invalid_arguments');
  if ([blocks, message, view].filter((each) => each !== undefined).length !== 1)
    throw new SlackApiError('invalid_arguments', {}, [
      'must provide exactly one of `blocks`, `view`, or `message`',
    ]);
  if (blocks !== undefined)
    return { error: 'invalid_blocks', problems: findMessageBlockProblems(listOrEmpty(blocks), '') };
  if (message !== undefined)
    return {
      error: 'invalid_message',
      problems: findMessageBlockProblems(listOrEmpty(objectOrEmpty(message)['blocks'])),
    };
  const type = objectOrEmpty(view)['type'] === 'home' ? 'home' : 'modal';
  const problems = findViewProblems(view, type).map((each) =>
    each.replace('json-pointer:/view', 'json-pointer:'),
  );
  return { error: 'invalid_view', problems };
}

export const validateMethods: WebApiMethods = {
  'blocks.validate': {
    run: (args) => {
      const { error, problems } = findProblems(args);
      if (problems.length > 0) throw new SlackApiError(error, { errors: problems.map(errorOf) });
      return {};
    },
  },
};
