/** What a picture says, in words: its headline, the line below it, and a text for those who can't see it. Pure. */
import { busiestHours, hourWords, NAMED } from './busiest-hours.ts';
import type { BurnPicture, FunnelPicture, HoursPicture, Picture } from './pictures.ts';
import { count, day, list, number, percent } from './words.ts';

export interface PictureWords {
  readonly title: string;
  readonly subtitle: string;
  /** Says what the picture says, without it. */
  readonly alt: string;
}

/** Spent in all by now. */
export function spentByNow({ spent, now }: BurnPicture): number {
  return spent.findLast(({ at }) => at <= now)?.total ?? 0;
}

/** How much of the period has passed, from 0 to 1. */
export function passed({ startsAt, resetsAt, now }: BurnPicture): number {
  return Math.max(0, Math.min(1, (now - startsAt) / Math.max(1, resetsAt - startsAt)));
}

function burnTitle(limit: number | undefined, total: number): string {
  if (limit === undefined) return `${count(total, 'credit')} spent`;
  if (limit === 0) return `${count(total, 'credit')} spent with a budget of 0`;
  if (total === 0) return `0 of ${count(limit, 'credit')} spent`;
  return `${number(total)} of ${count(limit, 'credit')} spent (${percent(total, limit)})`;
}

function burnOutlook(picture: BurnPicture, total: number): readonly string[] {
  const { limit, timezone, runsOutAt, resetsAt } = picture;
  const reset = `resets ${day(resetsAt, timezone)}`;
  if (limit === undefined) return ['No budget set', `the billing period ends ${day(resetsAt, timezone)}`];
  if (limit === 0) return ['No credits to spend', reset];
  const pace = `Even pace: ${percent(passed(picture), 1)}`;
  if (total >= limit) return [pace, `used up, ${reset}`];
  return runsOutAt === undefined ? [pace, reset] : [pace, `runs out ${day(runsOutAt, timezone)}`, reset];
}

function describeBurn(picture: BurnPicture): PictureWords {
  const total = spentByNow(picture);
  const title = burnTitle(picture.limit, total);
  const outlook = burnOutlook(picture, total);
  return {
    title,
    subtitle: outlook.join(' · '),
    alt: `Credits by ${day(picture.now, picture.timezone)}: ${title}. ${outlook.join(', ')}.`,
  };
}

/** One of so many, where there are any; where more than half of them are, rounding would make it one of one. */
function oneIn(part: number, whole: number, of: string): readonly string[] {
  if (part === 0) return [];
  if (2 * part > whole) return [`${count(part, of)} in ${count(whole, 'proposal')}`];
  return [`1 ${of} in ${count(Math.round(whole / part), 'proposal')}`];
}

function describeFunnel({ days, sent, viewed, interviewed, hired }: FunnelPicture): PictureWords {
  if (sent === 0) {
    const title = `No proposals sent in ${count(days, 'day')}`;
    return { title, subtitle: 'Results of your next proposals will appear here', alt: `${title}.` };
  }
  const title = `${hired === 0 ? 'No hires' : count(hired, 'hire')} from ${count(sent, 'proposal')} in ${count(days, 'day')}`;
  const rates = [...oneIn(interviewed, sent, 'interview'), ...oneIn(hired, sent, 'hire')];
  const part = (value: number, verb: string) => `${number(value)} ${verb} (${percent(value, sent)})`;
  return {
    title,
    subtitle: rates.length > 0 ? rates.join(' · ') : `${number(viewed)} viewed, no interviews yet`,
    alt: `${title}: ${part(viewed, 'viewed')}, ${part(interviewed, 'interviewed')}, ${part(hired, 'hired')}.`,
  };
}

function describeHours({ days, timezone, counts }: HoursPicture): PictureWords {
  const { total, most, first, next } = busiestHours(counts);
  const span = count(days, 'day');
  const all = `${count(total, 'project')} in ${span}`;
  const words = (title: string, subtitle: string): PictureWords => ({
    title,
    subtitle,
    alt: `${title}. ${subtitle}. Times in ${timezone}.`,
  });
  if (total === 0) return words(`No projects in ${span}`, 'Your next projects will appear here');
  const named = first.map(hourWords);
  if (most === 1)
    return words(all, total > NAMED ? 'No hour of the week has more than 1 project' : `At ${list(named)}`);
  if (first.length === 1) {
    const others = next.map(hourWords);
    const also = others.length > 0 ? `Next: ${list(others)} · ` : '';
    return words(`Busiest hour: ${named[0]}, ${count(most, 'project')}`, `${also}${all}`);
  }
  if (first.length <= NAMED)
    return words(`Busiest: ${list(named)}`, `${count(most, 'project')} each · ${all}`);
  return words(all, `Busiest: ${number(first.length)} hours of the week with ${count(most, 'project')} each`);
}

/** @throws RangeError when there is no such time zone. */
export function describePicture(picture: Picture): PictureWords {
  switch (picture.kind) {
    case 'burn':
      return describeBurn(picture);
    case 'funnel':
      return describeFunnel(picture);
    case 'hours':
      return describeHours(picture);
  }
}
