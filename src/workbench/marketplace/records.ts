/** What the simulated marketplace stores, with its own names; the views turn it into documented responses. */
import type { Instant } from '../../clock.ts';

export interface SimulatedFilter {
  readonly id: number;
  readonly name: string;
  /** Whether the filter has an AI qualifier; without one `qualification` is always null. */
  readonly qualifier: boolean;
  /** Newest last, in the order of discovery. */
  readonly projectIds: number[];
}

/** The AI qualifier's verdict. `reason` and `processedAt` are null while it is undecided. */
export interface SimulatedVerdict {
  readonly decision: 'qualified' | 'disqualified' | null;
  readonly reason: string | null;
  readonly processedAt: Instant | null;
}

export interface SimulatedBudget {
  readonly type: 'fixed' | 'hourly';
  /** US dollars; 0 for an hourly project. */
  readonly fixedAmount: number;
  /** US dollars an hour; 0 for a fixed-price project. */
  readonly hourlyMin: number;
  readonly hourlyMax: number;
  /** Its amount in other words, such as `1 500 €`; made from the numbers when absent. */
  readonly label?: string;
}

export interface SimulatedClient {
  readonly paymentMethodVerified: boolean;
  readonly phoneVerified: boolean;
  readonly country: string;
  readonly city: string;
  readonly timezone: string;
  /** Minutes east of UTC. */
  readonly utcOffsetMinutes: number;
  /** US dollars. */
  readonly totalSpent: number;
  readonly totalHires: number;
  /** 0 to 1. */
  readonly hireRate: number;
  readonly avgHourlyRatePaid: number;
  /** 0 to 5. */
  readonly rating: number;
  readonly reviews: number;
  readonly industry: string;
  readonly companySize: string;
  readonly registeredAt: Instant;
  readonly jobsPosted: number;
  readonly jobsActive: number;
  readonly jobsOpen: number;
  readonly totalHoursPaid: number;
  readonly rankLevel: number;
  readonly rankDowngradeReason: {
    readonly lowReviews: number;
    readonly scoredReviews: number;
    readonly recentLowReviews: number;
    readonly cappedAt: number;
  };
}

export interface SimulatedWorkHistory {
  readonly job_info: {
    readonly uid: string;
    readonly title: string;
    readonly type: string;
    readonly url: string;
  };
  readonly status: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly total_hours: number;
  readonly total_charge: number;
  readonly contractor_name: string;
  readonly feedback: { readonly score: number; readonly comment: string };
  readonly feedback_to_client: { readonly score: number; readonly comment: string };
  readonly rate: { readonly amount: number };
}

export interface SimulatedProject {
  readonly id: number;
  /** Digits. */
  readonly uid: string;
  /** A tilde followed by digits. */
  readonly ciphertext: string;
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly skills: readonly string[];
  readonly categories: readonly string[];
  readonly clientQuestions: readonly string[];
  readonly publishedAt: Instant;
  readonly site: string;
  readonly usOnly: boolean;
  readonly ukOnly: boolean;
  /** Answered as its date, such as one that stands for none; its own when absent. */
  readonly shownDate?: string;
  readonly durationLabel: string;
  readonly engagementLabel: string;
  readonly experienceLevel: string;
  readonly jobAttachmentsCount: number;
  readonly connectsPrice: number;
  readonly isFeatured: boolean;
  readonly isMarketplaceEnterpriseClient: boolean;
  readonly preferredQualifications: {
    readonly minJobSuccessScore: number;
    readonly talentType: string;
    readonly risingTalent: string;
    readonly prefEnglishSkill: string;
    readonly locations: readonly string[];
    readonly languages: readonly string[];
  };
  readonly budget: SimulatedBudget;
  readonly client: SimulatedClient;
  readonly workHistory: readonly SimulatedWorkHistory[];
}

export interface SimulatedFilterResult {
  readonly id: number;
  readonly filterId: number;
  readonly createdAt: Instant;
  readonly projectIds: readonly number[];
}

export interface SimulatedProfile {
  readonly id: number;
  readonly label: string;
  readonly type: string;
}

/** An organization is also a proposal sender: templates bid in its name. */
export interface SimulatedOrganization {
  readonly id: number;
  readonly label: string;
  readonly type: 'agency' | 'freelancer';
  /** Who can bid for an agency; a freelancer's organization has none. */
  readonly contractors: readonly { readonly uid: string; readonly name: string }[];
}

export interface SimulatedPerson {
  readonly id: number;
  readonly fullName: string;
}

