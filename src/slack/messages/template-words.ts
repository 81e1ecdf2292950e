/** The words of the template builder: steps, fields and choices, in plain text. Pure. */
import type {
  FixedPriceType,
  HourlyMode,
  IncreaseFrequency,
  MatchType,
  SenderType,
  TemplateField,
  TemplateStep,
  Visibility,
} from '../../templates/form.ts';

/** The builder's name; at most 24 characters, as a view's title. */
export const TEMPLATE_TITLE = 'Proposal template';

/** At most 24 characters each, as a view's title. */
export const STEP_TITLES: Readonly<Record<TemplateStep, string>> = {
  sender: 'Name and sender',
  rates: 'Rates',
  ai: 'AI',
  letters: 'Cover letters',
  answers: 'Answers',
  review: 'Review',
};

/** As the sentences of the checks name the fields. */
export const FIELD_LABELS: Readonly<Record<TemplateField, string>> = {
  name: 'Name',
  visibility: 'Who on the team can see and edit it',
  'sender.organizationId': 'Sender (organization id)',
  'sender.contractorUid': 'Contractor (uid)',
  'hourly.mode': 'Hourly rates',
  'hourly.rate': 'Hourly rate',
  'hourly.smartMin': 'Smart minimum',
  'hourly.smartMax': 'Smart maximum',
  'hourly.smartPercent': 'Smart percent',
  'hourly.increaseFrequency': 'Scheduled increase',
  'hourly.increasePercent': 'Increase',
  'fixedPrice.type': 'Fixed prices',
  'fixedPrice.price': 'Price',
  'fixedPrice.minPrice': 'Minimum price',
  'fixedPrice.clientBudgetPercent': "Percent of the client's budget",
  'ai.model': 'AI model',
  'ai.instructions': 'Instructions',
  'ai.clientQuestions': 'Prompt for client questions',
  'ai.additionalContext': 'Additional context',
  'ai.templateStructure': 'Template structure',
  abTesting: 'A/B testing',
  'letters.variantA': 'Variant A',
  'letters.variantB': 'Variant B',
  answers: 'Answers',
  'answers.question': 'Question',
  'answers.answer': 'Answer',
  'answers.matchType': 'How questions are compared',
};

/** What helps to fill a field in. Bounds: docs/marketplace-api.md, ProposalTemplate input. */
export const FIELD_HINTS: Readonly<Partial<Record<TemplateField, string>>> = {
  name: 'Up to 255 characters.',
  visibility: 'A private template can only be made in the dashboard.',
  'sender.organizationId':
    "The organization's number. Where no list can be read, the marketplace's dashboard shows it with the team's profiles.",
  'sender.contractorUid':
    'An agency sends through a contractor: its uid stands in their profile. A freelancer profile has none.',
  'hourly.mode': 'Flexible rates (budget rules) can only be set in the dashboard.',
  'hourly.rate': '3 to 999 dollars an hour.',
  'hourly.smartMin': '3 to 999 dollars an hour, not above the maximum.',
  'hourly.smartMax': '3 to 999 dollars an hour.',
  'hourly.smartPercent': "Percent of the client's budget, 1 to 100.",
  'hourly.increasePercent': 'Percent, 0 or more.',
  'fixedPrice.price': 'The same bid on every fixed-price job: 5 to 1,000,000 dollars.',
  'fixedPrice.minPrice': 'No bid is lower: 5 to 1,000,000 dollars.',
  'fixedPrice.clientBudgetPercent': "The bid as a percent of the client's budget, 1 to 1,000.",
  'ai.model': "A model's id from the marketplace's catalog. Empty: the default model.",
  'ai.instructions': 'How the AI writes the proposals. Up to 10,000 characters.',
  'ai.clientQuestions': "How the AI answers a client's questions. Empty: off. Up to 10,000 characters.",
  'ai.additionalContext': 'What else the AI should know. Empty: off. Up to 10,000 characters.',
  'ai.templateStructure': 'Without it the AI ignores the cover letters.',
  abTesting: 'The two variants take turns.',
  'letters.variantA': 'Up to 5,000 characters.',
  'letters.variantB': 'Up to 5,000 characters.',
  'answers.question': "The client's question, or a part of it. Up to 500 characters.",
  'answers.answer': 'Up to 5,000 characters.',
};

/** In the order in which they are offered, here and below. */
export const VISIBILITY_LABELS: Readonly<Record<Visibility, string>> = {
  shared_admins: 'Team admins',
  shared_view: 'Everyone sees it, admins edit it',
  shared_edit: 'Everyone sees and edits it',
};

export const MODE_LABELS: Readonly<Record<Exclude<HourlyMode, ''>, string>> = {
  fixed: 'Fixed: the same rate on every hourly job',
  smart: "Smart: follows the client's budget",
};

export const FREQUENCY_LABELS: Readonly<Record<IncreaseFrequency, string>> = {
  never: 'Never',
  'every-3-months': 'Every 3 months',
  'every-6-months': 'Every 6 months',
  'every-12-months': 'Every 12 months',
};

export const PRICE_TYPE_LABELS: Readonly<Record<FixedPriceType, string>> = {
  'by-job-terms': "By the job's terms",
  'by-project': 'The same price on every job',
};

export const MATCH_TYPE_LABELS: Readonly<Record<Exclude<MatchType, ''>, string>> = {
  contains: "The client's question contains this",
  startsWith: "The client's question begins with this",
  exact: "The client's question is exactly this",
};

export const SENDER_TYPE_LABELS: Readonly<Record<SenderType, string>> = {
  agency: 'agency',
  freelancer: 'freelancer',
  unknown: 'not known whether agency or freelancer',
};

/** Of template structure and A/B testing. */
export const SWITCH_LABELS = { on: 'On', off: 'Off' } as const;

/** What the documented API cannot do; mrkdwn as well as plain text. */
export const ONLY_IN_THE_DASHBOARD =
  'Only in the dashboard: changing a template that exists, flexible rates, private templates, attachments, and assigning a template to setups and filters.';

/** What an agency's template loses with a freelancer's sender. Source: docs/marketplace-api.md, Template sender rule. */
export const NOT_ELIGIBLE =
  'The template that this one started from is sent by an agency. With a freelancer as its sender it is not eligible for auto bidding.';
