/** Labels of the template builder: steps, fields and choices, in plain text. Pure. */
import type {
  FixedPriceType,
  HourlyMode,
  IncreaseFrequency,
  QuestionMatchType,
  SenderType,
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