export interface SimulatedProposal {
  readonly id: number;
  readonly applicationUid: string;
  readonly submittedAt: Instant;
  readonly coverLetter: string;
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  readonly jobTitle: string;
  readonly jobPostedAt: Instant;
  readonly freelancer: SimulatedPerson;
  readonly businessManager: SimulatedPerson;
  readonly profileId: number;
  readonly organizationId: number;
  /** Connects spent. */
  readonly connects: number;
  readonly boost: number;
  readonly terms: {
    readonly fixedPrice: number;
    readonly hourlyRate: number;
    readonly increasePercent: number;
    readonly increaseFrequency: number;
  };
  readonly isViewed: boolean;
  readonly isInterviewed: boolean;
  readonly isHired: boolean;
  readonly isWithdrawn: boolean;
  readonly isInvitation: boolean;
  readonly isArchived: boolean;
  readonly occupationUid: string;
  readonly occupationTitle: string;
  readonly submissionPosition: number;
  readonly boostOutbid: boolean;
  readonly coverLetterVariant: string;
  readonly biddingTemplate: { readonly id: number; readonly name: string };
}

export interface SimulatedInvitation {
  readonly id: number;
  readonly profileId: number;
  readonly organizationId: number;
  readonly invitationUid: string;
  readonly title: string;
  readonly jobPostingUid: string;
  readonly invitationLetter: string;
  readonly clientUid: string;
  readonly contractor: SimulatedPerson;
  readonly contractorUid: string;
  readonly invitedAt: Instant;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly statusLabel: string;
}

export const SIMULATED_SETUP_STATUSES = ['inactive', 'active', 'draft', 'paused'] as const;
export type SimulatedSetupStatus = (typeof SIMULATED_SETUP_STATUSES)[number];

export interface SimulatedSetup {
  readonly id: number;
  readonly name: string;
  readonly status: SimulatedSetupStatus;
  readonly filter: { readonly id: number; readonly name: string };
  readonly biddingTemplate: { readonly id: number; readonly name: string };
  readonly schedule: string;
  readonly scheduleLabel: string;
  readonly timezone: string;
  readonly biddingDelayMinutes: number;
  readonly dailyProposalsLimit: number;
  readonly totalProposalsSent: number;
  readonly proposalsSentToday: number;
  /** Absent until the first run. */
  readonly lastRunAt?: Instant;
  readonly lastProposalAt?: Instant;
  readonly businessManagerId: string;
  readonly subscriptionId: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** Jobs of this setup wait for a person's approval. */
  readonly reviewsJobs: boolean;
  /** The country the freelancer bids from, for location restrictions; absent: no restriction applies. */
  readonly bidsFrom?: string;
  /** A used-up limit: new jobs are skipped. */
  readonly exhausted?: 'monthly limit' | 'trial limit';
}

export const SIMULATED_JOB_STATUSES = [
  'pending_review',
  'scheduled',
  'processing',
  'completed',
  'failed',
  'skipped',
] as const;
export type SimulatedJobStatus = (typeof SIMULATED_JOB_STATUSES)[number];

export interface SimulatedJob {
  readonly id: number;
  readonly setupId: number;
  readonly projectId: number;
  readonly marketplaceJobId: string;
  readonly status: SimulatedJobStatus;
  readonly createdAt: Instant;
  readonly scheduledAt: Instant;
  readonly coverLetter: string;
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  readonly bidAmount?: number;
  readonly boostBidAmount?: number;
  readonly wasAiDisqualified: boolean;
  readonly qualificationDecision: string;
  readonly qualificationReason: string;
  /** Empty until approved. */
  readonly approvedBy: string;
  readonly reason: string;
  readonly processedAt?: Instant;
  readonly errorMessage: string;
  readonly retryCount: number;
  readonly applicationUid: string;
}

/** A template as the API returns it. Source: docs/marketplace-api.md, ProposalTemplate. */
export interface SimulatedTemplate {
  readonly id: number;
  readonly name: string | null;
  readonly visibility: string;
  readonly sender: {
    readonly name: string | null;
    readonly type: string;
    readonly organization: string | null;
  };
  readonly hourly_rate: {
    readonly mode: string;
    readonly rate: number | null;
    readonly smart_rate_min: number | null;
    readonly smart_rate_max: number | null;
    readonly smart_rate_percent: number | null;
    readonly rules_count: number;
    readonly increase_percent: number | null;
    readonly increase_frequency: string;
  };
  readonly fixed_price: {
    readonly type: string;
    readonly price: number | null;
    readonly min_price: number | null;
    readonly client_budget_percent: number | null;
  };
  readonly ai: {
    readonly model: string | null;
    readonly instructions: string | null;
    readonly client_questions: string | null;
    readonly additional_context: string | null;
    readonly template_structure: boolean;
  };
  readonly filters: readonly { readonly id: number; readonly name: string }[];
  readonly auto_bidding_setups: readonly { readonly id: number; readonly name: string }[];
  readonly ab_testing: boolean;
  readonly answers: readonly {
    readonly question: string;
    readonly answer: string;
    readonly match_type: string;
  }[];
  readonly attachments: readonly {
    readonly uid: string;
    readonly name: string;
    readonly mime_type: string;
    readonly size_bytes: number;
  }[];
  readonly cover_letters: { readonly variant_a: string | null; readonly variant_b: string | null } | null;
  readonly created_at: string;
  readonly updated_at: string;
}
