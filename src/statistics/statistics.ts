/**
 * Outcomes of proposals in total and by group, and which differences may be chance; what an interview has
 * cost in connects. Pure.
 */
import { DAY, type Instant } from '../clock.ts';
import type { ProposalWithoutTexts } from '../marketplace/schema.ts';
import { addDays, localTime, localTimeToInstant } from '../schedule/local-time.ts';
import {
  compareGroups,
  type GroupComparisons,
  MIN_COMPARED_PROPOSALS,
  type StageComparisons,
} from './compare.ts';
import { GROUP_DIMENSIONS, type GroupDimension, type GroupKey } from './groups.ts';
import {
  type ConnectsSpending,
  type CountedGroup,
  GroupedStageCounter,
  type ProposalStage,
  proposalsSubmittedIn,
  type RateEstimate,
  StageCounter,
  type StageCounts,
  type StatisticsPeriod,
  wilsonRate,
} from './stages.ts';

/** Younger proposals had too little time for views and replies: they are counted apart. Our own choice. */
export const MAX_RECENT_PROPOSAL_AGE_MS = 7 * DAY;

/** Proposals counted between two yields to the event loop: about 1 ms. */
const SLICE = 1_000;
/** Above this number of groups, sorting yields to the event loop for each dimension. */
const MANY_GROUPS = 100;

interface OutcomeStatistics {
  readonly stages: StageCounts;
  /** As shares of those sent. */
  readonly rates: Readonly<Record<ProposalStage, RateEstimate>>;
  readonly spending: ConnectsSpending;
}

export interface GroupStatistics extends OutcomeStatistics {
  readonly key: GroupKey;
  /** Missing when all proposals are young: it is too early to compare. */
  readonly standings?: StageComparisons;
}

interface StatisticsRequest extends StatisticsPeriod {
  /** Defines the weekdays; IANA name. */
  readonly timezone: string;
}

export interface ProposalStatistics extends StatisticsRequest {
  /**
   * Without young proposals and answers to invitations. When all proposals in the period are young, the young
   * ones.
   */
  readonly all: OutcomeStatistics;
  /** All proposals in the period are young: nothing is compared. */
  readonly isEarly: boolean;
  /** Counted separately; empty when `isEarly`. */
  readonly recent: StageCounts;
  /** Answers to invitations of any age: they didn't depend on a cover letter, boost or position. */
  readonly invited: StageCounts;
  /** Part of `all`: sent and paid for, so they count. */
  readonly withdrawn: number;
  /** Template, variant and profile: largest groups first; others in their natural order. */
  readonly groups: Readonly<Record<GroupDimension, readonly GroupStatistics[]>>;
  /**
   * The dimension with the surest difference. If none is beyond chance, the first dimension with any
   * comparison.
   */
  readonly clearestDimension: GroupDimension;
}

/**
 * Reads the proposals submitted in a period once; yields after every thousand. No proposal's content makes it
 * throw.
 * @param newestFirst in the mirror's order: iteration stops at the start of the period.
 * @param order `to` is the moment that decides which proposals are young.
 * @param rest lets other work run.
 * @throws RangeError for an invalid time zone, and any error of `rest`.
 */
export async function calculateStatistics(
  newestFirst: Iterable<ProposalWithoutTexts>,
  order: StatisticsRequest,
  rest: () => Promise<void>,
): Promise<ProposalStatistics> {
  const { from, to, timezone } = order;
  const tally = new GroupedStageCounter();
  const young = new StageCounter();
  const invited = new StageCounter();
  const weekdayOf = createWeekdayCalculator(timezone);
  const isEarly = from >= to - MAX_RECENT_PROPOSAL_AGE_MS;
  let withdrawn = 0;
  let walked = 0;

  const take = (proposal: ProposalWithoutTexts, submittedAt: Instant) => {
    if (proposal.fromInvitation) return invited.add(proposal);
    if (!isEarly && submittedAt > to - MAX_RECENT_PROPOSAL_AGE_MS) return young.add(proposal);
    if (proposal.withdrawn) withdrawn++;
    tally.add(proposal, weekdayOf(submittedAt));
  };

  for (const proposal of proposalsSubmittedIn(newestFirst, order)) {
    if (++walked % SLICE === 0) await rest();
    if (proposal.submittedAt !== undefined) take(proposal, proposal.submittedAt);
  }
  const all = GROUP_DIMENSIONS.flatMap((dimension) =>
    tally.listGroups(dimension).map((group) => ({
      id: idOf(dimension, group),
      within: `${dimension} ${group.place.within}`,
      stages: group.count.stages,
    })),
  );
  const compared = await compareGroups(all, rest);
  const groupsOf = async (dimension: GroupDimension): Promise<GroupStatistics[]> => {
    const counted = tally.listGroups(dimension);
    if (counted.length > MANY_GROUPS) await rest();
    return inOrder(counted).map((group) => {
      const standings = isEarly ? undefined : compared.standings.get(idOf(dimension, group));
      return { key: group.place.key, ...outcomesOf(group.count), standings };
    });
  };
  return {
    from,
    to,
    timezone,
    all: outcomesOf(tally.all),
    isEarly,
    recent: young.stages,
    invited: invited.stages,
    withdrawn,
    groups: {
      template: await groupsOf('template'),
      variant: await groupsOf('variant'),
      boost: await groupsOf('boost'),
      position: await groupsOf('position'),
      profile: await groupsOf('profile'),
      weekday: await groupsOf('weekday'),
    },
    clearestDimension: isEarly ? 'template' : tellingOf(tally, compared),
  };
}

