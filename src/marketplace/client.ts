/**
 * What the rest of Gigdesk sees of the marketplace: typed calls and typed answers, no HTTP.
 * Source of every shape and rule: docs/marketplace-api.md.
 */
import type {
  FilterId,
  JobId,
  OrganizationId,
  ProfileId,
  ProposalId,
  ResultId,
  SetupId,
  TemplateId,
} from '../ids.ts';
import type { Lane, RequestPermit } from './gate.ts';
import type {
  ApprovedJob,
  BiddingSetup,
  CreatedJob,
  Invitation,
  JobStatusReport,
  ListedProject,
  LookedUpProject,
  MonitoringResult,
  Paging,
  Proposal,
  ProposalTemplate,
  ProposalTemplateInput,
  ResponseCredits,
} from './schema.ts';

export interface MarketplaceCallOptions {
  /** Who waits for the answer; decides the order at the gate. */
  readonly lane: Lane;
  /** A place at the gate that the caller holds already; else the call takes its own. */
  readonly permit?: RequestPermit;
  readonly signal?: AbortSignal;
}

/** A page of projects that was paid for. */
export interface ProjectsPage {
  readonly projects: readonly ListedProject[];
  /** Items of the page that could not be read at all (no title or no url). */
  readonly unreadable: number;
  readonly credits: ResponseCredits;
}

export interface FilterProjectsPage extends ProjectsPage {
  /** The server's own words; each may be missing, since a page must not be lost for them. */
  readonly isLast?: boolean;
  readonly nextCursor?: number;
  readonly latestPublishedTs?: number;
}

/** A page of records that cost nothing. */
export interface RecordPage<T> {
  readonly items: readonly T[];
  readonly unreadable: number;
  readonly paging: Paging;
}

export interface PageQuery {
  /** From 1. */
  readonly page?: number;
  /** 10 to 100. */
  readonly limit?: number;
}

export interface ProfileRecordsQuery extends PageQuery {
  readonly profile: ProfileId;
  readonly organization?: OrganizationId;
  readonly order?: 'ASC' | 'DESC';
}

/** How a project is named in a lookup: the tilde and digits of its url, or its uid. */
export type ProjectReference = { readonly ciphertext: string } | { readonly uid: string };

export interface CreateJobRequest {
  readonly setup: SetupId;
  /** Usually begins with a tilde. */
  readonly marketplaceJobId: string;
  readonly projectId?: number;
  /** ISO 8601, in the future; wins over `scheduledInMinutes`. */
  readonly scheduledAt?: string;
  /** 15 to 60. */
  readonly scheduledInMinutes?: number;
  readonly coverLetter?: string;
  readonly answers?: readonly { readonly question: string; readonly answer: string }[];
  /** 5 to 1,000,000. */
  readonly bidAmount?: number;
  /** Connects. */
  readonly boostConnects?: number;
}

/** A proposal sender; its fields are not documented, so only what could be recognised is named. */
export interface ProposalSender {
  readonly organizationId: OrganizationId;
  readonly name?: string;
  readonly type?: string;
  readonly contractors: readonly { readonly uid: string; readonly name?: string }[];
}

/** What the marketplace lists by name. */
export type NamedEntityKind = 'profile' | 'organization' | 'filter';

export interface NamedEntity {
  readonly id: number;
  readonly name?: string;
  readonly type?: string;
}

/**
 * Every call takes one place at the gate per request sent (a retry counts), and throws `MarketplaceError`
 * for anything but a success. What is retried, docs/architecture.md says.
 */
