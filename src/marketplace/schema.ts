/**
 * Domain shapes of the marketplace's responses: camelCase, times as instants, only the fields that Gigdesk
 * uses. The `wire-*.ts` files parse responses into these. Projects need only a title and url; everything else
 * may be missing.
 */
import { z } from 'zod';
import {
  FilterId,
  JobId,
  MonitoringResultId,
  OrganizationId,
  ProfileId,
  ProjectKey,
  ProposalId,
  SetupId,
  TemplateId,
} from '../ids.ts';

const instant = z.number();

export const ResponseCredits = z.object({
  remaining: z.number().int(),
  /** When the billing period ends; missing if unreadable. */
  resetsAt: instant.optional(),
  /** Charged by this response. */
  consumed: z.number().int().nonnegative(),
  /**
   * The unreadable number, which is a guess and not the server's value. For `consumed` it is the possible
   * maximum.
   */
  assumed: z.enum(['remaining', 'consumed', 'both']).optional(),
  /**
   * An earlier try of the same request got no response. It may have been charged too, and `consumed` doesn't
   * include it.
   */
  repeated: z.literal(true).optional(),
});
export type ResponseCredits = z.infer<typeof ResponseCredits>;

export const Paging = z.object({
  total: z.number().optional(),
  page: z.number().optional(),
  limit: z.number().optional(),
  pages: z.number().optional(),
});
export type Paging = z.infer<typeof Paging>;

/** An AI qualifier's verdict. Fields beyond reason and time aren't documented and are kept unchanged. */
export const Verdict = z.object({
  /** The decision in the server's words, if a field with a likely name has one. */
  decision: z.string().optional(),
  reason: z.string().optional(),
  decidedAt: instant.optional(),
  /** In the server's own, undocumented scale. */
  score: z.number().optional(),
  other: z.record(z.string(), z.unknown()),
});
export type Verdict = z.infer<typeof Verdict>;

export const ProjectBudget = z.object({
  /** The server's label, for example `Fixed` or `Hourly`. */
  type: z.string().optional(),
  amount: z.string().optional(),
});

export const ProjectClient = z.object({
  verified: z.boolean().optional(),
  country: z.string().optional(),
  /** US dollars. */
  totalSpent: z.number().optional(),
  /** The server's own label where present (lookup), for example `$12K`. */
  totalSpentLabel: z.string().optional(),
  totalHires: z.number().optional(),
  /** 0 to 1. */
  hireRate: z.number().optional(),
  /** 0 to 5. */
  rating: z.number().optional(),
  reviews: z.number().optional(),
});
export type ProjectClient = z.infer<typeof ProjectClient>;

const projectBase = {
  key: ProjectKey,
  title: z.string(),
  url: z.string(),
  description: z.string(),
  skills: z.array(z.string()),
  categories: z.array(z.string()),
  questions: z.array(z.string()),
  publishedAt: instant.optional(),
  site: z.string().optional(),
  budget: ProjectBudget.optional(),
  client: ProjectClient,
};

export const ListedProject = z.object({ ...projectBase, verdict: Verdict.optional() });
export type ListedProject = z.infer<typeof ListedProject>;

export const WorkHistoryEntry = z.object({
  title: z.string().optional(),
  type: z.string().optional(),
  status: z.string().optional(),
  startDate: z.string().optional(),
  endDate: z.string().optional(),
  totalCharge: z.number().optional(),
  totalHours: z.number().optional(),
  /** US dollars an hour. */
  rate: z.number().optional(),
  contractor: z.string().optional(),
  /** The client's rating of the contractor. */
  score: z.number().optional(),
  comment: z.string().optional(),
  /** The contractor's rating of the client. */
  scoreOfClient: z.number().optional(),
  commentOnClient: z.string().optional(),
});
export type WorkHistoryEntry = z.infer<typeof WorkHistoryEntry>;

