/**
 * Groups of proposals: their labels, and how they compare, in words that need no statistics knowledge.
 * Names of templates, variants and profiles are strangers' text. All results are mrkdwn. Pure.
 */
import type { Button, KnownBlock } from '@slack/types';
import { MIN_COMPARED_PROPOSALS, type StageComparison } from '../../statistics/compare.ts';
import {
  GROUP_DIMENSIONS,
  type GroupDimension,
  type GroupKey,
  type NumberBand,
} from '../../statistics/groups.ts';
import {
  type ConnectsSpending,
  PROPOSAL_STAGES,
  type ProposalStage,
  type RateEstimate,
} from '../../statistics/stages.ts';
import type { GroupStatistics, ProposalStatistics } from '../../statistics/statistics.ts';
import { capitalize, contextBlock, joinFacts, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { commandButton } from '../kit/command-button.ts';
import { createCompareMenu } from '../kit/compare-menu.ts';
import { actionIds } from '../kit/ids.ts';
import { escapeMrkdwn, safeLine, unescapeMrkdwn } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber, formatPercent } from '../kit/numbers.ts';
import { dataTableBlock, numberCell, type TableCell, textCell } from '../kit/rich-blocks.ts';
import { WEEKDAYS } from '../kit/words/labels.ts';
import { profileName } from '../kit/words/profiles.ts';

/** The longest period of statistics. */
export const MOST_STATS_DAYS = 365;

const LONGEST_NAME = 80;
const LONGEST_VARIANT = 40;

const DIMENSION_LABELS: Readonly<Record<GroupDimension, string>> = {
  template: 'template',
  variant: 'letter',
  boost: 'boost',
  position: 'position',
  profile: 'profile',
  weekday: 'weekday',
};

/** The menu below statistics: by what to compare. */
export const statsMenu = createCompareMenu(
  actionIds.statsDimension,
  GROUP_DIMENSIONS,
  DIMENSION_LABELS,
  MOST_STATS_DAYS,
);

const MISSING_DIMENSION_TEXTS: Readonly<Record<GroupDimension, string>> = {
  template: 'None of these proposals use a template.',
  variant: 'None of these proposals say which letter was used.',
  boost: 'No boost data for these proposals.',
  position: 'No position data for these proposals.',
  profile: 'No profile data for these proposals.',
  weekday: 'No send dates for these proposals.',
};

function bandText({ from, to }: NumberBand): string {
  if (to === undefined) return `${formatNumber(from)} or more`;
  return from === 0 ? `up to ${formatNumber(to)}` : `${formatNumber(from)} to ${formatNumber(to)}`;
}

function templateText(template: { readonly id: number; readonly name?: string | undefined } | undefined) {
  if (!template) return 'no template';
  const name = safeLine(template.name ?? '', LONGEST_NAME);
  return name ? `“${name}” (${template.id})` : `template ${template.id}`;
}

/** `“Short pitch” (12)`, `Boost 11 to 20 connects`, `Monday`. */
function statsGroupName(key: GroupKey): string {
  switch (key.dimension) {
    case 'template':
      return key.template ? templateText(key.template) : 'Without a template';
    case 'variant':
      return `${templateText(key.template)}, letter ${safeLine(key.variant, LONGEST_VARIANT)}`;
    case 'boost':
      return key.band.to === 0 ? 'No boost' : `Boost ${bandText(key.band)}`;
    case 'position':
      return `Position ${bandText(key.band)}`;
    case 'profile':
      return profileName(key.profile);
    case 'weekday':
      return WEEKDAYS[key.weekday - 1] ?? `Day ${formatNumber(key.weekday)}`;
  }
}

/** Shows a longer period than `days`; empty if there is none. */
export function longerPeriodButtons(days: number): readonly Button[] {
  const longer = [90, MOST_STATS_DAYS].find((more) => more > days);
  if (longer === undefined) return [];
  return [commandButton({ command: 'stats', label: `Last ${longer} Days`, args: String(longer) })];
}

const MOST_GROUPS = 30;

/** `24 to 39%` */
export function rateRangeText({ low, high }: RateEstimate): string {
  return `${formatNumber(low * 100)} to ${formatPercent(high)}`;
}

/** `190 connects for each interview`; undefined if there was none, or if no price is known. */
export function connectsPerOutcomeText(
  { connects, ...came }: ConnectsSpending,
  stage: 'interviewed' | 'hired',
): string | undefined {
  const times = came[stage];
  if (connects === 0 || times === 0) return undefined;
  const each = stage === 'hired' ? 'hire' : 'interview';
  return `${formatCount(Math.round(connects / times), 'connect')} per ${each}`;
}

const CLEAR: Readonly<Record<StageComparison, string>> = {
  more: 'clearly more often',
  less: 'clearly less often',
  'may-be-chance': '',
  'too-few': '',
  'few-others': '',
};