function outcomesOf({ stages, spending }: StageCounter): OutcomeStatistics {
  const rate = (stage: ProposalStage) => wilsonRate(stages[stage], stages.sent);
  return {
    stages,
    rates: { viewed: rate('viewed'), interviewed: rate('interviewed'), hired: rate('hired') },
    spending,
  };
}

function idOf(dimension: GroupDimension, { place }: CountedGroup): string {
  return `${dimension} ${place.id}`;
}

/** In natural order, else the largest kinds first, and the largest groups within a kind. */
function inOrder(groups: readonly CountedGroup[]): CountedGroup[] {
  const sizes = new Map<string, number>();
  for (const { place, count } of groups)
    sizes.set(place.within, (sizes.get(place.within) ?? 0) + count.stages.sent);
  const sizeOf = ({ place }: CountedGroup) => sizes.get(place.within) ?? 0;
  return groups.toSorted(
    (a, b) =>
      (a.place.rank ?? 0) - (b.place.rank ?? 0) ||
      sizeOf(b) - sizeOf(a) ||
      compareTexts(a.place.within, b.place.within) ||
      b.count.stages.sent - a.count.stages.sent ||
      compareTexts(a.place.id, b.place.id),
  );
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function tellingOf(tally: GroupedStageCounter, { standings, surest }: GroupComparisons): GroupDimension {
  const holds = (dimension: GroupDimension, is: (id: string) => boolean) =>
    tally.listGroups(dimension).some((group) => is(idOf(dimension, group)));
  const isCompared = (id: string) => standings.get(id)?.viewed === 'may-be-chance';
  return (
    GROUP_DIMENSIONS.find((dimension) => holds(dimension, (id) => id === surest)) ??
    GROUP_DIMENSIONS.find((dimension) => holds(dimension, isCompared)) ??
    'template'
  );
}

/**
 * Caches the last day: proposals come in order, and a time zone conversion costs more than all the counting.
 * @returns 1 for Monday to 7 for Sunday. @throws RangeError (the returned function) for an invalid zone.
 */
function createWeekdayCalculator(timezone: string): (at: Instant) => number {
  let known = { from: 0, to: 0, weekday: 0 };
  return (at) => {
    if (at < known.from || at >= known.to) {
      const { day, weekday } = localTime(at, timezone);
      known = {
        from: localTimeToInstant(day, 0, timezone),
        to: localTimeToInstant(addDays(day, 1), 0, timezone),
        weekday,
      };
    }
    return known.weekday;
  };
}

/** Connects spent for each interview. */
export interface AnswerCost {
  readonly connects: number;
  /** The 95% confidence interval. */
  readonly low: number;
  readonly high: number;
  /** The proposals with a known price that it is based on, sent in the last `days`. */
  readonly proposals: number;
  readonly days: number;
}

/** As in `/gig stats` and `/gig stats 90`. The first period with enough data counts. */
const PERIODS_DAYS = [30, 90] as const;
/** Our own choice: with fewer, the interval is so wide that it says nothing. */
const MIN_INTERVIEWS = 3;

/**
 * Connects per interview: the mean price of a proposal, divided by the share that got an interview. Its
 * interval is that of the share (Wilson), with the mean price taken as it is.
 */
function toAnswerCost({ proposals, connects, interviewed }: ConnectsSpending, days: number) {
  if (proposals < MIN_COMPARED_PROPOSALS || interviewed < MIN_INTERVIEWS || connects === 0) return undefined;
  const { low, high } = wilsonRate(interviewed, proposals);
  const mean = connects / proposals;
  return { connects: connects / interviewed, low: mean / high, high: mean / low, proposals, days };
}

/**
 * Counts as the statistics do: without proposals too young for an answer, and without answers to invitations.
 * @param newestFirst in the mirror's order
 * @param rest lets other work run
 * @returns undefined while there is not enough data
 */
export async function estimateAnswerCost(
  newestFirst: Iterable<ProposalWithoutTexts>,
  now: Instant,
  rest: () => Promise<void>,
): Promise<AnswerCost | undefined> {
  const [short, long] = PERIODS_DAYS;
  const counter = new StageCounter();
  let isShortOver = false;
  let walked = 0;
  for (const proposal of proposalsSubmittedIn(newestFirst, { from: now - long * DAY, to: now })) {
    if (++walked % SLICE === 0) await rest();
    const { submittedAt = 0 } = proposal;
    if (!isShortOver && submittedAt < now - short * DAY) {
      isShortOver = true;
      const cost = toAnswerCost(counter.spending, short);
      if (cost) return cost;
    }
    if (!proposal.fromInvitation && submittedAt <= now - MAX_RECENT_PROPOSAL_AGE_MS) counter.add(proposal);
  }
  return toAnswerCost(counter.spending, isShortOver ? long : short);
}
