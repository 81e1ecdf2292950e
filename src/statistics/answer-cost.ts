/** What an interview has cost in connects, with its confidence interval. Pure. */
import { DAY, type Instant } from '../clock.ts';
import type { ProposalWithoutTexts } from '../marketplace/schema.ts';
import { MIN_COMPARED_PROPOSALS } from './compare.ts';
import { type ConnectsSpending, FunnelCounter, proposalsSubmittedIn, wilsonRate } from './funnel.ts';
import { MAX_RECENT_PROPOSAL_AGE_MS } from './statistics.ts';

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
/** Proposals counted between two yields to the event loop: about 1 ms. */
const SLICE = 1_000;

/**
 * Connects per interview: the mean price of a proposal, divided by the share that got an interview. Its
 * interval is that of the share (Wilson), with the mean price taken as it is.
 */
function toAnswerCost(
  { proposals, connects, interviewed }: ConnectsSpending,
  days: number,
): AnswerCost | undefined {
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
  const counter = new FunnelCounter();
  let isShortOver = false;
  let walked = 0;
  for (const proposal of proposalsSubmittedIn(newestFirst, { from: now - long * DAY, to: now })) {
    if (++walked % SLICE === 0) await rest();
    const { submittedAt = 0 } = proposal;
    if (!isShortOver && submittedAt < now - short * DAY) {
      isShortOver = true;
      const cost = toAnswerCost(counter.toSpending(), short);
      if (cost) return cost;
    }
    if (!proposal.fromInvitation && submittedAt <= now - MAX_RECENT_PROPOSAL_AGE_MS) counter.add(proposal);
  }
  return toAnswerCost(counter.toSpending(), isShortOver ? long : short);
}
