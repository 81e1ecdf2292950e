/** The simulated marketplace's interface: address, contents, request log, faults. */
import type { Clock, Instant, RandomSource } from '../../clock.ts';
import type {
  FaultMatcher,
  MarketplaceFaultEffect,
  MarketplaceFaultHandle,
  MarketplaceModes,
} from './faults.ts';
import type {
  SimulatedBudget,
  SimulatedClient,
  SimulatedFilter,
  SimulatedFilterResult,
  SimulatedInvitation,
  SimulatedJob,
  SimulatedOrganization,
  SimulatedProfile,
  SimulatedProject,
  SimulatedProposal,
  SimulatedSetup,
  SimulatedTemplate,
  SimulatedVerdict,
} from './records.ts';

export type MarketplaceSubscriptionPlan = 'paid' | 'trial' | 'without-api';

export interface MarketplaceOptions {
  readonly clock: Clock;
  /** Source of made-up contents; seed it for repeatable contents. */
  readonly random: RandomSource;
  /** The expected `X-API-TOKEN`; made up when absent. */
  readonly token?: string;
  /** 30 when absent; the documentation also states 5. */
  readonly requestsPerMinute?: number;
  /** `paid` when absent. A trial has 50 credits for its only period and is inactive after it. */
  readonly plan?: MarketplaceSubscriptionPlan;
  /** Credits at the start of a billing period. 10,000 when absent, or 50 on a trial. */
  readonly creditsPerPeriod?: number;
  /** 30 days when absent. The first period begins when the simulator starts. */
  readonly periodMs?: number;
  /** The port to listen on; any free one when absent. */
  readonly port?: number;
}

/** Every field of a project is optional; the rest is made up. */
export type ProjectSeed = Partial<Omit<SimulatedProject, 'id' | 'budget' | 'client'>> & {
  readonly budget?: Partial<SimulatedBudget>;
  readonly client?: Partial<SimulatedClient>;
};

/** A published project. Lookups find it by `ciphertext` and `uid`; lists show `url`. */
export type ProjectWithFilterIds = SimulatedProject & { readonly filterIds: readonly number[] };

/** One request as received, without the token. */
export interface LoggedRequest {
  readonly at: Instant;
  readonly method: string;
  /** Below `/v1`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined if there is no body or it is invalid. */
  readonly body: unknown;
  /** The response's status, even if never sent. Undefined while undecided or if dropped `before`. */
  readonly status: number | undefined;
  /** Whether the connection accepted the whole response. */
  readonly answered: boolean;
  /** Whether the connection broke before that, by a fault or by the client. */
  readonly lost: boolean;
}

export interface ConsumedCredits {
  /** Credits charged for projects in all periods, without those spent elsewhere. */
  readonly total: number;
  /** Oldest first. */
  readonly periods: readonly {
    readonly startsAt: Instant;
    readonly resetsAt: Instant;
    readonly charged: number;
    readonly spentOutside: number;
  }[];
}

export interface ChargedProject {
  readonly projectId: number;
  readonly at: Instant;
  /** Below `/v1`. */
  readonly path: string;
}

export interface ProjectArrivalPlan {
  readonly filterIds: readonly number[];
  /** The mean of the exponential pauses (a Poisson stream). */
  readonly meanSecondsBetween: number;
  /** Share of arrivals that are a burst of 3 to 8 projects in the same second. 0.05 when absent. */
  readonly burstShare?: number;
  /** Share of projects that other filters of the list also find. 0.25 when absent. */
  readonly overlapShare?: number;
  /** Mean time until filters with a qualifier get their verdict. 90 when absent. */
  readonly meanSecondsToVerdict?: number;
  /** Whether scheduled jobs run when due and become proposals. False when absent. */
  readonly runsJobs?: boolean;
}

export interface StoppableStream {
  stop(): void;
}

