/** Updates an open view, and describes what failed after the acknowledgement. */
import type { ModalView } from '@slack/types';
import { SlackCallError } from './errors.ts';
import { failureMessage } from './failures.ts';
import { createErrorReference } from './reference.ts';
import type { Message, Services } from './routes.ts';

/** Logs a failure in full, and returns a message for the person. */
export function logAndDescribeFailure(
  { log, random, clock }: Services,
  what: string,
  thrown: unknown,
): Message {
  const ref = createErrorReference(random);
  log.error(what, { ref, error: thrown instanceof Error ? thrown : String(thrown) });
  return failureMessage(thrown, ref, clock.now());
}

/** @returns false when the person has closed it. */
export async function updateViewIfOpen(
  { slack }: Services,
  viewId: string,
  view: ModalView,
): Promise<boolean> {
  try {
    await slack.updateView(viewId, view);
    return true;
  } catch (thrown) {
    if (thrown instanceof SlackCallError && thrown.code === 'not_found') return false;
    throw thrown;
  }
}
