/** How soon a filter may be read again: one rule for all reads of its projects. Pure. */
import { type Instant, SECOND } from '../clock.ts';

const LEAST_PAUSE_MS = 10 * SECOND;

/**
 * When the next read of a filter may begin, for any purpose. A page continued by cursor belongs to the read
 * that started it and doesn't wait. See docs/decisions/0003-feed.md.
 * @param lastReadAt the last request for one of its pages, by any process
 */
export function getNextReadTime(lastReadAt: Instant | undefined, now: Instant): Instant {
  // A future time comes from a clock that was wrong, and must not block the filter.
  return lastReadAt === undefined || lastReadAt > now ? 0 : lastReadAt + LEAST_PAUSE_MS;
}

/** Whether a read at `readAt` covers what is due at `dueAt`: the filter isn't read again before that. */
export function isCoveredByRead(readAt: Instant, dueAt: Instant): boolean {
  return dueAt < readAt + LEAST_PAUSE_MS;
}
