/**
 * How fast a channel was, from the times of its cards and bids: medians and 90th percentiles, by person,
 * filter and hour; and whether early bids got more answers. Pure.
 */
import type { Instant } from '../clock.ts';
import { DAY, HOUR, MINUTE } from '../clock.ts';
import type { FilterId, UserId } from '../ids.ts';
import { localTime } from '../schedule/local-time.ts';
import { compareGroups, MIN_COMPARED_PROPOSALS, type StageComparison } from '../statistics/compare.ts';
import { FUNNEL_STAGES, type Funnel, type RateEstimate, wilsonRate } from '../statistics/funnel.ts';
import { MAX_RECENT_PROPOSAL_AGE_MS } from '../statistics/statistics.ts';

interface Act {
  readonly by: UserId;
  readonly at: Instant;
}

/** One posted card or invitation. */
export interface ResponseSample {
  /** Or the invitation's arrival; missing: unknown. */
  readonly publishedAt?: Instant | undefined;
  readonly postedAt?: Instant | undefined;
  readonly filters: readonly FilterId[];
  /** The first claim. */
  readonly claim?: Act | undefined;
  /** The first bid that was created. */
  readonly bid?: Act | undefined;
  /** How far the bid's proposal got; missing: it isn't known to be sent. */
  readonly proposal?: { readonly viewed: boolean; readonly interviewed: boolean; readonly hired: boolean };
}

export interface ResponseTimes {
  readonly samples: readonly ResponseSample[];
  /** There are more cards than were read: these are the newest. */
  readonly isPartial?: true;
}

export interface SpanSummary {
  readonly count: number;
  readonly medianMs: number;
  readonly p90Ms: number;
}

/** Missing: no such span is known. */
export interface ResponseSummary {
  /** From publication to the card. */
  readonly card?: SpanSummary;
  /** From the card to its first claim. */
  readonly claim?: SpanSummary;
  /** From publication to the first bid. */
  readonly bid?: SpanSummary;
  /** From the first claim to the bid. */
  readonly claimToBid?: SpanSummary;
}

/** The nearest rank: a value that occurred. @param sorted ascending, not empty; @param share 0 to 1 */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Spans below 0 come from a clock that was wrong. */
function summarizeSpans(spans: readonly number[]): SpanSummary | undefined {
  const sorted = spans.filter((ms) => ms >= 0).sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  return { count: sorted.length, medianMs: percentile(sorted, 0.5), p90Ms: percentile(sorted, 0.9) };
}

function between(from: Instant | undefined, to: Instant | undefined): readonly number[] {
  return from === undefined || to === undefined ? [] : [to - from];
}

/** @param who only this person's claims and bids */
export function summarizeTimes(samples: readonly ResponseSample[], who?: UserId): ResponseSummary {
  const own = (act: Act | undefined) => (who === undefined || act?.by === who ? act?.at : undefined);
  const spans = {
    card: who === undefined ? samples.flatMap((it) => between(it.publishedAt, it.postedAt)) : [],
    claim: samples.flatMap((it) => between(it.postedAt, own(it.claim))),
    bid: samples.flatMap((it) => between(it.publishedAt, own(it.bid))),
    claimToBid: samples.flatMap((it) => between(it.claim?.at, own(it.bid))),
  };
  const found = Object.entries(spans).map(([name, each]) => [name, summarizeSpans(each)] as const);
  return Object.fromEntries(found.filter(([, summary]) => summary !== undefined));
}

export const RESPONSE_DIMENSIONS = ['person', 'filter', 'hour'] as const;
export type ResponseDimension = (typeof RESPONSE_DIMENSIONS)[number];

export type ResponseGroupKey =
  | { readonly dimension: 'person'; readonly user: UserId }
  | { readonly dimension: 'filter'; readonly filter: FilterId }
  /** Of the local day in which the project was published. */
  | { readonly dimension: 'hour'; readonly hour: number };

export interface ResponseGroup {
  readonly key: ResponseGroupKey;
  readonly summary: ResponseSummary;
  /** Claims and bids for people, cards otherwise. */
  readonly count: number;
}

function collect<K>(samples: readonly ResponseSample[], keysOf: (sample: ResponseSample) => readonly K[]) {
  const groups = new Map<K, ResponseSample[]>();
  for (const sample of samples)
    for (const key of new Set(keysOf(sample))) {
      const group = groups.get(key);
      if (group) group.push(sample);
      else groups.set(key, [sample]);
    }
  return [...groups];
}

