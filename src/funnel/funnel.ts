/**
 * The funnel from a filter's project to a hire, and what other rules would have shown. Both only read what is
 * stored: they cost no credits and send no request.
 */
import { DAY, type Instant } from '../clock.ts';
import type { NamedFilter } from '../feed/feed.ts';
import { FEED_RETENTION_MS } from '../feed/records.ts';
import type { ChannelId, FilterId } from '../ids.ts';
import type { QueryError } from '../query/query.ts';
import type { FunnelCount, FunnelGroupKey } from './count-steps.ts';
import type { TriedCounts, TriedLists } from './try-rules.ts';

export {
  FUNNEL_STEPS,
  type FunnelCount,
  type FunnelGroupKey,
  type FunnelStep,
  LOSS_REASONS,
  type LossReason,
} from './count-steps.ts';
export type { TeamOutcome, TriedProject } from './try-rules.ts';

/** Projects are deleted after this many days. */
export const MOST_FUNNEL_DAYS = FEED_RETENTION_MS / DAY;

export const FUNNEL_DIMENSIONS = ['filter', 'channel'] as const;
export type FunnelDimension = (typeof FUNNEL_DIMENSIONS)[number];

/** Projects found from `from` (included) to `to` (excluded). Their progress is as of now. */
export interface FunnelRequest {
  readonly channels: readonly ChannelId[];
  readonly from: Instant;
  readonly to: Instant;
  readonly by: FunnelDimension;
}

export interface FunnelGroup {
  readonly key: FunnelGroupKey;
  /** Of a filter; untrusted text. Missing: unknown. */
  readonly name?: string;
  readonly count: FunnelCount;
}

export interface Funnel {
  /** Each project once. */
  readonly all: FunnelCount;
  /** Each project once per group; those with most posted projects first. */
  readonly groups: readonly FunnelGroup[];
  /** There were too many projects or bids: the oldest were left out. */
  readonly isCut: boolean;
}

export interface RulesToTry {
  /** Its rules of today, its other filters and its mutes count. */
  readonly channel: ChannelId;
  readonly filter: FilterId;
  /** In the query language, as typed; empty: every project. */
  readonly rules: string;
}

export interface TriedRules {
  readonly kind: 'tried';
  readonly filter: NamedFilter;
  /** Normalized. */
  readonly rules: string;
  /** Undefined: the channel doesn't follow the filter. */
  readonly rulesToday: string | undefined;
  readonly counts: TriedCounts;
  readonly lists: TriedLists;
  /** There were more projects: only the newest were tried. */
  readonly isCut: boolean;
}

export type TryRulesOutcome = TriedRules | { readonly kind: 'wrong-rules'; readonly mistake: QueryError };

/** How far back rules are tried. */
export const TRIED_DAYS = 14;
/** Projects that are tried at most. */
export const MOST_TRIED = 2_000;

export interface FunnelService {
  /** The caller has checked that the person may see the channels. @throws StorageError */
  readFunnel(request: FunnelRequest): Promise<Funnel>;
  /** On the newest projects of the last 14 days, at most 2,000. @throws StorageError */
  tryRules(wanted: RulesToTry): Promise<TryRulesOutcome>;
}