export const LookedUpProject = z.object({
  ...projectBase,
  duration: z.string().optional(),
  engagement: z.string().optional(),
  experienceLevel: z.string().optional(),
  jobType: z.string().optional(),
  usOnly: z.boolean().optional(),
  ukOnly: z.boolean().optional(),
  attachments: z.number().optional(),
  connectsPrice: z.number().optional(),
  featured: z.boolean().optional(),
  enterpriseClient: z.boolean().optional(),
  budgetRaw: z
    .object({
      type: z.string().optional(),
      fixedAmount: z.number().optional(),
      hourlyMin: z.number().optional(),
      hourlyMax: z.number().optional(),
    })
    .optional(),
  preferred: z
    .object({
      minJobSuccessScore: z.number().optional(),
      talentType: z.string().optional(),
      risingTalent: z.string().optional(),
      english: z.string().optional(),
      locations: z.array(z.string()),
      languages: z.array(z.string()),
    })
    .optional(),
  clientMore: z.object({
    city: z.string().optional(),
    localTime: z.string().optional(),
    timezone: z.string().optional(),
    industry: z.string().optional(),
    companySize: z.string().optional(),
    phoneVerified: z.boolean().optional(),
    registeredAt: instant.optional(),
    jobsPosted: z.number().optional(),
    jobsActive: z.number().optional(),
    jobsOpen: z.number().optional(),
    avgHourlyRatePaid: z.number().optional(),
    totalHoursPaid: z.number().optional(),
    /** The service's own rank of the client, in an undocumented scale. */
    rankLevel: z.number().optional(),
    /** Why the rank isn't higher: review counts, and the rank that they cap it at. */
    rankDowngrade: z
      .object({
        lowReviews: z.number().optional(),
        scoredReviews: z.number().optional(),
        recentLowReviews: z.number().optional(),
        cappedAt: z.number().optional(),
      })
      .optional(),
  }),
  workHistory: z.array(WorkHistoryEntry),
});
export type LookedUpProject = z.infer<typeof LookedUpProject>;

export const MonitoringResult = z.object({
  id: MonitoringResultId,
  createdAt: instant.optional(),
  totalProjects: z.number().optional(),
});
export type MonitoringResult = z.infer<typeof MonitoringResult>;

const named = z.object({ id: z.number(), name: z.string().optional() });
const labelled = <T extends z.ZodType>(id: T) =>
  z.object({ id, label: z.string().optional(), type: z.string().optional() });

export const Proposal = z.object({
  id: ProposalId,
  applicationUid: z.string().optional(),
  submittedAt: instant.optional(),
  coverLetter: z.string(),
  answers: z.array(z.object({ question: z.string(), answer: z.string() })),
  jobTitle: z.string().optional(),
  jobPostedAt: instant.optional(),
  freelancer: named.optional(),
  businessManager: named.optional(),
  profile: labelled(ProfileId).optional(),
  organization: labelled(OrganizationId).optional(),
  connects: z.number().optional(),
  boost: z.number().optional(),
  terms: z.object({
    fixedPrice: z.number().optional(),
    hourlyRate: z.number().optional(),
    increasePercent: z.number().optional(),
    increaseFrequency: z.number().optional(),
  }),
  viewed: z.boolean(),
  interviewed: z.boolean(),
  hired: z.boolean(),
  withdrawn: z.boolean(),
  fromInvitation: z.boolean(),
  archived: z.boolean(),
  occupationUid: z.string().optional(),
  occupation: z.string().optional(),
  position: z.number().optional(),
  boostOutbid: z.boolean(),
  variant: z.string().optional(),
  template: named.optional(),
});
export type Proposal = z.infer<typeof Proposal>;
export type ProposalTexts = Pick<Proposal, 'coverLetter' | 'answers'>;
export type ProposalWithoutTexts = Omit<Proposal, keyof ProposalTexts>;

export const Invitation = z.object({
  uid: z.string(),
  title: z.string(),
  jobPostingUid: z.string().optional(),
  letter: z.string(),
  clientUid: z.string().optional(),
  profile: labelled(ProfileId).optional(),
  organization: labelled(OrganizationId).optional(),
  contractor: named.optional(),
  contractorUid: z.string().optional(),
  invitedAt: instant.optional(),
  createdAt: instant.optional(),
  updatedAt: instant.optional(),
  status: z.string().optional(),
});
export type Invitation = z.infer<typeof Invitation>;

export const BiddingSetup = z.object({
  id: SetupId,
  name: z.string(),
  /** `inactive`, `active`, `draft` or `paused` as documented; kept as received. */
  status: z.string(),
  filter: z.object({ id: FilterId, name: z.string().optional() }).optional(),
  template: z.object({ id: TemplateId, name: z.string().optional() }).optional(),
  schedule: z.string().optional(),
  scheduleLabel: z.string().optional(),
  timezone: z.string().optional(),
  delayMinutes: z.number().optional(),
  dailyLimit: z.number().optional(),
  totalSent: z.number().optional(),
  sentToday: z.number().optional(),
  lastRunAt: z.string().optional(),
  lastProposalDate: z.string().optional(),
  businessManagerId: z.string().optional(),
  subscriptionId: z.number().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
});
export type BiddingSetup = z.infer<typeof BiddingSetup>;

