/**
 * Whether a channel's latest bids have gone without an answer for so long that it's hardly chance. Pure. Why
 * these numbers: docs/decisions/0033-decision-ledger.md.
 */
import type { Instant } from '../clock.ts';

/** How likely a run may be by chance alone. */
const CHANCE = 0.001;
/** A shorter run says nothing, and a longer one is worth a look at any rate of answers. */
const SHORTEST_RUN = 12;
export const LONGEST_RUN = 60;
/** What little data is weighed against: 2 answers to 10 proposals. */
const PRIOR = { answered: 2, proposals: 10 } as const;

/** How often proposals of the account got a view or an interview. */
export interface AnswerRate {
  readonly answered: number;
  readonly proposals: number;
}

export function estimateAnswerRate({ answered, proposals }: AnswerRate): number {
  return (answered + PRIOR.answered) / (proposals + PRIOR.proposals);
}

/** The number of bids without an answer that has a chance of at most one in a thousand. */
export function findRunLength(rate: AnswerRate): number {
  const length = Math.ceil(Math.log(CHANCE) / Math.log(1 - estimateAnswerRate(rate)));
  return Math.min(LONGEST_RUN, Math.max(SHORTEST_RUN, length));
}

/** A bid that became a proposal, old enough for an answer. */
export interface JudgedBid {
  readonly at: Instant;
  readonly isAnswered: boolean;
}

/** A channel's run of bids without an answer. */
export interface SilentRun {
  readonly bids: number;
  /** When its first and its last bid were made. */
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * @param newestFirst the channel's bids
 * @param warnedFrom the start of the run that the channel was warned of last
 * @returns the run to warn of, once: until an answer came in between, it's the same run
 */
export function findSilentRun(
  newestFirst: readonly JudgedBid[],
  rate: AnswerRate,
  warnedFrom: Instant | undefined,
): SilentRun | undefined {
  const end = newestFirst.findIndex(({ isAnswered }) => isAnswered);
  const run = end === -1 ? newestFirst : newestFirst.slice(0, end);
  const [last, first] = [run[0], run.at(-1)];
  if (!first || !last || run.length < findRunLength(rate)) return undefined;
  const answeredAt = newestFirst[end]?.at;
  const isSame = warnedFrom !== undefined && (answeredAt === undefined || answeredAt < warnedFrom);
  return isSame ? undefined : { bids: run.length, from: first.at, to: last.at };
}
