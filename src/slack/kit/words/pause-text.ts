/** The text for a paused channel. Pure. */
import type { Instant } from '../../../clock.ts';
import type { UserId } from '../../../ids.ts';
import { formatDate, formatMention } from '../mrkdwn.ts';

interface Paused {
  readonly by: UserId;
  /** Missing: until someone resumes. */
  readonly until?: Instant | undefined;
}

/**
 * Says that new projects are paused, who paused them and until when. mrkdwn.
 * @param isTold whether the text above already says who and until when
 */
export function pauseText({ by, until }: Paused, isTold = false): string {
  if (isTold) return ':double_vertical_bar: paused';
  const end = until === undefined ? ', until `/gig resume`' : ` until ${formatDate(until)}`;
  return `:double_vertical_bar: paused by ${formatMention(by)}${end}`;
}