const jobBase = {
  id: JobId,
  marketplaceJobId: z.string().optional(),
  status: z.string(),
  statusTitle: z.string().optional(),
  /** As the server wrote it. */
  scheduledAt: z.string().optional(),
};

export const CreatedJob = z.object({
  ...jobBase,
  setup: SetupId.optional(),
  setupName: z.string().optional(),
  projectId: z.number().optional(),
  coverLetterLength: z.number().optional(),
  answersCount: z.number().optional(),
  bidAmount: z.string().optional(),
});
export type CreatedJob = z.infer<typeof CreatedJob>;

export const ApprovedJob = z.object({
  ...jobBase,
  setup: SetupId.optional(),
  setupName: z.string().optional(),
  wasAiDisqualified: z.boolean().optional(),
  qualificationDecision: z.string().optional(),
  qualificationReason: z.string().optional(),
  approvedBy: z.string().optional(),
});
export type ApprovedJob = z.infer<typeof ApprovedJob>;

export const JobStatusReport = z.object({
  ...jobBase,
  reason: z.string().optional(),
  processedAt: z.string().optional(),
  errorMessage: z.string().optional(),
  retryCount: z.number().optional(),
  readyForProcessing: z.boolean().optional(),
  applicationUid: z.string().optional(),
});
export type JobStatusReport = z.infer<typeof JobStatusReport>;

export const ProposalTemplate = z.object({
  id: TemplateId,
  name: z.string().optional(),
  visibility: z.string().optional(),
  sender: z.object({
    name: z.string().optional(),
    type: z.string().optional(),
    organization: z.string().optional(),
  }),
  hourlyRate: z.object({
    mode: z.string().optional(),
    rate: z.number().optional(),
    smartRateMin: z.number().optional(),
    smartRateMax: z.number().optional(),
    smartRatePercent: z.number().optional(),
    rulesCount: z.number().optional(),
    increasePercent: z.number().optional(),
    increaseFrequency: z.string().optional(),
  }),
  fixedPrice: z.object({
    type: z.string().optional(),
    price: z.number().optional(),
    minPrice: z.number().optional(),
    clientBudgetPercent: z.number().optional(),
  }),
  ai: z.object({
    model: z.string().optional(),
    instructions: z.string().optional(),
    clientQuestions: z.string().optional(),
    additionalContext: z.string().optional(),
    templateStructure: z.boolean().optional(),
  }),
  filters: z.array(named),
  setups: z.array(named),
  abTesting: z.boolean().optional(),
  answers: z.array(z.object({ question: z.string(), answer: z.string(), matchType: z.string() })),
  attachments: z.array(z.object({ uid: z.string(), name: z.string().optional() })),
  coverLetters: z.object({ variantA: z.string().optional(), variantB: z.string().optional() }).optional(),
  createdAt: instant.optional(),
  updatedAt: instant.optional(),
});
export type ProposalTemplate = z.infer<typeof ProposalTemplate>;

/** The input of create. `undefined` keeps the server's default; `null` disables where the table allows it. */
export interface ProposalTemplateInput {
  readonly name: string;
  readonly sender: { readonly organizationId: OrganizationId; readonly contractorUid?: string };
  readonly hourlyRate: {
    readonly mode?: 'fixed' | 'smart';
    readonly rate: number;
    readonly smartRateMin?: number;
    readonly smartRateMax?: number;
    readonly smartRatePercent?: number;
    readonly increasePercent?: number | null;
    readonly increaseFrequency?: 'never' | 'every-3-months' | 'every-6-months' | 'every-12-months';
  };
  readonly fixedPrice?: {
    readonly type?: 'by-job-terms' | 'by-project';
    readonly price?: number | null;
    readonly minPrice?: number | null;
    readonly clientBudgetPercent?: number | null;
  };
  readonly ai: {
    readonly model?: string | null;
    readonly instructions: string;
    readonly clientQuestions?: string | null;
    readonly additionalContext?: string | null;
    readonly templateStructure?: boolean;
  };
  readonly abTesting?: boolean;
  readonly answers?: readonly {
    readonly question: string;
    readonly answer: string;
    readonly matchType: 'exact' | 'contains' | 'startsWith';
  }[];
  readonly coverLetters?: { readonly variantA?: string | null; readonly variantB?: string | null };
  readonly visibility?: 'shared_view' | 'shared_edit' | 'shared_admins';
}
