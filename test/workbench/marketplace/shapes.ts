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

/** The names in a line of a table, split by spaces. */
type Names<S extends string> = S extends `${infer Name} ${infer Rest}` ? Name | Names<Rest> : S;

/** Fields of one type, as a line of the tables has them. */
function each<S extends string, T extends z.ZodType>(names: S, type: T): Record<Names<S>, T> {
  return Object.fromEntries(names.split(' ').map((name) => [name, type])) as Record<Names<S>, T>;
}

const pages = object(each('total page limit pages', int));
const cursor = object({ ...each('total limit next_cursor latest_published_ts', int), is_last: flag });
const credits = object({
  ...each('remaining new_projects_consumed total_projects_returned', int),
  reset_date: moment,
});
const clientInList = { ...each('totalSpent hireRate rating', number), ...each('totalHires reviews', int) };

const listedProject = object({
  ...each('title description skills url site', text),
  ...each('clientQuestions categories', z.array(text)),
  publishedAt: moment,
  budget: object(each('type amount', text)),
  clientDetails: object({ ...clientInList, paymentMethodVerified: flag, country: text }),
  qualification: z.object({ reason: text.nullable(), processedAt: moment.nullable() }).loose().nullable(),
});

const feedback = object({ score: number, comment: text });
const history = object({
  ...each('status start_date end_date contractor_name', text),
  ...each('total_hours total_charge', number),
  ...each('feedback feedback_to_client', feedback),
  job_info: object(each('uid title type url', text)),
  rate: object({ amount: number }),
});

const lookedUpProject = object({
  ...each('title description url site durationLabel engagementLabel experienceLevel jobType', text),
  ...each('skills clientQuestions categories', z.array(text)),
  ...each('usOnly ukOnly isFeatured isMarketplaceEnterpriseClient', flag),
  ...each('publishedTimestamp jobAttachmentsCount connectsPrice', int),
  publishedAt: moment,
  preferredQualifications: object({
    ...each('talentType risingTalent prefEnglishSkill', text),
    ...each('locations languages', z.array(text)),
    minJobSuccessScore: int,
  }),
  budget: object(each('type amount', text)),
  budgetRaw: object({ ...each('fixedAmount hourlyMin hourlyMax', number), type: text.lowercase() }),
  clientHireRate: number.min(0).max(1),
  clientDetails: object({
    ...clientInList,
    ...each('paymentMethodVerified phoneVerified', flag),
    ...each('totalSpent country city countryTimezone industry companySize', text),
    ...each('jobsPosted jobsActive jobsOpen rankLevel', int),
    ...each('avgHourlyRatePaid totalHoursPaid', number),
    countryTimezoneTime: text.regex(/^\d\d:\d\d$/),
    registeredAt: moment,
    rankDowngradeReason: object(each('lowReviews scoredReviews recentLowReviews cappedAt', int)),
    workHistory: z.array(z.looseObject({})),
  }),
  clientWorkHistory: z.array(history),
});

const person = object({ id: int, fullName: text });
const labelled = object({ id: int, ...each('label type', text) });

const proposal = object({
  ...each('id connects boost submissionPosition', int),
  ...each('applicationUid coverLetter coverLetterVariant occupationUid occupationTitle', text),
  ...each('isViewed isInterviewed isHired isWithdrawn isInvitation isArchived boostOutbid', flag),
  ...each('freelancer businessManager', person),
  ...each('marketplaceProfile marketplaceOrganization', labelled),
  submittedAt: moment,
  answers: z.array(object(each('question answer', text))),
  jobDetails: object({ title: text, postedAt: moment }),
  terms: object({ ...each('fixedPrice hourlyRate increasePercent', number), increaseFrequency: int }),
  biddingTemplate: idAndName,
});

const invitation = object({
  id: int,
  ...each('invitationUid title jobPostingUid invitationLetter clientUid contractorUid statusLabel', text),
  ...each('marketplaceProfile marketplaceOrganization', labelled),
  ...each('invitedAt createdAt updatedAt', moment),
  contractor: person,
});

const jobCommon = { id: int, ...each('marketplace_job_id status scheduled_at', text) };
const createView = object({
  ...jobCommon,
  ...each('setup_id project_id cover_letter_length answers_count', int),
  ...each('setup_name bid_amount', text),
});
const approveView = object({
  ...jobCommon,
  ...each('status_title setup_name qualification_decision qualification_reason approved_by', text),
  setup_id: int,
  was_ai_disqualified: flag,
});
const statusView = object({
  ...jobCommon,
  ...each('status_title reason processed_at error_message marketplace_application_uid', text),
  retry_count: int,
  is_ready_for_processing: flag,
});

const setup = object({
  ...each('id status subscription_id', int),
  ...each('bidding_delay_minutes daily_proposals_limit total_proposals_sent proposals_sent_today', int),
  ...each('name status_name schedule schedule_label timezone business_manager_id', text),
  ...each('last_run_at last_proposal_date created_at updated_at', text),
  ...each('filter bidding_template', idAndName),
});

const template = object({
  id: int,
  name: text.nullable(),
  visibility: z.enum(['shared_view', 'shared_edit', 'shared_admins']),
  sender: object({
    ...each('name organization', text.nullable()),
    type: z.enum(['agency', 'freelancer', 'manual']),
  }),
  hourly_rate: object({
    ...each('rate smart_rate_min smart_rate_max increase_percent', number.nullable()),
    mode: z.enum(['fixed', 'smart', 'flexible']),
    smart_rate_percent: int.nullable(),
    rules_count: int,
    increase_frequency: z.enum(['never', 'every-3-months', 'every-6-months', 'every-12-months']),
  }),
  fixed_price: object({
    ...each('price min_price', number.nullable()),
    type: z.enum(['by-job-terms', 'by-project']),
    client_budget_percent: int.nullable(),
  }),
  ai: object({
    ...each('model instructions client_questions additional_context', text.nullable()),
    template_structure: flag,
  }),
  ...each('filters auto_bidding_setups', z.array(idAndName)),
  ab_testing: flag,
  answers: z.array(object(each('question answer match_type', text))),
  attachments: z.array(object({ ...each('uid name mime_type', text), size_bytes: int })),
  cover_letters: object(each('variant_a variant_b', text.nullable())).nullable(),
  ...each('created_at updated_at', moment),
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
    ...each('credits_needed credits_remaining', int),
    credits_reset_date: moment,
  }),
} as const;
