/**
 * The marketplace client's contract: typed calls and typed responses, no HTTP.
 * Source of every shape and rule: docs/marketplace-api.md.
 */
import type {
  FilterId,
  JobId,
  MonitoringResultId,
  OrganizationId,
  ProfileId,
  ProposalId,
  SetupId,
  TemplateId,
} from '../ids.ts';
import type { Lane, RequestPermit } from './gate/gate.ts';
import type { ProjectReference } from './project-key.ts';
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

export type { ProjectReference };

export interface MarketplaceCallOptions {
  /** Who waits for the response; decides the order at the gate. */
  readonly lane: Lane;
  /** A permit that the caller already has. Without one, the call acquires its own. */
  readonly permit?: RequestPermit;
  readonly signal?: AbortSignal;
}

export interface ProjectsPage {
  readonly projects: readonly ListedProject[];
  /** Items of the page that can't be read (no title or no url). */
  readonly unreadable: number;
  readonly credits: ResponseCredits;
}

export interface FilterProjectsPage extends ProjectsPage {
  /** The server's own values. Each may be missing, because a paid page must not be lost over them. */
  readonly isLast?: boolean;
  readonly nextCursor?: number;
  readonly latestPublishedTs?: number;
}

/** A page of free records. */
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

/** A proposal sender. Its fields aren't documented, so it has only what Gigdesk recognizes. */
export interface ProposalSender {
  readonly organizationId: OrganizationId;
  readonly name?: string;
  readonly type?: string;
  readonly contractors: readonly { readonly uid: string; readonly name?: string }[];
}

export type NamedEntityKind = 'profile' | 'organization' | 'filter';

export interface NamedEntity {
  readonly id: number;
  readonly name?: string;
  readonly type?: string;
}

/**
 * Every sent request, retries included, takes one slot at the gate. Every call throws `MarketplaceError` for
 * anything but a success. docs/architecture.md lists what is retried.
 */
export interface MarketplaceClient {
  /**
   * The most items that a page returns, and may cost, whatever `limit` says, because the server refuses the
   * parameter. Undefined when the server accepts `limit`. A paid page with a smaller `limit` isn't sent and
   * fails with `limitRefused`.
   */
  fixedPageSize(
    of: { readonly filter: FilterId } | { readonly result: MonitoringResultId },
  ): number | undefined;
  /**
   * Projects of a filter, newest first as far as known. Costs up to `limit` credits. Never retried once it
   * may have been charged: a retry would also charge projects published meanwhile, beyond `limit`. `GET
   * /filters/{id}/projects`
   */
  fetchFilterProjects(
    filter: FilterId,
    query: {
      /** 10 to 100. When missing, the server uses 20. */
      readonly limit?: number;
      readonly nextCursor?: number;
      readonly latestPublishedTs?: number;
    },
    options: MarketplaceCallOptions,
  ): Promise<FilterProjectsPage>;
  /** Projects of one monitoring result. Costs up to `limit` credits. `GET /results/{id}/projects` */
  fetchResultProjects(
    result: MonitoringResultId,
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
  /** Parsed tolerantly, since its shape isn't documented. `GET /proposal-senders` */
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
  /** All setups: the query parameter's name isn't documented. `GET /auto-bidding/setups` */
  fetchBiddingSetups(options: MarketplaceCallOptions): Promise<readonly BiddingSetup[]>;
  /**
   * Every recognizable entity of a kind; empty when there is none. Free. The docs give only names, so paths
   * and shapes are assumed. `GET /profiles`, `GET /organizations`, `GET /filters`
   */
  fetchNamedEntities(kind: NamedEntityKind, options: MarketplaceCallOptions): Promise<readonly NamedEntity[]>;
  /**
   * Closes the connections. Calls in flight get `withinMs` (default 5 s) to finish, or fail with `network`.
   * Only the first call counts.
   */
  close(withinMs?: number): Promise<void>;
}