/** `45% (31 to 60%)`, which sorts by the rate; a dash for groups that are too small to measure. */
function rateCell({ stages, rates }: GroupStatistics, stage: ProposalStage): TableCell {
  if (stages.sent < MIN_COMPARED_PROPOSALS) return numberCell(-1, '–');
  const { rate } = rates[stage];
  return numberCell(rate, `${formatPercent(rate)} (${rateRangeText(rates[stage])})`);
}

/** How a group compares with the others, such as `viewed clearly more often`. */
function comparedText({ stages, standings }: GroupStatistics): string {
  if (stages.sent < MIN_COMPARED_PROPOSALS) return `too few to measure (under ${MIN_COMPARED_PROPOSALS})`;
  if (!standings) return '';
  const clear = PROPOSAL_STAGES.filter((stage) => CLEAR[standings[stage]]);
  if (clear.length > 0) return clear.map((stage) => `${stage} ${CLEAR[standings[stage]]}`).join(', ');
  return PROPOSAL_STAGES.some((stage) => standings[stage] === 'few-others')
    ? 'too few other proposals to compare with'
    : 'may be chance';
}

function interviewCell({ stages, spending: { connects, interviewed } }: GroupStatistics): TableCell {
  const isKnown = stages.sent >= MIN_COMPARED_PROPOSALS && connects > 0 && interviewed > 0;
  return isKnown ? numberCell(Math.round(connects / interviewed)) : numberCell(-1, '–');
}

function groupsTable({ dimension, statistics }: ShownGroups, groups: readonly GroupStatistics[]): KnownBlock {
  return dataTableBlock({
    caption: titleText(dimension, statistics),
    columns: [
      capitalize(DIMENSION_LABELS[dimension]),
      'Proposals',
      ...PROPOSAL_STAGES.map(capitalize),
      'Connects per interview',
      'Difference',
    ],
    rows: groups.map((group) => [
      textCell(unescapeMrkdwn(statsGroupName(group.key))),
      numberCell(group.stages.sent),
      ...PROPOSAL_STAGES.map((stage) => rateCell(group, stage)),
      interviewCell(group),
      textCell(comparedText(group)),
    ]),
  });
}

function titleText(dimension: GroupDimension, { timezone }: ProposalStatistics): string {
  const where = dimension === 'weekday' ? ` (${timezone})` : '';
  return `By ${DIMENSION_LABELS[dimension]}${where}`;
}

function restText(shown: readonly GroupStatistics[], all: readonly GroupStatistics[], sent: number) {
  const sum = (groups: readonly GroupStatistics[]) =>
    groups.reduce((total, { stages }) => total + stages.sent, 0);
  const more = all.length - shown.length;
  const without = sent - sum(all);
  const hidden = formatCount(sum(all) - sum(shown), 'proposal');
  return (
    joinFacts(
      more > 0 ? `…and ${formatNumber(more)} more with ${hidden}` : undefined,
      without > 0 ? `${formatCount(without, 'proposal')} without one` : undefined,
    ) || undefined
  );
}

const BRACKETS = 'Ranges in parentheses contain the true rate in 19 of 20 cases.';

function legendText({ dimension, statistics }: ShownGroups, shown: readonly GroupStatistics[]): string {
  if (shown.every(({ stages }) => stages.sent < MIN_COMPARED_PROPOSALS))
    return 'No group has enough proposals to measure.';
  if (statistics.isEarly)
    return `${BRACKETS} It's too early to compare: most of these proposals are too recent.`;
  const isCompared = shown.some(
    ({ standings }) => standings && !['too-few', 'few-others'].includes(standings.viewed),
  );
  if (!isCompared) return BRACKETS;
  const others = dimension === 'variant' ? 'the other letters of its template' : 'all other groups combined';
  const isClear = shown.some(
    ({ standings }) => standings && PROPOSAL_STAGES.some((stage) => CLEAR[standings[stage]]),
  );
  return isClear
    ? `${BRACKETS} “Clearly” means the difference from ${others} is larger than chance alone would ` +
        'explain. Other differences may be chance.'
    : `${BRACKETS} No group differs from ${others} by more than chance alone would explain.`;
}

interface ShownGroups {
  readonly dimension: GroupDimension;
  readonly statistics: ProposalStatistics;
}

/** One dimension. Groups of fewer than ten proposals are named, but not measured or ranked. */
export function statsGroupBlocks(facts: ShownGroups): KnownBlock[] {
  const { dimension, statistics } = facts;
  const groups = statistics.groups[dimension];
  if (groups.length === 0) {
    const title = `*${escapeMrkdwn(titleText(dimension, statistics))}*`;
    return [sectionBlock(joinLines(title, MISSING_DIMENSION_TEXTS[dimension]))];
  }
  const shown = groups.slice(0, MOST_GROUPS);
  const rest = restText(shown, groups, statistics.all.stages.sent);
  return [groupsTable(facts, shown), contextBlock(joinLines(rest, legendText(facts, shown)))];
}
