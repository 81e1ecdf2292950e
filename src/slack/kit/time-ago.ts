/** Relative times. Pure. */
import type { Instant } from '../../clock.ts';
import { utcDate } from './mrkdwn.ts';

/** How long ago, computed by the reader's own Slack; the date in UTC if Slack can't. */
export function formatTimeAgo(at: Instant): string {
  return `<!date^${Math.floor(at / 1_000)}^{ago}|${utcDate(at)}>`;
}
