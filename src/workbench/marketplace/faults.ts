/** What a test can order to go wrong: single faults, counted, and standing modes of a server that reads the description otherwise. */
import type { DateHeaderSkew } from '../http.ts';

import type { ReviewStatusName } from './review-status-names.ts';

/** Which requests a fault is for. Absent means any. */
export interface FaultMatcher {
  readonly method?: string;
  /** Below `/v1`; in a string each `*` stands for one segment, as in `GET /filters/{id}/projects` written with `*` for the id. */
  readonly path?: string | RegExp;
}

/**
 * What happens to the request. Unless said otherwise the request is carried out as usual (it charges, it creates) and
 * only its answer suffers.
 */
export type MarketplaceFaultEffect =
  /** Another answer: JSON, or text where `text` is given. Not carried out unless `carriedOut`. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly json?: unknown;
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly carriedOut?: boolean;
    }
  /** Nothing is sent until `release()`, or for `ms` of the clock; for ever when neither comes. */
  | { readonly kind: 'hold-headers'; readonly ms?: number }
  /** Headers and half of the body, the rest on `release()` or after `ms` of the clock. */
  | { readonly kind: 'hold-body'; readonly ms?: number }
  /** Headers and half of the body, then a reset. */
  | { readonly kind: 'break-body' }
  /** The connection is reset, `before` the request took effect or `after` it. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  /** The real answer with a long tail of white space: valid JSON of at least this size. */
  | { readonly kind: 'huge-body'; readonly bytes: number };

/** Ready-made effects, so that a test reads as what it orders. */
export const presetFaults = {
  /** 429; `retryAfter` as it stands in the header (seconds or a date). */
  rateLimited: (retryAfter?: string): MarketplaceFaultEffect => ({
    kind: 'answer',
    status: 429,
    json: { error: 'Rate limit exceeded' },
    ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }),
  }),
  /** Any status with the documented error body. */
  status: (status: number, error = 'Simulated fault'): MarketplaceFaultEffect => ({
    kind: 'answer',
    status,
    json: { error },
  }),
  /** A gateway's page instead of JSON. */
  html: (status = 502): MarketplaceFaultEffect => ({
    kind: 'answer',
    status,
    text: '<html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>',
    headers: { 'content-type': 'text/html' },
  }),
  /** 200 with JSON of another shape. */
  wrongJson: (json: unknown = ['unexpected']): MarketplaceFaultEffect => ({
    kind: 'answer',
    status: 200,
    json,
  }),
  /** Carried out, but the answer is a server error. */
  errorAfterEffect: (status = 500): MarketplaceFaultEffect => ({
    kind: 'answer',
    status,
    json: { error: 'Server error' },
    carriedOut: true,
  }),
  /** Carried out; the answer never comes, unless released. */
  timeoutAfterEffect: (): MarketplaceFaultEffect => ({ kind: 'hold-headers' }),
} as const;

/** An order that was placed. */
export interface MarketplaceFaultHandle {
  /** How many requests it has met. */
  hits(): number;
  /** Lets every answer go that it holds. */
  release(): void;
  /** Meets no further request; what it holds stays held. */
  cancel(): void;
}

/** Keys of that name at any depth of the answer; `true`: every key of a record but the few that name it. */
export type FieldSelection = boolean | readonly string[];

/** Standing peculiarities of the server; all off at the start. */
export interface MarketplaceModes {
  /** `latest_published_ts` is accepted and has no effect. */
  readonly ignoreLatestPublishedTs: boolean;
  /** `latest_published_ts` means "at or after" instead of "after". */
  readonly inclusiveLatestPublishedTs: boolean;
  /** Cursors mean "before the last one returned": what shares its second is never listed. */
  readonly lossyCursor: boolean;
  /** Any `limit` parameter is answered with 400. */
  readonly refuseLimit: boolean;
  /** Records and envelopes carry fields that no table names. */
  readonly extraFields: boolean;
  readonly missingFields: FieldSelection;
  readonly nullFields: FieldSelection;
  /** Null instead of the empty string or 0 where a record has no such value (yet). */
  readonly nullsForEmpty: boolean;
  /** Project urls are redirects: no ciphertext, a `pid` that is no uid, and another query for each filter. */
  readonly redirectUrls: boolean;
  /** `skills` of listed projects is an array. */
  readonly skillsAsArray: boolean;
  readonly oldestFirst: boolean;
  /** The lists of profiles, organizations and filters are there, in this frame. */
  readonly lists: 'absent' | 'data' | 'plural' | 'bare';
  /** Timestamps and cursors are milliseconds instead of seconds. */
  readonly milliseconds: boolean;
  /** What must fit the balance: the projects that would be charged, returned, or the page's `limit`. */
  readonly pageWidth: 'charged' | 'returned' | 'limit';
  /** With `refuseLimit`: the 400 doesn't say what is wrong. */
  readonly vagueRefusals: boolean;
  /** A skipped job is no success: `success: false` with the job, without an `error`, under this status. */
  readonly skippedIsNoSuccess: false | 200 | 400;
  /** How far answers' Date header is ahead of the simulator's clock, in ms; the API describes none. */
  readonly dateAhead: DateHeaderSkew;
  /**
   * How `GET /proposal-senders` writes a sender: flat; with `organization_name` beside `organization_id`, one row a contractor;
   * with the organization in `org`; or with the contractors in `people`.
   */
  readonly senders: 'flat' | 'organization-name' | 'org' | 'people';
  /** Verdicts are told by the boolean `isQualified`, false while undecided, beside a `status` that decides nothing. */
  readonly verdictFlags: boolean;
  /** `GET /filters/{id}/results` is 404 for a filter without results. */
  readonly emptyResultsNotFound: boolean;
  /** Characters of a job's `cover_letter` and of each answer; more are refused with 400. */
  readonly longestJobText: number;
  /** The credits' reset date: always 30 days from now, or off by up to 40 days in about one answer of five. */
  readonly resetDate: 'fixed' | 'rolling' | 'sometimes-wrong';
  /** What the state of a job is called that waits for review. */
  readonly reviewWords: ReviewStatusName;
  /** An empty page of a filter shows neither `latest_published_ts` nor `next_cursor`. */
  readonly silentMarks: boolean;
  /** `latest_published_ts` of more than a year ahead, as the server counts, is answered with 400. */
  readonly refuseFarMarks: boolean;
  /** A job bears the `marketplace_job_id` that was asked for, also where that is a uid. */
  readonly echoedJobIds: boolean;
}

export const DEFAULT_MODES: MarketplaceModes = {
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
