import type { Instant } from '../../clock.ts';
import type { UserId } from '../../ids.ts';
import { formatDate, formatMention } from '../blocks/mrkdwn.ts';

interface Paused {
  readonly by: UserId;
  /** Missing: until somebody resumes. */
  readonly until?: Instant | undefined;
}

/** That nothing new comes, by whom and until when. @param isTold who did it and for how long stands above already. mrkdwn. */
export function pauseText({ by, until }: Paused, isTold = false): string {
  if (isTold) return ':double_vertical_bar: paused';
  const end = until === undefined ? ', until `/gig resume`' : ` until ${formatDate(until)}`;
  return `:double_vertical_bar: paused by ${formatMention(by)}${end}`;
}
