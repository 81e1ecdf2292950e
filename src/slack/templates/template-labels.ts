/** Labels of the template builder: steps, fields and choices, in plain text. Pure. */
import type {
  FixedPriceType,
  HourlyMode,
  IncreaseFrequency,
  QuestionMatchType,
  SenderType,
  TemplateField,
  TemplateStep,
  TemplateVisibility,
} from '../../templates/form.ts';

/** At most 24 characters, as a view's title. */
export const TEMPLATE_BUILDER_TITLE = 'Proposal template';

/** At most 24 characters each, as a view's title. */
export const STEP_TITLES: Readonly<Record<TemplateStep, string>> = {
  sender: 'Name and sender',
  rates: 'Rates',
  ai: 'AI',
  letters: 'Cover letters',
  answers: 'Answers',
  review: 'Review',
};

/** The checks' messages use the same names. */
export const FIELD_LABELS: Readonly<Record<TemplateField, string>> = {
  name: 'Name',
  visibility: 'Who on the team can see and edit it',
  'sender.organizationId': 'Sender (organization ID)',
  'sender.contractorUid': 'Contractor (UID)',
  'hourly.mode': 'Hourly bids',
  'hourly.rate': 'Hourly rate',
  'hourly.smartMin': 'Smart minimum',
  'hourly.smartMax': 'Smart maximum',
  'hourly.smartPercent': 'Smart percent',
  'hourly.increaseFrequency': 'Scheduled increase',
  'hourly.increasePercent': 'Increase',
  'fixedPrice.type': 'Fixed-price bids',
  'fixedPrice.price': 'Price',
  'fixedPrice.minPrice': 'Minimum price',
  'fixedPrice.clientBudgetPercent': "Percent of the client's budget",
  'ai.model': 'AI model',
  'ai.instructions': 'Instructions',
  'ai.clientQuestions': 'AI prompt for client questions',
  'ai.additionalContext': 'Additional context',
  'ai.templateStructure': 'Template structure',
  abTesting: 'A/B testing',
  'letters.variantA': 'Variant A',
  'letters.variantB': 'Variant B',
  answers: 'Answers',
  'answers.question': 'Question',
  'answers.answer': 'Answer',
  'answers.matchType': 'How questions are matched',
};

/** Help for filling in a field. Limits: docs/marketplace-api.md, ProposalTemplate input. */
export const FIELD_HINTS: Readonly<Partial<Record<TemplateField, string>>> = {
  name: 'Up to 255 characters.',
  visibility: "To create a private template, use the marketplace's dashboard.",
  'sender.organizationId':
    "The organization's ID. If there's no list, find it with your team's profiles in the marketplace " +
    'dashboard.',
  'sender.contractorUid':
    "Agencies send through a contractor. The UID is in the contractor's profile. " +
    'Freelancer profiles have none.',
  'hourly.mode': 'Flexible rates (budget rules) can only be set in the dashboard.',
  'hourly.rate': '$3 to $999 an hour.',
  'hourly.smartMin': '$3 to $999 an hour, not above the maximum.',
  'hourly.smartMax': '$3 to $999 an hour.',
  'hourly.smartPercent': "Percent of the client's budget, 1 to 100.",
  'hourly.increasePercent': 'Percent, 0 or more.',
  'fixedPrice.price': 'The same bid on every fixed-price project: $5 to $1,000,000.',
  'fixedPrice.minPrice': 'The lowest bid: $5 to $1,000,000.',
  'fixedPrice.clientBudgetPercent': "The bid as a percent of the client's budget, 1 to 1,000.",
  'ai.model': "A model ID from the marketplace's catalog. Leave empty for the default model.",
  'ai.instructions': 'How the AI writes the proposals. Up to 10,000 characters.',
  'ai.clientQuestions':
    'How the AI answers client questions. Leave empty to turn this off. Up to 10,000 characters.',
  'ai.additionalContext':
    'Anything else the AI should know. Leave empty to turn this off. Up to 10,000 characters.',
  'ai.templateStructure': 'When off, the AI ignores the cover letters.',
  abTesting: 'Alternates between the two variants.',
  'letters.variantA': 'Up to 5,000 characters.',
  'letters.variantB': 'Up to 5,000 characters.',
  'answers.question': "The client's question, or part of it. Up to 500 characters.",
  'answers.answer': 'Up to 5,000 characters.',
};

/** In display order, here and below. */
export const VISIBILITY_LABELS: Readonly<Record<TemplateVisibility, string>> = {
  shared_admins: 'Team admins',
  shared_view: 'Everyone can view, admins can edit',
  shared_edit: 'Everyone can view and edit',
};

export const HOURLY_MODE_LABELS: Readonly<Record<Exclude<HourlyMode, ''>, string>> = {
  fixed: 'The same rate on every hourly project',
  smart: "Smart (follows the client's budget)",
};

export const INCREASE_FREQUENCY_LABELS: Readonly<Record<IncreaseFrequency, string>> = {
  never: 'Never',
  'every-3-months': 'Every 3 months',
  'every-6-months': 'Every 6 months',
  'every-12-months': 'Every 12 months',
};

export const PRICE_TYPE_LABELS: Readonly<Record<FixedPriceType, string>> = {
  'by-job-terms': "By the project's terms",
  'by-project': 'The same price on every project',
};

export const MATCH_TYPE_LABELS: Readonly<Record<Exclude<QuestionMatchType, ''>, string>> = {
  contains: "The client's question contains this",
  startsWith: "The client's question starts with this",
  exact: "The client's question is exactly this",
};

export const SENDER_TYPE_LABELS: Readonly<Record<SenderType, string>> = {
  agency: 'agency',
  freelancer: 'freelancer',
  unknown: 'type unknown',
};

/** For template structure and A/B testing. */
export const SWITCH_LABELS = { on: 'On', off: 'Off' } as const;

/** What the documented API can't do; valid as mrkdwn and as plain text. */
export const DASHBOARD_ONLY_FEATURES_TEXT =
  'Only in the dashboard: editing existing templates, flexible rates, private templates, attachments, ' +
  'and assigning templates to setups and filters.';

/**
 * What an agency's template loses with a freelancer sender. Source: docs/marketplace-api.md, Template sender
 * rule.
 */
export const SENDER_NOT_ELIGIBLE_WARNING =
  "The original template is sent by an agency. A copy sent by a freelancer can't be used for auto bidding.";
