/** The state of marketplace requests, and why they are slower than usual. mrkdwn. Pure. */
import { type Instant, MINUTE, SECOND } from '../../clock.ts';
import type { GateStatus } from '../../marketplace/gate/gate.ts';
import { joinFacts, joinLines } from '../kit/block-builders.ts';
import { formatDate } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';

/**
 * `for another 20 seconds`, `until 9:33 PM`; undefined for a past moment. Short waits show no clock time: it
 * would be the current minute.
 */
function stillText(until: Instant, now: Instant, isLasting = false): string | undefined {
  const left = until - now;
  if (left <= 0) return undefined;
  return left < 2 * MINUTE && !isLasting
    ? `for another ${formatCount(Math.ceil(left / SECOND), 'second')}`
    : `until ${formatDate(until, 'time')}`;
}

/**
 * Why requests wait or slow down; undefined while they don't.
 * @param isLasting whether it is read long after it was written: then only a clock time is right.
 */
export function requestsDelayedText(gate: GateStatus, now: Instant, isLasting = false): string | undefined {
  const { pausedUntil, lowered, limitPerMinute } = gate;
  const pause = pausedUntil === undefined ? undefined : stillText(pausedUntil, now, isLasting);
  if (pause)
    return (
      `:hourglass_flowing_sand: *Requests are paused ${pause}*: ` +
      "the marketplace's rate limit was reached. They resume automatically."
    );
  if (gate.recordFails)
    return (
      ":warning: *The feeds are paused*: Gigdesk can't save which requests it sends, " +
      'often because the disk is full. Ask the person who runs Gigdesk to check the log.'
    );
  const slower = lowered && stillText(lowered.until, now, isLasting);
  if (!lowered || !slower) return undefined;
  return (
    `:hourglass_flowing_sand: *Requests are slower ${slower}*: ` +
    `the marketplace's rate limit was reached, so Gigdesk sends ${formatNumber(limitPerMinute)} a ` +
    `minute instead of ${formatNumber(lowered.from)}. Then it speeds up again.`
  );
}

/** After the limit drops, more requests may have been sent than it allows now. */
function usedText({ used, limitPerMinute }: GateStatus): string {
  return used < limitPerMinute
    ? `${formatNumber(used)} of ${formatNumber(limitPerMinute)} requests used in the last minute`
    : `all ${formatNumber(limitPerMinute)} requests used in the last minute`;
}

export function requestUsageText(gate: GateStatus, now: Instant): string {
  const { waiting, pausedUntil } = gate;
  const pause = pausedUntil === undefined ? undefined : stillText(pausedUntil, now);
  return joinLines(
    '*Requests*',
    joinFacts(
      usedText(gate),
      waiting > 0 ? `${formatNumber(waiting)} queued` : undefined,
      pause === undefined ? undefined : `paused ${pause}`,
    ),
  );
}
