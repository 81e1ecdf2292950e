/** The contract of buying projects for a person: one in full, or those of a monitoring result. */
import type { Clock, Instant, RandomSource } from '../clock.ts';
import type { CreditsService } from '../credits/credits.ts';
import type { ChannelId, FilterId, MonitoringResultId, ProjectKey, TeamId, UserId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient, ProjectReference, RecordPage } from '../marketplace/client.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';
import type { RequestGate } from '../marketplace/gate/gate.ts';
import type { ListedProject, LookedUpProject, MonitoringResult, Paging } from '../marketplace/schema.ts';
import type { Store, Transaction } from '../storage/store.ts';

export type PurchaseFailure =
  | {
      readonly kind: 'no-budget';
      readonly left: number;
      /**
       * Credits reserved for requests in flight or without an answer; free again at the reset at the latest.
       */
      readonly held?: number;
      readonly needs: number;
      readonly resetsAt: Instant;
      /** The reset is due, but no answer has confirmed it yet. */
      readonly isOver?: true;
      /** No admin has confirmed the channel: `left` is from the budget that all such channels share. */
      readonly isShared?: true;
    }
  | {
      readonly kind: 'account-spent';
      readonly remaining: number;
      readonly until?: Instant;
      /** It may be a trial, whose credits don't renew. */
      readonly looksLikeTrial?: true;
    }
  /** `error.code` 'not-found' means that there is no such project (or result). */
  | {
      readonly kind: 'failed';
      readonly error: MarketplaceError;
      /** The time of that answer, if no new request was sent. */
      readonly askedAt?: Instant;
    };

export interface PurchaseCost {
  readonly charged: number;
  /** If the answer is incomplete: the maximum possible cost, including earlier lost tries. */
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

/** Who waits for a lookup: a person, or nobody (a link preview). */
export type LookupLane = 'person' | 'unfurl';

export interface ProjectService {
  /**
   * Looks up one project in full, for at most one credit of the channel's budget. A lookup from the last 15
   * minutes comes from the store without a request, and simultaneous lookups of one project share a request.
   * An unknown project isn't requested again for 3 minutes. A person with too many lookups at once learns
   * when to continue (`gate-timeout`).
   * @param lane `person` when absent
   */
  lookUp(buyer: Buyer, project: ProjectReference, lane?: LookupLane): Promise<LookupOutcome>;
  /** Monitoring results of a filter; free. */
  listFilterResults(filter: FilterId, page: number): Promise<FilterResultsOutcome>;
  /**
   * A page of a result's projects. Reserves a whole page (10) of the channel's budget and pays for new ones.
   */
  buyResultProjects(buyer: Buyer, result: MonitoringResultId, page: number): Promise<ResultProjectsOutcome>;
}

export interface ProjectsContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly credits: CreditsService;
  readonly marketplace: MarketplaceClient;
  readonly gate: Pick<RequestGate, 'status'>;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Log;
  /** A uid turned out to be this project's: both names mean one project from now on. */
  readonly onLinked?: (tx: Transaction, project: ProjectKey) => Promise<void>;
}
