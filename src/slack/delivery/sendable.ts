/**
 * Turns a post into a message that can be sent. A post that can't be rendered must not block those behind it.
 */
import { asError } from '../../errors.ts';
import type { Post } from '../../outbox/posts.ts';
import { type ReadTransaction, StorageError } from '../../storage/store.ts';
import type { Message } from '../core/routes.ts';
import { findMessageLimitProblems, SlackLimitError } from '../kit/check-limits.ts';
import { clipText } from '../kit/mrkdwn.ts';
import type { DeliveryContext } from './context.ts';

export interface RenderedPost {
  readonly message: Message;
  /** Why the post is not rendered as intended; for the log. */
  readonly problem: Error | undefined;
}

const LONGEST_PLAIN = 3_000;
export const UNRENDERABLE_POST_TEXT = "There's an update here, but it couldn't be shown.";

/** The text only, so that Slack has as little as possible to refuse. */
function plainOf(message: Message): Message {
  return { text: clipText(message.text.trim(), LONGEST_PLAIN) || UNRENDERABLE_POST_TEXT };
}

/**
 * A post's current message: text only where Slack refused or would refuse its blocks, and a fixed sentence
 * where rendering fails.
 * @returns undefined when there is nothing left to show.
 * @throws StorageError
 */
export async function renderPostForSending(
  context: DeliveryContext,
  tx: ReadTransaction,
  post: Post,
  isPlain: boolean,
): Promise<RenderedPost | undefined> {
  try {
    const message = await context.render(tx, post);
    if (!message) return undefined;
    const problems = isPlain ? [] : findMessageLimitProblems(message);
    const problem = problems.length > 0 ? new SlackLimitError('message', problems) : undefined;
    return { message: isPlain || problem ? plainOf(message) : message, problem };
  } catch (thrown) {
    if (thrown instanceof StorageError) throw thrown;
    return { message: { text: UNRENDERABLE_POST_TEXT }, problem: asError(thrown) };
  }
}
