/**
 * How fast a channel was, from the times of its cards and bids: medians and 90th percentiles, by person,
 * filter and hour. Pure.
 */
import type { Instant } from '../clock.ts';
import type { FilterId, UserId } from '../ids.ts';
import { localTime } from '../schedule/local-time.ts';

export interface Act {
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

/** In ms; missing: nothing was measured. */
export type MedianTimes = { readonly [span in 'card' | 'claim' | 'bid']?: number | undefined };

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

/** The medians of the spans that people wait for, in ms; undefined if nobody claimed or bid. */
export function medianTimes(samples: readonly ResponseSample[]): MedianTimes | undefined {
  const { card, claim, bid } = summarizeTimes(samples);
  if (!claim && !bid) return undefined;
  return { card: card?.medianMs, claim: claim?.medianMs, bid: bid?.medianMs };
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

/** Hours in their order, others with the most first. @param timezone IANA name, known to this machine */
export function groupTimes(
  samples: readonly ResponseSample[],
  dimension: ResponseDimension,
  timezone: string,
): readonly ResponseGroup[] {
  const group = (key: ResponseGroupKey, own: readonly ResponseSample[], who?: UserId): ResponseGroup => ({
    key,
    summary: summarizeTimes(own, who),
    count: own.length,
  });
  const mostFirst = (a: ResponseGroup, b: ResponseGroup) => b.count - a.count;
  switch (dimension) {
    case 'person':
      return collect(samples, ({ claim, bid }) => [claim, bid].flatMap((act) => (act ? [act.by] : [])))
        .map(([user, own]) => group({ dimension, user }, own, user))
        .toSorted(mostFirst);
    case 'filter':
      return collect(samples, ({ filters }) => filters)
        .map(([filter, own]) => group({ dimension, filter }, own))
        .toSorted(mostFirst);
    case 'hour':
      return collect(samples, ({ publishedAt, postedAt }) => {
        const at = publishedAt ?? postedAt;
        return at === undefined ? [] : [Math.floor(localTime(at, timezone).minute / 60)];
      })
        .toSorted(([a], [b]) => a - b)
        .map(([hour, own]) => group({ dimension, hour }, own));
  }
}
