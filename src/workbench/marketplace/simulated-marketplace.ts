/** The simulated marketplace as a test or the sandbox sees it: where it listens, what is in it, what it saw, what goes wrong. */
import type { Clock, Instant, Random } from '../../clock.ts';
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
  SimulatedInvitation,
  SimulatedJob,
  SimulatedOrganization,
  SimulatedProfile,
  SimulatedProject,
  SimulatedProposal,
  SimulatedResult,
  SimulatedSetup,
  SimulatedTemplate,
  SimulatedVerdict,
} from './records.ts';

export type SubscriptionPlan = 'paid' | 'trial' | 'without-api';

export interface MarketplaceOptions {
  readonly clock: Clock;
  /** Where made-up contents come from; seed it for the same contents every time. */
  readonly random: Random;
  /** What `X-API-TOKEN` must be. A made-up one when absent. */
  readonly token?: string;
  /** 30 when absent; the description also states 5. */
  readonly requestsPerMinute?: number;
  /** `paid` when absent. A trial has 50 credits for its one period and is inactive after it. */
  readonly plan?: SubscriptionPlan;
  /** Credits a billing period begins with: 10,000, or 50 on a trial, when absent. */
  readonly creditsPerPeriod?: number;
  /** 30 days when absent. The first period begins when the simulator starts. */
  readonly periodMs?: number;
  /** The port to listen on; any free one when absent. */
  readonly port?: number;
}

/** Everything of a project can be given; the rest is made up. */
export type ProjectSeed = Partial<Omit<SimulatedProject, 'id' | 'budget' | 'client'>> & {
  readonly budget?: Partial<SimulatedBudget>;
  readonly client?: Partial<SimulatedClient>;
};

/** A project that was published. `ciphertext` and `uid` name it in lookups; `url` is what lists show. */
export type PublishedProject = SimulatedProject & { readonly filterIds: readonly number[] };

/** One request as it came. The token is not kept. */
export interface LoggedRequest {
  readonly at: Instant;
  readonly method: string;
  /** Below `/v1`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined without a body or when it is none. */
  readonly body: unknown;
  /** What was or would have been answered; undefined while undecided and for a connection dropped before. */
  readonly status: number | undefined;
  /** Whether the whole answer was handed to the connection. */
  readonly answered: boolean;
  /** Whether the connection was broken before that, on purpose or by whoever asked. */
  readonly lost: boolean;
}

export interface ConsumedCredits {
  /** Charged for projects over all periods; without what was spent outside. */
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
  /** The mean of exponential pauses (a Poisson stream). */
  readonly meanSecondsBetween: number;
  /** Share of arrivals that are a burst of 3 to 8 projects in the same second. 0.05 when absent. */
  readonly burstShare?: number;
  /** Share of projects that further filters of the list find too. 0.25 when absent. */
  readonly overlapShare?: number;
  /** Filters with a qualifier get their verdict after this long, on the mean. 90 when absent. */
  readonly meanSecondsToVerdict?: number;
  /** Whether scheduled jobs run when they are due and become proposals. False when absent. */
  readonly runsJobs?: boolean;
}

/** A stream of new projects, under way until stopped. */
export interface StoppableStream {
  stop(): void;
}