function hourOf({ publishedAt, postedAt }: ResponseSample, timezone: string): readonly number[] {
  const at = publishedAt ?? postedAt;
  return at === undefined ? [] : [Math.floor(localTime(at, timezone).minute / 60)];
}

/** Hours in their order, others with the most first. @param timezone IANA name, known to this machine */
export function groupTimes(
  samples: readonly ResponseSample[],
  dimension: ResponseDimension,
  timezone: string,
): readonly ResponseGroup[] {
  switch (dimension) {
    case 'person':
      return collect(samples, ({ claim, bid }) => [claim, bid].flatMap((act) => (act ? [act.by] : [])))
        .map(([user, own]) => ({
          key: { dimension, user },
          summary: summarizeTimes(own, user),
          count: own.length,
        }))
        .toSorted((a, b) => b.count - a.count);
    case 'filter':
      return collect(samples, ({ filters }) => filters)
        .map(([filter, own]) => ({
          key: { dimension, filter },
          summary: summarizeTimes(own),
          count: own.length,
        }))
        .toSorted((a, b) => b.count - a.count);
    case 'hour':
      return collect(samples, (sample) => hourOf(sample, timezone))
        .map(([hour, own]) => ({ key: { dimension, hour }, summary: summarizeTimes(own), count: own.length }))
        .toSorted((a, b) => a.key.hour - b.key.hour);
  }
}

/** Ages of a project at its bid; each bucket is up to its bound. */
const AGE_BOUNDS = [15 * MINUTE, HOUR, 4 * HOUR, DAY] as const;

export interface AgeBucket {
  /** Missing: older than all others. */
  readonly upToMs?: number;
  readonly funnel: Funnel;
  readonly viewed: RateEstimate;
  readonly interviewed: RateEstimate;
  /** How its interviews compare with those of all other bids. */
  readonly interviews: StageComparison;
}

export interface SpeedEffect {
  /** Youngest first; without empty ones. */
  readonly buckets: readonly AgeBucket[];
  /** Whether at least two buckets have enough proposals to compare. */
  readonly isEnough: boolean;
}

function bucketOf({ bid, publishedAt }: ResponseSample): number | undefined {
  if (!bid || publishedAt === undefined || bid.at < publishedAt) return undefined;
  const found = AGE_BOUNDS.findIndex((bound) => bid.at - publishedAt <= bound);
  return found < 0 ? AGE_BOUNDS.length : found;
}

function countFunnel(samples: readonly ResponseSample[]): Funnel {
  const reached = { sent: samples.length, viewed: 0, interviewed: 0, hired: 0 };
  // A later stage implies the earlier ones.
  for (const { proposal } of samples)
    for (const [place, stage] of FUNNEL_STAGES.entries())
      if (FUNNEL_STAGES.slice(place).some((later) => proposal?.[later])) reached[stage]++;
  return reached;
}

/**
 * Whether bids on young projects are answered more often. As in the other statistics, proposals of the last 7
 * days are too young to count.
 */
export async function measureSpeedEffect(
  samples: readonly ResponseSample[],
  now: Instant,
): Promise<SpeedEffect> {
  const old = samples.filter(
    ({ bid, proposal }) => bid && proposal && bid.at <= now - MAX_RECENT_PROPOSAL_AGE_MS,
  );
  const counted = Array.from({ length: AGE_BOUNDS.length + 1 }, (_, place) => {
    const funnel = countFunnel(old.filter((sample) => bucketOf(sample) === place));
    return { id: String(place), within: '', funnel, bound: AGE_BOUNDS[place] };
  }).filter(({ funnel }) => funnel.sent > 0);
  const { standings } = await compareGroups(counted, () => Promise.resolve());
  const buckets = counted.map(
    ({ id, funnel, bound }): AgeBucket => ({
      ...(bound === undefined ? {} : { upToMs: bound }),
      funnel,
      viewed: wilsonRate(funnel.viewed, funnel.sent),
      interviewed: wilsonRate(funnel.interviewed, funnel.sent),
      interviews: standings.get(id)?.interviewed ?? 'too-few',
    }),
  );
  const large = buckets.filter(({ funnel }) => funnel.sent >= MIN_COMPARED_PROPOSALS);
  return { buckets, isEnough: large.length >= 2 };
}
