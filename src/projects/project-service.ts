/** The contract of buying projects for a person: one in full, or those of a monitoring result. */
import type { Instant } from '../clock.ts';
import type { ChannelId, FilterId, ResultId, UserId } from '../ids.ts';
import type { ProjectReference, RecordPage } from '../marketplace/client.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import type { ListedProject, LookedUpProject, MonitoringResult, Paging } from '../marketplace/schema.ts';

/** Why nothing was bought. */
export type PurchaseFailure =
  | {
      readonly kind: 'no-budget';
      readonly left: number;
      /** Besides, for requests that are under way or brought no answer; free again at the reset at the latest. */
      readonly held?: number;
      readonly needs: number;
      readonly resetsAt: Instant;
      /** The reset is due, but no answer has confirmed it yet. */
      readonly isOver?: true;
      /** No admin has confirmed the channel: `left` is of the budget that all such channels share. */
      readonly isShared?: true;
    }
  | {
      readonly kind: 'account-spent';
      readonly remaining: number;
      readonly until?: Instant;
      /** It may be a trial, whose credits don't renew. */
      readonly looksLikeTrial?: true;
    }
  /** `error.code` 'not-found' is: there is no such project (or result). */
  | {
      readonly kind: 'failed';
      readonly error: MarketplaceError;
      /** When the marketplace said so, where it was not asked again. */
      readonly askedAt?: Instant;
    };

/** What an answer cost the channel. */
export interface PurchaseCost {
  /** As the answer told. */
  readonly charged: number;
  /** Where the answer does not tell all: what it can have cost, with earlier tries that got lost. */
  readonly atMost?: number;
}

export type LookupOutcome =
  | ({ readonly kind: 'found'; readonly project: LookedUpProject } & PurchaseCost)
  | PurchaseFailure;

export type ResultProjectsOutcome =
  | ({
      readonly kind: 'found';
      readonly projects: readonly ListedProject[];
      readonly unreadable: number;
      readonly paging: Paging;
    } & PurchaseCost)
  | PurchaseFailure;

export type FilterResultsOutcome =
  | { readonly kind: 'found'; readonly page: RecordPage<MonitoringResult> }
  | { readonly kind: 'failed'; readonly error: MarketplaceError };

export interface Buyer {
  readonly channel: ChannelId;
  readonly user: UserId;
}

/** Who waits for a lookup: a person, or nobody (a preview of a link). */
export type LookupLane = 'person' | 'unfurl';

export interface ProjectService {
  /**
   * One project in full; at most one credit on the channel's budget. What was looked up within the last 15 minutes comes from the
   * store, without a request; two people who ask for the same project at once cause one request. What the marketplace did not
   * know is not asked for again for 3 minutes. A person who looks up too many at once is told when to go on (`gate-timeout`).
   * @param lane `person` when absent
   */
  lookUp(buyer: Buyer, project: ProjectReference, lane?: LookupLane): Promise<LookupOutcome>;
  /** Monitoring results of a filter; free. */
  listFilterResults(filter: FilterId, page: number): Promise<FilterResultsOutcome>;
  /** A page of a result's projects; reserves a whole page (10) on the channel's budget, pays what is new. */
  buyResultProjects(buyer: Buyer, result: ResultId, page: number): Promise<ResultProjectsOutcome>;
}
