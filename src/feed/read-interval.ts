/** How soon a filter may be read again: one rule for every read of a filter's projects. Pure. */
import { type Instant, SECOND } from '../clock.ts';

const LEAST_PAUSE_MS = 10 * SECOND;

/**
 * When the next read of a filter may begin, whatever it is for. A page that goes on by cursor belongs to the read that
 * began it and doesn't wait. See docs/decisions/0003-feed.md.
 * @param lastReadAt the last request for a page of it, by any process
 */
export function getNextReadTime(lastReadAt: Instant | undefined, now: Instant): Instant {
  // A time to come: the clock was wrong then, and must not silence the filter now.
  return lastReadAt === undefined || lastReadAt > now ? 0 : lastReadAt + LEAST_PAUSE_MS;
}

/** Whether what falls due then is covered by a read of now: the filter is not read again before. */
export function isCoveredByRead(readAt: Instant, dueAt: Instant): boolean {
  return dueAt < readAt + LEAST_PAUSE_MS;
}
