/** Failures that a test can inject: single counted faults, and modes of a differently implemented server. */
import type { DateHeaderSkew } from '../http.ts';

import type { ReviewStatusName } from './review-status-names.ts';

/** Which requests a fault matches. Absent means any. */
export interface FaultMatcher {
  readonly method?: string;
  /** Below `/v1`. In a string, each `*` stands for one segment, such as a filter's ID. */
  readonly path?: string | RegExp;
}

/**
 * What happens to the request. By default it is still carried out (it charges, it creates), and only its
 * response is affected.
 */
export type MarketplaceFaultEffect =
  /** Another response: JSON, or text if `text` is given. Not carried out unless `carriedOut`. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly json?: unknown;
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly carriedOut?: boolean;
    }
  /** Sends nothing until `release()`, or for `ms` of the clock; forever without either. */
  | { readonly kind: 'hold-headers'; readonly ms?: number }
  /** Sends headers and half of the body; the rest on `release()` or after `ms` of the clock. */
  | { readonly kind: 'hold-body'; readonly ms?: number }
  /** Sends headers and half of the body, then resets the connection. */
  | { readonly kind: 'break-body' }
  /** Resets the connection, `before` the request took effect or `after` it. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  /** The real response with trailing white space: valid JSON of at least this size. */
  | { readonly kind: 'huge-body'; readonly bytes: number };

/** Ready-made effects that keep tests readable. */
export const presetFaults = {
  /** 429 with `retryAfter` as the header's value (seconds or a date). */
  rateLimited: (retryAfter?: string): MarketplaceFaultEffect => ({
    kind: 'answer',
    status: 429,
    json: { error: 'Rate limit exceeded' },
    ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
  }),
  status: (status: number, error = 'Simulated fault'): MarketplaceFaultEffect => ({
    kind: 'answer',
    status,
    json: { error },
  }),
  /** A gateway's HTML page instead of JSON. */
  html: (status = 502): MarketplaceFaultEffect => ({
    kind: 'answer',
    status,
    text: '<html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>',
    headers: { 'content-type': 'text/html' },
  }),
  /** 200 with JSON of an unexpected shape. */
  wrongJson: (json: unknown = ['unexpected']): MarketplaceFaultEffect => ({
    kind: 'answer',
    status: 200,
    json,
  }),
  /** Carried out, but the response is a server error. */
  errorAfterEffect: (status = 500): MarketplaceFaultEffect => ({
    kind: 'answer',
    status,
    json: { error: 'Server error' },
    carriedOut: true,
  }),
  /** Carried out; the response never arrives, unless released. */
  timeoutAfterEffect: (): MarketplaceFaultEffect => ({ kind: 'hold-headers' }),
} as const;

export interface MarketplaceFaultHandle {
  /** How many requests it matched. */
  hits(): number;
  /** Sends every response that it holds. */
  release(): void;
  /** Matches no further request; held responses stay held. */
  cancel(): void;
}

/** Keys with these names at any depth. `true`: all keys of a record except those that identify it. */
export type ModeFieldSelection = boolean | readonly string[];

/** Server behaviors that apply to every request; all are off at the start. */
export interface MarketplaceModes {
  /** The server accepts `latest_published_ts`, but ignores it. */
  readonly ignoreLatestPublishedTs: boolean;
  /** `latest_published_ts` means "at or after" instead of "after". */
  readonly inclusiveLatestPublishedTs: boolean;
  /** Cursors mean "before the last one returned": other projects of the same second are never listed. */
  readonly lossyCursor: boolean;
  /** Any `limit` parameter returns 400. */
  readonly refuseLimit: boolean;
  /** Records and envelopes contain undocumented fields. */
  readonly extraFields: boolean;
  readonly missingFields: ModeFieldSelection;
  readonly nullFields: ModeFieldSelection;
  /** Null instead of the empty string or 0 where a record has no such value (yet). */
  readonly nullsForEmpty: boolean;
  /** Project URLs are redirects: no ciphertext, a `pid` that isn't a uid, a different query per filter. */
  readonly redirectUrls: boolean;
  /** `skills` of listed projects is an array. */
  readonly skillsAsArray: boolean;
  readonly oldestFirst: boolean;
  /** Whether the lists of profiles, organizations and filters exist, and in which envelope. */
  readonly lists: 'absent' | 'data' | 'plural' | 'bare';
  /** Timestamps and cursors are milliseconds instead of seconds. */
  readonly milliseconds: boolean;
  /** What the balance must cover: the projects charged, the projects returned, or the page's `limit`. */
  readonly pageWidth: 'charged' | 'returned' | 'limit';
  /** With `refuseLimit`: the 400 doesn't name the problem. */
  readonly vagueRefusals: boolean;
  /** A skipped job returns this status and `success: false` with the job, without an `error`. */
  readonly skippedIsNoSuccess: false | 200 | 400;
  /** How far the Date header is ahead of the simulator's clock, in ms. The API documents none. */
  readonly dateAhead: DateHeaderSkew;
  /**
   * How `GET /proposal-senders` formats a sender: flat; with `organization_name` next to `organization_id`,
   * one row per contractor; with the organization in `org`; or with the contractors in `people`.
   */
  readonly senders: 'flat' | 'organization-name' | 'org' | 'people';
  /** The boolean `isQualified` is the verdict (false while undecided), and `status` has no meaning. */
  readonly verdictFlags: boolean;
  /** `GET /filters/{id}/results` returns 404 for a filter without results. */
  readonly emptyResultsNotFound: boolean;
  /** Maximum characters of a job's `cover_letter` and of each answer; longer ones return 400. */
  readonly longestJobText: number;
  /** The credits' reset date: correct, always in 30 days, or off by up to 40 days in 1 of 5 responses. */
  readonly resetDate: 'fixed' | 'rolling' | 'sometimes-wrong';
  /** The status name of a job that waits for review. */
  readonly reviewWords: ReviewStatusName;
  /** An empty page of a filter has neither `latest_published_ts` nor `next_cursor`. */
  readonly silentMarks: boolean;
  /** `latest_published_ts` more than a year ahead of the server returns 400. */
  readonly refuseFarMarks: boolean;
  /** A job contains the `marketplace_job_id` from the request, even if it is a uid. */
  readonly echoedJobIds: boolean;
}

export const DEFAULT_MARKETPLACE_MODES: MarketplaceModes = {
  ignoreLatestPublishedTs: false,
  inclusiveLatestPublishedTs: false,
  lossyCursor: false,
  refuseLimit: false,
  extraFields: false,
  missingFields: false,
  nullFields: false,
  nullsForEmpty: false,
  redirectUrls: false,
  skillsAsArray: false,
  oldestFirst: false,
  lists: 'absent',
  milliseconds: false,
  pageWidth: 'charged',
  vagueRefusals: false,
  skippedIsNoSuccess: false,
  dateAhead: 0,
  senders: 'flat',
  verdictFlags: false,
  emptyResultsNotFound: false,
  longestJobText: Number.POSITIVE_INFINITY,
  resetDate: 'fixed',
  reviewWords: 'usual',
  silentMarks: false,
  refuseFarMarks: false,
  echoedJobIds: false,
};
