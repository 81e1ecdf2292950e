/** Groups of proposals side by side, in words for people who count no standard deviations. All results are mrkdwn. */
import type { KnownBlock } from '@slack/types';
import { FEWEST, type Standing } from '../../statistics/compare.ts';
import { STAGES, type Stage } from '../../statistics/funnel.ts';
import type { Dimension } from '../../statistics/groups.ts';
import type { Group, Statistics } from '../../statistics/statistics.ts';
import type { Spending } from '../../statistics/tally.ts';
import type { Rate } from '../../statistics/wilson.ts';
import { escapeMrkdwn } from '../blocks/mrkdwn.ts';
import { count, number, percent } from '../blocks/numbers.ts';
import { context, line, lines, section } from './parts.ts';
import { DIMENSION_MISSING, DIMENSION_WORDS, groupName, lookBackText } from './stats-words.ts';

const MOST_GROUPS = 8;

/** `24 to 39%` */
export function reachText({ low, high }: Rate): string {
  return `${number(low * 100)} to ${percent(high)}`;
}

/** `190 connects for each interview`; undefined where there was none, or where no price is told. */
export function priceText(
  { connects, ...came }: Spending,
  stage: 'interviewed' | 'hired',
): string | undefined {
  const times = came[stage];
  if (connects === 0 || times === 0) return undefined;
  const each = stage === 'hired' ? 'hire' : 'interview';
  return `${count(Math.round(connects / times), 'connect')} per ${each}`;
}

const CLEAR: Readonly<Record<Standing, string>> = {
  more: 'clearly higher',
  less: 'clearly lower',
  'may-be-chance': '',
  'too-few': '',
  'few-others': '',
};

/** `45% viewed (31 to 60%), *clearly more*` */
function rateText({ rates, standings }: Group, stage: Stage): string {
  const clear = standings ? CLEAR[standings[stage]] : '';
  return `${percent(rates[stage].rate)} ${stage} (${reachText(rates[stage])})${clear ? `, *${clear}*` : ''}`;
}

/** What is to be held of a group beside the others; undefined where a rate says it already. */
function standingText({ standings }: Group): string | undefined {
  if (!standings) return undefined;
  const held = STAGES.map((stage) => standings[stage]);
  if (held.includes('more') || held.includes('less')) return undefined;
  return held.includes('few-others') ? 'too few others to compare with' : '_may be chance_';
}

function groupText(group: Group): string {
  const { funnel, key, spending } = group;
  const name = `*${groupName(key)}*`;
  const sent = `${number(funnel.sent)} sent`;
  if (funnel.sent < FEWEST) return line(name, sent, `too few to measure (under ${FEWEST})`);
  return lines(
    line(name, sent, priceText(spending, 'interviewed')),
    line(...STAGES.map((stage) => rateText(group, stage)), standingText(group)),
  );
}

function titleText(dimension: Dimension, { timezone }: Statistics): string {
  const where = dimension === 'weekday' ? ` (${escapeMrkdwn(timezone)})` : '';
  return `*By ${DIMENSION_WORDS[dimension]}*${where}`;
}

/** What stands in no line of its own. */
function restText(shown: readonly Group[], all: readonly Group[], sent: number): string | undefined {
  const sum = (groups: readonly Group[]) => groups.reduce((total, { funnel }) => total + funnel.sent, 0);
  const more = all.length - shown.length;
  const without = sent - sum(all);
  return (
    line(
      more > 0 ? `…and ${number(more)} more with ${count(sum(all) - sum(shown), 'proposal')}` : undefined,
      without > 0 ? `${count(without, 'proposal')} without one` : undefined,
    ) || undefined
  );
}

const OTHERS: Partial<Readonly<Record<Dimension, string>>> = {
  variant: 'the other variants of its template',
};

const BRACKETS = 'Ranges are 95% confidence intervals.';

/** What the lines mean, as far as they say anything. */
function legendText({ days, dimension, statistics }: ShownGroups, shown: readonly Group[]): string {
  if (shown.every(({ funnel }) => funnel.sent < FEWEST))
    return lines('Each group has too few proposals to measure.', lookBackText(days));
  if (statistics.isEarly)
    return `${BRACKETS} It's too early to compare: most of these proposals are too recent.`;
  const isCompared = shown.some(
    ({ standings }) => standings && !['too-few', 'few-others'].includes(standings.viewed),
  );
  if (!isCompared) return BRACKETS;
  const others = OTHERS[dimension] ?? 'all other groups combined';
  const isClear = shown.some(({ standings }) => standings && STAGES.some((stage) => CLEAR[standings[stage]]));
  return isClear
    ? `${BRACKETS} “Clearly” means the difference from ${others} is larger than chance explains. Other differences may be chance.`
    : `${BRACKETS} No group differs from ${others} by more than chance explains.`;
}

/** Whose groups are shown, by what they have in common. */
interface ShownGroups {
  readonly days: number;
  readonly dimension: Dimension;
  readonly statistics: Statistics;
}

/** By one dimension; groups of fewer than ten proposals are named, but neither measured nor ranked. */
export function groupBlocks(facts: ShownGroups): KnownBlock[] {
  const { dimension, statistics } = facts;
  const groups = statistics.groups[dimension];
  const title = titleText(dimension, statistics);
  if (groups.length === 0) return [section(lines(title, DIMENSION_MISSING[dimension]))];
  const shown = groups.slice(0, MOST_GROUPS);
  const rest = restText(shown, groups, statistics.all.funnel.sent);
  return [section(lines(title, ...shown.map(groupText), rest)), context(legendText(facts, shown))];
}