export interface MarketplaceSeeding {
  addFilter(seed?: Partial<Omit<SimulatedFilter, 'projectIds'>>): SimulatedFilter;
  /** A new project in each of these filters. Published now unless the seed says otherwise. */
  publishProject(filterIds: number | readonly number[], project?: ProjectSeed): PublishedProject;
  /** Puts a project that exists into further filters. */
  addToFilters(projectId: number, filterIds: number | readonly number[]): void;
  /** A verdict, decided now unless it says when, on every filter with a qualifier that found the project, or on the ones given. */
  setVerdict(
    projectId: number,
    verdict: 'qualified' | 'disqualified' | 'pending' | Partial<SimulatedVerdict>,
    filterIds?: readonly number[],
  ): void;
  /** A monitoring result with the given projects, or with all that its filter holds. */
  addResult(seed: Partial<SimulatedResult> & { readonly filterId: number }): SimulatedResult;
  addProfile(seed?: Partial<SimulatedProfile>): SimulatedProfile;
  /** Also a proposal sender. */
  addOrganization(seed?: Partial<SimulatedOrganization>): SimulatedOrganization;
  addProposal(seed: Partial<SimulatedProposal> & { readonly profileId: number }): SimulatedProposal;
  updateProposal(id: number, change: Partial<Omit<SimulatedProposal, 'id'>>): SimulatedProposal;
  addInvitation(seed: Partial<SimulatedInvitation> & { readonly profileId: number }): SimulatedInvitation;
  updateInvitation(id: number, change: Partial<Omit<SimulatedInvitation, 'id'>>): SimulatedInvitation;
  addSetup(seed?: Partial<SimulatedSetup>): SimulatedSetup;
  updateSetup(id: number, change: Partial<Omit<SimulatedSetup, 'id'>>): SimulatedSetup;
  addTemplate(seed?: Partial<SimulatedTemplate>): SimulatedTemplate;
  /** A job as if the service had made it itself. */
  addJob(seed: Partial<SimulatedJob> & { readonly projectId: number }): SimulatedJob;
  /** Moves a job, for example `{ status: 'completed', applicationUid }`; the time of processing is now unless given. */
  updateJob(id: number, change: Partial<Omit<SimulatedJob, 'id'>>): SimulatedJob;
  /** The job is carried out now: it becomes a proposal with what was bid, of the first profile where the sender is not known. */
  turnJobIntoProposal(id: number): SimulatedProposal;
  /** Projects that keep arriving, until stopped. */
  startArrivals(plan: ProjectArrivalPlan): StoppableStream;
}

export interface AccountControls {
  setRequestsPerMinute(limit: number): void;
  requestsPerMinute(): number;
  /** What a billing period begins with. */
  creditsPerPeriod(): number;
  /** Sets what is left in this period. */
  setCredits(remaining: number): void;
  /** @throws RangeError on a trial, whose ceiling is fixed. */
  topUpCredits(credits: number): void;
  /** Credits that somebody else of the team spends. */
  spendCreditsElsewhere(credits: number): void;
  creditsRemaining(): number;
  creditsResetAt(): Instant;
  /** An inactive subscription answers 402 to everything. */
  setInactive(inactive: boolean): void;
  /** `without-api` answers 403 to everything. */
  setPlan(plan: SubscriptionPlan): void;
}

export interface MarketplaceInspection {
  /** Every request that reached the server, refused ones included, in order. */
  requests(): readonly LoggedRequest[];
  /** The most requests that came in any 60 s, refused ones included. */
  maxRequestsInAnyMinute(): number;
  consumedCredits(): ConsumedCredits;
  /** Every charge, in order; a project stands once a period. */
  chargedProjects(): readonly ChargedProject[];
  jobs(): readonly SimulatedJob[];
  templates(): readonly SimulatedTemplate[];
  proposals(): readonly SimulatedProposal[];
  projects(): readonly PublishedProject[];
  filters(): readonly SimulatedFilter[];
}

export interface MarketplaceFaultControls {
  /** Orders a fault for the next `times` (1 when absent) requests that match; earlier orders come first. */
  injectFault(matcher: FaultMatcher, effect: MarketplaceFaultEffect, times?: number): MarketplaceFaultHandle;
  setModes(modes: Partial<MarketplaceModes>): void;
  /** Takes back all faults and modes, and lets everything go that is held. */
  clearFaults(): void;
  /** Resets every open connection. */
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
  /** As started: nothing in it, a new billing period, no faults. The address stays. */
  reset(): void;
  close(): Promise<void>;
}
