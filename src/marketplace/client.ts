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
import type { Lane, Permit } from './gate.ts';
import type {
  ApprovedJob,
  BiddingSetup,
  CreatedJob,
  CreditsAnswer,
  Invitation,
  JobStatus,
  ListedProject,
  LookedUpProject,
  MonitoringResult,
  Paging,
  Proposal,
  ProposalTemplate,
  ProposalTemplateInput,
} from './schema.ts';

export interface CallOptions {
  /** Who waits for the answer; decides the order at the gate. */
  readonly lane: Lane;
  /** A place at the gate that the caller holds already; else the call takes its own. */
  readonly permit?: Permit;
  readonly signal?: AbortSignal;
}

/** A page of projects that was paid for. */
export interface ProjectsPage {
  readonly projects: readonly ListedProject[];
  /** Items of the page that could not be read at all (no title or no url). */
  readonly unreadable: number;
  readonly credits: CreditsAnswer;
}

export interface FilterProjectsPage extends ProjectsPage {
  /** The server's own words; each may be missing, since a page must not be lost for them. */
  readonly isLast?: boolean;
  readonly nextCursor?: number;
  readonly latestPublishedTs?: number;
}

/** A page of records that cost nothing. */
export interface Page<T> {
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

export interface ProfileQuery extends PageQuery {
  readonly profile: ProfileId;
  readonly organization?: OrganizationId;
  readonly order?: 'ASC' | 'DESC';
}

/** How a project is named in a lookup: the tilde and digits of its url, or its uid. */
export type ProjectReference = { readonly ciphertext: string } | { readonly uid: string };

export interface JobRequest {
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
export type NamedKind = 'profile' | 'organization' | 'filter';

export interface NamedRecord {
  readonly id: number;
  readonly name?: string;
  readonly type?: string;
}

/**
 * Every call takes one place at the gate per request sent (a retry counts), and throws `MarketplaceError`
 * for anything but a success. What is retried, docs/architecture.md says.
 */
export interface Marketplace {
  /**
   * How many projects a page holds, and may cost, whatever `limit` says: the server refuses the parameter there, so it is
   * left out. undefined: as many as are asked for. A page that asks for fewer is not sent, and ends in `limitRefused`.
   */
  fixedPage(of: { readonly filter: FilterId } | { readonly result: ResultId }): number | undefined;
  /**
   * Projects of a filter, newest first as far as known. Costs up to `limit` credits. Never repeated once it may have been
   * charged: a repeat would charge what was published meanwhile, beyond `limit`. `GET /filters/{id}/projects`
   */
  filterProjects(
    filter: FilterId,
    query: {
      /** 10 to 100; missing: the server's own 20. */
      readonly limit?: number;
      readonly nextCursor?: number;
      readonly latestPublishedTs?: number;
    },
    options: CallOptions,
  ): Promise<FilterProjectsPage>;
  /** Projects of one monitoring result. Costs up to `limit` credits. `GET /results/{id}/projects` */
  resultProjects(
    result: ResultId,
    query: PageQuery,
    options: CallOptions,
  ): Promise<ProjectsPage & { readonly paging: Paging }>;
  /** One project in full. Costs at most one credit. `GET /projects/lookup` */
  lookup(
    project: ProjectReference,
    options: CallOptions,
  ): Promise<{ readonly project: LookedUpProject; readonly credits: CreditsAnswer }>;
  /** Monitoring results of a filter; free. `GET /filters/{id}/results` */
  filterResults(filter: FilterId, query: PageQuery, options: CallOptions): Promise<Page<MonitoringResult>>;
  /** Free. `GET /proposals` */
  proposals(query: ProfileQuery, options: CallOptions): Promise<Page<Proposal>>;
  /** Free. `GET /proposals/{id}` */
  proposal(id: ProposalId, options: CallOptions): Promise<Proposal>;
  /** Free. `GET /proposals/by-uid/{applicationUid}` */
  proposalByUid(applicationUid: string, options: CallOptions): Promise<Proposal>;
  /** Free. `GET /invitations` */
  invitations(query: ProfileQuery, options: CallOptions): Promise<Page<Invitation>>;
  /** `POST /proposal-templates` */
  createTemplate(input: ProposalTemplateInput, options: CallOptions): Promise<ProposalTemplate>;
  /** `GET /proposal-templates/{id}` */
  template(id: TemplateId, options: CallOptions): Promise<ProposalTemplate>;
  /** Read tolerantly, since its shape is not documented. `GET /proposal-senders` */
  proposalSenders(options: CallOptions): Promise<readonly ProposalSender[]>;
  /** `POST /auto-bidding/jobs/create` */
  createJob(
    job: JobRequest,
    options: CallOptions,
  ): Promise<{ readonly message?: string; readonly job: CreatedJob }>;
  /** `POST /auto-bidding/jobs/{id}/approve` */
  approveJob(
    id: JobId,
    options: CallOptions,
  ): Promise<{ readonly message?: string; readonly job: ApprovedJob }>;
  /** `GET /auto-bidding/jobs/{id}/status` */
  jobStatus(id: JobId, options: CallOptions): Promise<JobStatus>;
  /** All setups; filtered by the caller, since the query parameter's name is not documented. `GET /auto-bidding/setups` */
  setups(options: CallOptions): Promise<readonly BiddingSetup[]>;
  /**
   * Everything of a kind that can be recognised; nothing where that is nothing. Free. Known by name only: their paths and
   * shapes are assumed. `GET /profiles`, `GET /organizations`, `GET /filters`
   */
  names(kind: NamedKind, options: CallOptions): Promise<readonly NamedRecord[]>;
  /** Ends connections; calls under way are answered within so long (5 s when absent) or fail with `network`. Counts once. */
  close(withinMs?: number): Promise<void>;
}
