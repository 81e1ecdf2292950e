/** Proposal statistics: the stages, the cost of an interview, and one dimension at a time. Pure. */
import type { KnownBlock } from '@slack/types';
import { DAY } from '../../clock.ts';
import { MIN_COMPARED_PROPOSALS } from '../../statistics/compare.ts';
import type { GroupDimension } from '../../statistics/groups.ts';
import { PROPOSAL_STAGES, type ProposalStage, type StageCounts } from '../../statistics/stages.ts';
import { MAX_RECENT_PROPOSAL_AGE_MS, type ProposalStatistics } from '../../statistics/statistics.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  joinFacts,
  joinLines,
  sectionBlock,
} from '../kit/block-builders.ts';
import { commandButton, messageWithButtons } from '../kit/command-button.ts';
import { actionIds } from '../kit/ids.ts';
import { formatCount, formatLastDays, formatNumber, formatPercent } from '../kit/numbers.ts';
import { outcomeEmoji } from '../kit/words/labels.ts';
import {
  isStillCopyingProposals,
  type ProposalsCoverage,
  proposalsCoverageText,
} from '../proposals/proposals.ts';
import { DEFAULT_FUNNEL_DAYS, funnelButton } from './funnel-message.ts';
import {
  connectsPerOutcomeText,
  longerPeriodButtons,
  rateRangeText,
  statsGroupBlocks,
  statsMenu,
} from './stats-groups.ts';

export const DEFAULT_STATS_DAYS = 30;
const YOUNG_DAYS = MAX_RECENT_PROPOSAL_AGE_MS / DAY;

export interface StatsFacts {
  readonly days: number;
  readonly dimension: GroupDimension;
  readonly statistics: ProposalStatistics;
  readonly coverage: ProposalsCoverage;
}

function stageText({ all }: ProposalStatistics, stage: ProposalStage): string {
  const { rate, count: came, of } = all.rates[stage];
  const reach = `${rateRangeText(all.rates[stage])}, ${formatNumber(came)} of ${formatNumber(of)}`;
  return `${outcomeEmoji([stage])} *${formatPercent(rate)} ${stage}* (${reach})`;
}

/** `192 connects for each interview · 625 connects for each hire`, with the number of proposals known. */
function spendingText({ all: { spending, stages } }: ProposalStatistics): string | undefined {
  const { proposals, connects } = spending;
  if (connects === 0) return undefined;
  const each = joinFacts(
    connectsPerOutcomeText(spending, 'interviewed'),
    connectsPerOutcomeText(spending, 'hired'),
  );
  const known =
    proposals < stages.sent
      ? ` (known for ${formatNumber(proposals)} of ${formatNumber(stages.sent)} proposals)`
      : '';
  return (
    `:coin: ${formatCount(connects, 'connect')} ` +
    `spent${known}${each ? `: *${each}*` : ''}${stages.interviewed === 0 ? ', no interviews yet' : ''}`
  );
}

/** `5 viewed, 1 interviewed`; `none viewed`. */
function fateText(stages: StageCounts): string {
  const came = PROPOSAL_STAGES.filter((stage) => stages[stage] > 0).map(
    (stage) => `${formatNumber(stages[stage])} ${stage}`,
  );
  return came.length > 0 ? came.join(', ') : 'none viewed';
}

function apartText({ recent, invited, withdrawn }: ProposalStatistics): string {
  const apart = joinFacts(
    recent.sent > 0
      ? `${formatNumber(recent.sent)} sent in the last ${YOUNG_DAYS} days, ` +
          `too recent to count (${fateText(recent)})`
      : undefined,
    invited.sent > 0
      ? `${formatCount(invited.sent, 'reply', 'replies')} to invitations (${fateText(invited)})`
      : undefined,
  );
  return joinLines(
    apart && `Counted separately: ${apart}`,
    withdrawn > 0
      ? `${formatCount(withdrawn, 'withdrawn proposal is', 'withdrawn proposals are')} included, ` +
          `because ${withdrawn === 1 ? 'it was' : 'they were'} sent and paid for.`
      : undefined,
  );
}

/** `163 proposals sent in the last 30 days` */
function headText(days: number, { all, recent }: ProposalStatistics): string {
  return `${formatCount(all.stages.sent + recent.sent, 'proposal')} sent in ${formatLastDays(days)}`;
}

function basisText({ all: { stages }, recent }: ProposalStatistics): string | undefined {
  const few =
    stages.sent < MIN_COMPARED_PROPOSALS ? `a small sample (under ${MIN_COMPARED_PROPOSALS})` : undefined;
  const basis = recent.sent > 0 ? `${formatNumber(stages.sent)} old enough to measure` : undefined;
  const text = joinFacts(basis, few);
  return text && `${text}:`;
}

function stageBlocks({ days, statistics }: StatsFacts): KnownBlock[] {
  const apart = apartText(statistics);
  return [
    sectionBlock(
      joinLines(
        joinFacts(`*${headText(days, statistics)}*`, basisText(statistics)),
        ...PROPOSAL_STAGES.map((stage) => stageText(statistics, stage)),
        spendingText(statistics),
      ),
    ),
    ...(apart ? [contextBlock(apart)] : []),
  ];
}

function fallbackText({ days, statistics }: StatsFacts): string {
  const { rates } = statistics.all;
  const shares = PROPOSAL_STAGES.map((stage) => `${formatPercent(rates[stage].rate)} ${stage}`);
  return `${headText(days, statistics)}: ${shares.join(', ')}`;
}

/** Which profiles are covered, and how fresh. Indexing doesn't matter here: it only affects search. */
function freshBlocks(coverage: ProposalsCoverage): KnownBlock[] {
  const copying = isStillCopyingProposals(coverage)
    ? ":hourglass_flowing_sand: Copying isn't finished. These numbers only include proposals copied so far."
    : undefined;
  const text = joinLines(copying, proposalsCoverageText({ ...coverage, isLoaded: true, behind: 0 }));
  return text ? [contextBlock(text)] : [];
}

const FUNNEL = funnelButton({ days: DEFAULT_FUNNEL_DAYS, by: 'filter' }, 'Funnel');

function nothingMessage({ days, statistics, coverage }: StatsFacts): Message {
  const apart = apartText(statistics);
  const what =
    statistics.recent.sent > 0
      ? `No proposals from ${formatLastDays(days)} are old enough to measure.`
      : `No proposals were sent in ${formatLastDays(days)}.`;
  return {
    text: what,
    blocks: [
      sectionBlock(`*${what}*`),
      actionsBlock([...longerPeriodButtons(days), FUNNEL]),
      ...(apart ? [contextBlock(apart)] : []),
      ...freshBlocks(coverage),
    ],
  };
}

/** Ephemeral: its own menu updates it. */
export function statsMessage(facts: StatsFacts): Message {
  const { statistics, coverage } = facts;
  if (statistics.all.stages.sent === 0) return nothingMessage(facts);
  const times = { id: actionIds.responseTimes, label: 'Response Times', value: 'show' };
  return {
    text: fallbackText(facts),
    blocks: [
      ...stageBlocks(facts),
      ...statsGroupBlocks(facts),
      ...freshBlocks(coverage),
      actionsBlock([statsMenu.draw(facts), ...longerPeriodButtons(facts.days), FUNNEL, buttonElement(times)]),
    ],
  };
}

export const STATS_PRESS_OUTDATED: Message = messageWithButtons(
  'These statistics are out of date.',
  commandButton({ command: 'stats', label: 'Current Numbers' }),
);