export interface MarketplaceClient {
  /**
   * How many projects a page holds, and may cost, whatever `limit` says: the server refuses the parameter there, so it is
   * left out. undefined: as many as are asked for. A page that asks for fewer is not sent, and ends in `limitRefused`.
   */
  fixedPageSize(of: { readonly filter: FilterId } | { readonly result: ResultId }): number | undefined;
  /**
   * Projects of a filter, newest first as far as known. Costs up to `limit` credits. Never repeated once it may have been
   * charged: a repeat would charge what was published meanwhile, beyond `limit`. `GET /filters/{id}/projects`
   */
  fetchFilterProjects(
    filter: FilterId,
    query: {
      /** 10 to 100; missing: the server's own 20. */
      readonly limit?: number;
      readonly nextCursor?: number;
      readonly latestPublishedTs?: number;
    },
    options: MarketplaceCallOptions,
  ): Promise<FilterProjectsPage>;
  /** Projects of one monitoring result. Costs up to `limit` credits. `GET /results/{id}/projects` */
  fetchResultProjects(
    result: ResultId,
    query: PageQuery,
    options: MarketplaceCallOptions,
  ): Promise<ProjectsPage & { readonly paging: Paging }>;
  /** One project in full. Costs at most one credit. `GET /projects/lookup` */
  lookUpProject(
    project: ProjectReference,
    options: MarketplaceCallOptions,
  ): Promise<{ readonly project: LookedUpProject; readonly credits: ResponseCredits }>;
  /** Monitoring results of a filter; free. `GET /filters/{id}/results` */
  fetchFilterResults(
    filter: FilterId,
    query: PageQuery,
    options: MarketplaceCallOptions,
  ): Promise<RecordPage<MonitoringResult>>;
  /** Free. `GET /proposals` */
  fetchProposals(query: ProfileRecordsQuery, options: MarketplaceCallOptions): Promise<RecordPage<Proposal>>;
  /** Free. `GET /proposals/{id}` */
  fetchProposal(id: ProposalId, options: MarketplaceCallOptions): Promise<Proposal>;
  /** Free. `GET /proposals/by-uid/{applicationUid}` */
  fetchProposalByUid(applicationUid: string, options: MarketplaceCallOptions): Promise<Proposal>;
  /** Free. `GET /invitations` */
  fetchInvitations(
    query: ProfileRecordsQuery,
    options: MarketplaceCallOptions,
  ): Promise<RecordPage<Invitation>>;
  /** `POST /proposal-templates` */
  createProposalTemplate(
    input: ProposalTemplateInput,
    options: MarketplaceCallOptions,
  ): Promise<ProposalTemplate>;
  /** `GET /proposal-templates/{id}` */
  fetchProposalTemplate(id: TemplateId, options: MarketplaceCallOptions): Promise<ProposalTemplate>;
  /** Read tolerantly, since its shape is not documented. `GET /proposal-senders` */
  fetchProposalSenders(options: MarketplaceCallOptions): Promise<readonly ProposalSender[]>;
  /** `POST /auto-bidding/jobs/create` */
  createJob(
    job: CreateJobRequest,
    options: MarketplaceCallOptions,
  ): Promise<{ readonly message?: string; readonly job: CreatedJob }>;
  /** `POST /auto-bidding/jobs/{id}/approve` */
  approveJob(
    id: JobId,
    options: MarketplaceCallOptions,
  ): Promise<{ readonly message?: string; readonly job: ApprovedJob }>;
  /** `GET /auto-bidding/jobs/{id}/status` */
  fetchJobStatus(id: JobId, options: MarketplaceCallOptions): Promise<JobStatusReport>;
  /** All setups; filtered by the caller, since the query parameter's name is not documented. `GET /auto-bidding/setups` */
  fetchBiddingSetups(options: MarketplaceCallOptions): Promise<readonly BiddingSetup[]>;
  /**
   * Everything of a kind that can be recognised; nothing where that is nothing. Free. Known by name only: their paths and
   * shapes are assumed. `GET /profiles`, `GET /organizations`, `GET /filters`
   */
  fetchNamedEntities(kind: NamedEntityKind, options: MarketplaceCallOptions): Promise<readonly NamedEntity[]>;
  /** Ends connections; calls under way are answered within so long (5 s when absent) or fail with `network`. Counts once. */
  close(withinMs?: number): Promise<void>;
}
