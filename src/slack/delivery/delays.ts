/** The pauses of delivery, in one place. */
import { HOUR, type Instant, MINUTE, type Random, SECOND } from '../../clock.ts';

/** Between the starts of two messages in one channel. Source: docs/slack-limits.md, "Times and rates". */
export const CHANNEL_GAP_MS = SECOND;
/** Between the starts of two messages anywhere: 240 a minute, within "some hundreds". */
export const WORKSPACE_GAP_MS = 250;
/** Between two updates: under 50 a minute. */
export const UPDATE_GAP_MS = 1_250;
/** After an unclear answer, so that a message on its way has arrived before we look for it. */
export const SEARCH_DELAY_MS = 15 * SECOND;
/** How far around the attempt history is searched: room for a clock that is ahead of Slack's, or behind it. */
export const SEARCH_BEFORE_MS = 5 * MINUTE;
export const SEARCH_AFTER_MS = 15 * MINUTE;
/** How far back history is searched for an attempt whose own date can't be true. */
export const UNDATED_SEARCH_WINDOW_MS = 24 * HOUR;
/** While it is unknown for so long whether a post arrived, those behind it go on. */
export const SKIP_UNCERTAIN_AFTER_MS = 10 * MINUTE;
/** Where Slack refuses to show the history for so long, a post that may have arrived is given up. */
export const MAX_UNREADABLE_HISTORY_MS = 24 * HOUR;
/** Posts are put on record without telling delivery; it looks this often. */
export const OUTBOX_POLL_MS = SECOND;
/** An unreachable channel is tried again at pauses between these. */
export const MIN_STOPPED_RETRY_MS = MINUTE;
export const MAX_STOPPED_RETRY_MS = 60 * MINUTE;
/** A conversation that lacks a permission is tried again at pauses between these. */
export const MIN_REFUSED_RETRY_MS = 10 * SECOND;
export const MAX_REFUSED_RETRY_MS = 10 * MINUTE;

/** The pause before attempt `failures + 1`: doubling from `first`, at most `longest`, up to a tenth shorter. */
export function backoffDelayMs(failures: number, first: number, longest: number, random: Random): number {
  const full = Math.min(first * 2 ** Math.min(Math.max(failures - 1, 0), 20), longest);
  return Math.round(full * (1 - random() / 10));
}

/** How soon it is noticed that a stopped channel was resumed. */
export const RESUME_POLL_MS = 5 * SECOND;

/** Slack's `ts` of a moment. */
export function toSlackTs(at: Instant): string {
  return (Math.max(at, 0) / SECOND).toFixed(6);
}
