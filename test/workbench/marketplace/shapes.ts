/**
 * The tables of docs/marketplace-api.md as strict schemas: no extra field, none missing, none of another
 * type.
 */
import { z } from 'zod';

const text = z.string();
const int = z.int();
const number = z.number();
const flag = z.boolean();
const moment = z.iso.datetime({ offset: true });
const object = z.strictObject;
const idAndName = object({ id: int, name: text });

const pages = object({ total: int, page: int, limit: int, pages: int });
const cursor = object({ total: int, limit: int, is_last: flag, next_cursor: int, latest_published_ts: int });
const credits = object({
  remaining: int,
  reset_date: moment,
  new_projects_consumed: int,
  total_projects_returned: int,
});

const listedProject = object({
  title: text,
  description: text,
  skills: text,
  url: text,
  publishedAt: moment,
  clientQuestions: z.array(text),
  categories: z.array(text),
  site: text,
  budget: object({ type: text, amount: text }),
  clientDetails: object({
    paymentMethodVerified: flag,
    country: text,
    totalSpent: number,
    totalHires: int,
    hireRate: number,
    rating: number,
    reviews: int,
  }),
  qualification: z.object({ reason: text.nullable(), processedAt: moment.nullable() }).loose().nullable(),
});

const feedback = object({ score: number, comment: text });
const history = object({
  job_info: object({ uid: text, title: text, type: text, url: text }),
  status: text,
  start_date: text,
  end_date: text,
  total_hours: number,
  total_charge: number,
  contractor_name: text,
  feedback,
  feedback_to_client: feedback,
  rate: object({ amount: number }),
});

const lookedUpProject = object({
  title: text,
  description: text,
  skills: z.array(text),
  url: text,
  publishedAt: moment,
  publishedTimestamp: int,
  usOnly: flag,
  ukOnly: flag,
  durationLabel: text,
  engagementLabel: text,
  experienceLevel: text,
  jobType: text,
  jobAttachmentsCount: int,
  connectsPrice: int,
  isFeatured: flag,
  isMarketplaceEnterpriseClient: flag,
  preferredQualifications: object({
    minJobSuccessScore: int,
    talentType: text,
    risingTalent: text,
    prefEnglishSkill: text,
    locations: z.array(text),
    languages: z.array(text),
  }),
  clientQuestions: z.array(text),
  categories: z.array(text),
  site: text,
  budget: object({ type: text, amount: text }),
  budgetRaw: object({ type: text.lowercase(), fixedAmount: number, hourlyMin: number, hourlyMax: number }),
  clientHireRate: number.min(0).max(1),
  clientDetails: object({
    paymentMethodVerified: flag,
    country: text,
    totalSpent: text,
    totalHires: int,
    hireRate: number,
    avgHourlyRatePaid: number,
    rating: number,
    reviews: int,
    city: text,
    countryTimezone: text,
    countryTimezoneTime: text.regex(/^\d\d:\d\d$/),
    industry: text,
    companySize: text,
    phoneVerified: flag,
    registeredAt: moment,
    jobsPosted: int,
    jobsActive: int,
    jobsOpen: int,
    totalHoursPaid: number,
    rankLevel: int,
    rankDowngradeReason: object({
      lowReviews: int,
      scoredReviews: int,
      recentLowReviews: int,
      cappedAt: int,
    }),
    workHistory: z.array(z.looseObject({})),
  }),
  clientWorkHistory: z.array(history),
});

const person = object({ id: int, fullName: text });
const labelled = object({ id: int, label: text, type: text });

const proposal = object({
  id: int,
  applicationUid: text,
  submittedAt: moment,
  coverLetter: text,
  answers: z.array(object({ question: text, answer: text })),
  jobDetails: object({ title: text, postedAt: moment }),
  freelancer: person,
  businessManager: person,
  marketplaceProfile: labelled,
  marketplaceOrganization: labelled,
  connects: int,
  boost: int,
  terms: object({ fixedPrice: number, hourlyRate: number, increasePercent: number, increaseFrequency: int }),
  isViewed: flag,
  isInterviewed: flag,
  isHired: flag,
  isWithdrawn: flag,
  isInvitation: flag,
  isArchived: flag,
  occupationUid: text,
  occupationTitle: text,
  submissionPosition: int,
  boostOutbid: flag,
  coverLetterVariant: text,
  biddingTemplate: idAndName,
});

