/** From a post to a message that may be sent. A post that can't be shown as meant must not hold up those behind it. */
import { asError } from '../../errors.ts';
import type { Post } from '../../outbox/posts.ts';
import { type ReadTransaction, StorageError } from '../../storage/store.ts';
import { LimitError, messageProblems } from '../blocks/check-limits.ts';
import { clipText } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';
import type { DeliveryContext } from './context.ts';

export interface Sendable {
  readonly message: Message;
  /** Why it is not shown as meant; to be logged. */
  readonly problem: Error | undefined;
}

const LONGEST_PLAIN = 3_000;
export const UNRENDERABLE_POST_TEXT = "There's an update here, but it couldn't be shown.";

/** The same message with as little as Slack can refuse. */
function plainOf(message: Message): Message {
  return { text: clipText(message.text.trim(), LONGEST_PLAIN) || UNRENDERABLE_POST_TEXT };
}

/**
 * What a post shows now: as text alone where its blocks were refused or would be, and as a bare sentence where rendering
 * fails. @returns undefined when there is nothing to show any more.
 * @throws StorageError
 */
export async function renderSendable(
  context: DeliveryContext,
  tx: ReadTransaction,
  post: Post,
  isPlain: boolean,
): Promise<Sendable | undefined> {
  try {
    const message = await context.render(tx, post);
    if (!message) return undefined;
    const problems = isPlain ? [] : messageProblems(message);
    const problem = problems.length > 0 ? new LimitError('message', problems) : undefined;
    return { message: isPlain || problem ? plainOf(message) : message, problem };
  } catch (thrown) {
    if (thrown instanceof StorageError) throw thrown;
    return { message: { text: UNRENDERABLE_POST_TEXT }, problem: asError(thrown) };
  }
}