export interface MarketplaceSeeding {
  addFilter(seed?: Partial<Omit<SimulatedFilter, 'projectIds'>>): SimulatedFilter;
  /** Adds a new project to each of these filters, published now by default. */
  publishProject(filterIds: number | readonly number[], project?: ProjectSeed): ProjectWithFilterIds;
  /** Adds an existing project to more filters. */
  addToFilters(projectId: number, filterIds: number | readonly number[]): void;
  /**
   * Sets a verdict, decided now by default, on the given filters. Without them, on every filter with a
   * qualifier that found the project.
   */
  setVerdict(
    projectId: number,
    verdict: 'qualified' | 'disqualified' | 'pending' | Partial<SimulatedVerdict>,
    filterIds?: readonly number[],
  ): void;
  /** A monitoring result with the given projects, by default all of its filter. */
  addResult(seed: Partial<SimulatedFilterResult> & { readonly filterId: number }): SimulatedFilterResult;
  addProfile(seed?: Partial<SimulatedProfile>): SimulatedProfile;
  /** The organization is also a proposal sender. */
  addOrganization(seed?: Partial<SimulatedOrganization>): SimulatedOrganization;
  addProposal(seed: Partial<SimulatedProposal> & { readonly profileId: number }): SimulatedProposal;
  updateProposal(id: number, change: Partial<Omit<SimulatedProposal, 'id'>>): SimulatedProposal;
  addInvitation(seed: Partial<SimulatedInvitation> & { readonly profileId: number }): SimulatedInvitation;
  updateInvitation(id: number, change: Partial<Omit<SimulatedInvitation, 'id'>>): SimulatedInvitation;
  addSetup(seed?: Partial<SimulatedSetup>): SimulatedSetup;
  updateSetup(id: number, change: Partial<Omit<SimulatedSetup, 'id'>>): SimulatedSetup;
  addTemplate(seed?: Partial<SimulatedTemplate>): SimulatedTemplate;
  /** A job that the service made itself. */
  addJob(seed: Partial<SimulatedJob> & { readonly projectId: number }): SimulatedJob;
  /** Changes a job, for example `{ status: 'completed', applicationUid }`, processed now by default. */
  updateJob(id: number, change: Partial<Omit<SimulatedJob, 'id'>>): SimulatedJob;
  /**
   * Runs the job now: it becomes a proposal with the bid's values, of the first profile if the sender is
   * unknown.
   */
  turnJobIntoProposal(id: number): SimulatedProposal;
  /** Publishes projects until stopped. */
  startArrivals(plan: ProjectArrivalPlan): StoppableStream;
}

export interface AccountControls {
  setRequestsPerMinute(limit: number): void;
  requestsPerMinute(): number;
  /** Credits at the start of a billing period. */
  creditsPerPeriod(): number;
  /** Sets the remaining credits of this period. */
  setCredits(remaining: number): void;
  /** @throws RangeError on a trial, which can't add credits. */
  topUpCredits(credits: number): void;
  /** Spends credits as another member of the team would. */
  spendCreditsElsewhere(credits: number): void;
  creditsRemaining(): number;
  creditsResetAt(): Instant;
  /** An inactive subscription returns 402 for everything. */
  setInactive(inactive: boolean): void;
  /** `without-api` returns 403 for everything. */
  setPlan(plan: MarketplaceSubscriptionPlan): void;
}

export interface MarketplaceInspection {
  /** Every request that reached the server, including refused ones, in order. */
  requests(): readonly LoggedRequest[];
  /** The most requests in any 60 s, including refused ones. */
  maxRequestsInAnyMinute(): number;
  consumedCredits(): ConsumedCredits;
  /** Every charge, in order; a project appears once per period. */
  chargedProjects(): readonly ChargedProject[];
  jobs(): readonly SimulatedJob[];
  templates(): readonly SimulatedTemplate[];
  proposals(): readonly SimulatedProposal[];
  projects(): readonly ProjectWithFilterIds[];
  filters(): readonly SimulatedFilter[];
}

export interface MarketplaceFaultControls {
  /** Injects a fault for the next `times` (1 when absent) matching requests; older faults apply first. */
  injectFault(matcher: FaultMatcher, effect: MarketplaceFaultEffect, times?: number): MarketplaceFaultHandle;
  setModes(modes: Partial<MarketplaceModes>): void;
  /** Removes all faults and modes, and sends held responses. */
  clearFaults(): void;
  dropConnections(): void;
}

export interface SimulatedMarketplace
  extends MarketplaceSeeding,
    AccountControls,
    MarketplaceInspection,
    MarketplaceFaultControls {
  /** `http://127.0.0.1:<port>/v1`. */
  readonly baseUrl: string;
  readonly token: string;
  /** Restores the start: no contents, a new billing period, no faults. The address stays. */
  reset(): void;
  close(): Promise<void>;
}
