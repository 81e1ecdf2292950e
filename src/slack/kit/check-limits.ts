/** Checks every message and view against Slack's limits before it is sent. Pure. */
import type { HomeView, KnownBlock, ModalView } from '@slack/types';
import { GigdeskError } from '../../errors.ts';
import type { Message } from '../core/routes.ts';
import { checkBlocks } from './check-blocks.ts';
import { checkText } from './check-composition.ts';
import { slackLimits } from './limits.ts';
import { ProblemCollector } from './problems.ts';

/** Slack would reject this. It is always our bug, so it lists every place at once. Contains no texts. */
export class SlackLimitError extends GigdeskError {
  override readonly name = 'LimitError';
  readonly code = 'limits';
  readonly problems: readonly string[];
  constructor(what: string, problems: readonly string[]) {
    super(`Slack would reject this ${what}: ${problems.join('; ')}`);
    this.problems = problems;
  }
}

/** What Slack would reject in a message, by place. Source: docs/slack-limits.md. */
export function findMessageLimitProblems(message: Message): readonly string[] {
  const problems = new ProblemCollector();
  if (message.text.trim() === '') problems.add('text', 'must not be empty, notifications show it');
  problems.checkSize('text', message.text.length, 'messageText');
  if (message.blocks !== undefined) checkBlocks(problems, message.blocks, 'message');
  problems.checkSize('blocks', problems.textLength, 'allTextOfMessage');
  return problems.found;
}

/** The App Home has no title, submit or close text. */
function checkFrame(problems: ProblemCollector, { title, submit, close }: ModalView): void {
  checkText(problems, 'title', title, 'viewTitle', 'plain_text');
  if (submit !== undefined) checkText(problems, 'submit', submit, 'viewButton', 'plain_text');
  if (close !== undefined) checkText(problems, 'close', close, 'viewButton', 'plain_text');
}

/** What Slack would reject in a modal or an App Home, by place. Source: docs/slack-limits.md. */
export function findViewLimitProblems(view: ModalView | HomeView): readonly string[] {
  const problems = new ProblemCollector();
  if (view.type === 'modal') checkFrame(problems, view);
  problems.checkOptionalString('callback_id', view.callback_id, 'callbackId');
  if (view.private_metadata !== undefined)
    problems.checkString('private_metadata', view.private_metadata, 'privateMetadata', 0);
  checkBlocks(problems, view.blocks, 'view');
  if (!('submit' in view && view.submit) && view.blocks.some((block) => block.type === 'input'))
    problems.add('submit', 'inputs need a submit button');
  const bytes = Buffer.byteLength(JSON.stringify(view));
  if (bytes > slackLimits.viewSize.max) problems.checkSize('view', bytes, 'viewSize');
  return problems.found;
}

/** @throws LimitError when Slack would reject the message. */
export function checkMessage(message: Message): void {
  const problems = findMessageLimitProblems(message);
  if (problems.length > 0) throw new SlackLimitError('message', problems);
}

/** @throws LimitError when Slack would reject the view. */
export function checkView(view: ModalView | HomeView): void {
  const problems = findViewLimitProblems(view);
  if (problems.length > 0) throw new SlackLimitError('view', problems);
}

/** @throws LimitError when Slack would reject the blocks of an unfurl. */
export function checkUnfurl(blocks: readonly KnownBlock[]): void {
  const problems = new ProblemCollector();
  checkBlocks(problems, blocks, 'message');
  if (problems.found.length > 0) throw new SlackLimitError('unfurl', problems.found);
}