const invitation = object({
  id: int,
  marketplaceProfile: labelled,
  marketplaceOrganization: labelled,
  invitationUid: text,
  title: text,
  jobPostingUid: text,
  invitationLetter: text,
  clientUid: text,
  contractor: person,
  contractorUid: text,
  invitedAt: moment,
  createdAt: moment,
  updatedAt: moment,
  statusLabel: text,
});

const jobCommon = { id: int, marketplace_job_id: text, status: text, scheduled_at: text };
const createView = object({
  ...jobCommon,
  setup_id: int,
  setup_name: text,
  project_id: int,
  cover_letter_length: int,
  answers_count: int,
  bid_amount: text,
});
const approveView = object({
  ...jobCommon,
  status_title: text,
  setup_id: int,
  setup_name: text,
  was_ai_disqualified: flag,
  qualification_decision: text,
  qualification_reason: text,
  approved_by: text,
});
const statusView = object({
  ...jobCommon,
  status_title: text,
  reason: text,
  processed_at: text,
  error_message: text,
  retry_count: int,
  is_ready_for_processing: flag,
  marketplace_application_uid: text,
});

const setup = object({
  id: int,
  name: text,
  status: int,
  status_name: text,
  filter: idAndName,
  bidding_template: idAndName,
  schedule: text,
  schedule_label: text,
  timezone: text,
  bidding_delay_minutes: int,
  daily_proposals_limit: int,
  total_proposals_sent: int,
  proposals_sent_today: int,
  last_run_at: text,
  last_proposal_date: text,
  business_manager_id: text,
  subscription_id: int,
  created_at: text,
  updated_at: text,
});

const template = object({
  id: int,
  name: text.nullable(),
  visibility: z.enum(['shared_view', 'shared_edit', 'shared_admins']),
  sender: object({
    name: text.nullable(),
    type: z.enum(['agency', 'freelancer', 'manual']),
    organization: text.nullable(),
  }),
  hourly_rate: object({
    mode: z.enum(['fixed', 'smart', 'flexible']),
    rate: number.nullable(),
    smart_rate_min: number.nullable(),
    smart_rate_max: number.nullable(),
    smart_rate_percent: int.nullable(),
    rules_count: int,
    increase_percent: number.nullable(),
    increase_frequency: z.enum(['never', 'every-3-months', 'every-6-months', 'every-12-months']),
  }),
  fixed_price: object({
    type: z.enum(['by-job-terms', 'by-project']),
    price: number.nullable(),
    min_price: number.nullable(),
    client_budget_percent: int.nullable(),
  }),
  ai: object({
    model: text.nullable(),
    instructions: text.nullable(),
    client_questions: text.nullable(),
    additional_context: text.nullable(),
    template_structure: flag,
  }),
  filters: z.array(idAndName),
  auto_bidding_setups: z.array(idAndName),
  ab_testing: flag,
  answers: z.array(object({ question: text, answer: text, match_type: text })),
  attachments: z.array(object({ uid: text, name: text, mime_type: text, size_bytes: int })),
  cover_letters: object({ variant_a: text.nullable(), variant_b: text.nullable() }).nullable(),
  created_at: moment,
  updated_at: moment,
});

/** Whole bodies, by endpoint. */
export const SHAPES = {
  filterProjects: object({ data: z.array(listedProject), pagination: cursor, credits }),
  resultProjects: object({ data: z.array(listedProject), pagination: pages, credits }),
  lookup: object({ data: lookedUpProject, credits }),
  filterResults: object({
    data: z.array(object({ id: int, createdAt: moment, totalProjects: int })),
    pagination: pages,
  }),
  proposals: object({ data: z.array(proposal), pagination: pages }),
  proposal: object({ data: proposal }),
  invitations: object({ data: z.array(invitation), pagination: pages }),
  createdJob: object({ success: flag, message: text, job: createView }),
  approvedJob: object({ success: flag, message: text, job: approveView }),
  jobStatus: object({ success: flag, job: statusView }),
  setups: object({ success: flag, count: int, setups: z.array(setup) }),
  template: object({ data: template }),
  error: object({ error: text }),
  duplicate: object({ success: flag, error: text, job_id: int }),
  validation: object({ error: z.literal('Validation failed'), fields: z.record(text, text) }),
  depleted: object({
    error: z.literal('Insufficient credits'),
    message: text,
    credits_needed: int,
    credits_remaining: int,
    credits_reset_date: moment,
  }),
} as const;
