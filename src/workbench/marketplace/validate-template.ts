/**
 * The bounds of a template's fields and their error messages. Source: docs/marketplace-api.md,
 * ProposalTemplate input.
 */
import { z } from 'zod';
import type { SimulatedOrganization } from './records.ts';

/** Dot path -> message. */
export type FieldErrors = Record<string, string>;

/** Made up: the documentation doesn't list the models. */
export const AI_MODELS = ['swift-1', 'balanced-2', 'thorough-3'] as const;

const INCREASES = ['never', 'every-3-months', 'every-6-months', 'every-12-months'] as const;

/** The message `is required` for an absent value, else what the value must be. */
function must(what: string) {
  return {
    error: (issue: { readonly input?: unknown }) =>
      issue.input === undefined ? 'is required' : `must be ${what}`,
  };
}

/** Counts code points: an emoji of one code point is one character. */
function characters(text: string): number {
  return Array.from(text).length;
}

function text(most: number) {
  return z
    .string(must('a string'))
    .refine((value) => characters(value) <= most, `must be at most ${most} characters long`);
}

function filled(most: number) {
  return text(most).refine((value) => value !== '', 'must not be empty');
}

function amount(least: number, most: number) {
  const message = `must be between ${least} and ${most}`;
  return z.number(must('a number')).min(least, message).max(most, message);
}

function whole(least: number, most: number) {
  const message = `must be between ${least} and ${most}`;
  return z
    .number(must('an integer'))
    .refine(Number.isInteger, 'must be an integer')
    .refine((value) => value >= least && value <= most, message);
}

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, must(`one of ${values.join(', ')}`));
}

const flag = z.boolean(must('a boolean'));
const object = must('an object');

const Answer = z.object(
  {
    question: filled(500),
    answer: filled(5_000),
    match_type: oneOf(['exact', 'contains', 'startsWith']),
  },
  object,
);

const Sender = z.object(
  {
    organization_id: z.int(must('an integer')),
    contractor_uid: z.string(must('a string')).optional(),
  },
  object,
);

export const TemplateBody = z.object(
  {
    name: filled(255),
    sender: Sender,
    hourly_rate: z.object(
      {
        mode: oneOf(['fixed', 'smart']).optional(),
        rate: amount(3, 999),
        smart_rate_min: amount(3, 999).optional(),
        smart_rate_max: amount(3, 999).optional(),
        smart_rate_percent: whole(1, 100).optional(),
        increase_percent: z.number(must('a number')).min(0, 'must be at least 0').nullish(),
        increase_frequency: oneOf(INCREASES).optional(),
      },
      object,
    ),
    fixed_price: z
      .object(
        {
          type: oneOf(['by-job-terms', 'by-project']).optional(),
          price: amount(5, 1_000_000).nullish(),
          min_price: amount(5, 1_000_000).nullish(),
          client_budget_percent: whole(1, 1_000).nullish(),
        },
        object,
      )
      .optional(),
    ai: z.object(
      {
        model: z
          .string(must('a string'))
          .refine((id) => AI_MODELS.some((model) => model === id), 'unknown model')
          .nullish(),
        instructions: filled(10_000),
        client_questions: text(10_000).nullish(),
        additional_context: text(10_000).nullish(),
        template_structure: flag.optional(),
      },
      object,
    ),
    ab_testing: flag.optional(),
    answers: z.array(Answer, must('an array')).max(50, 'must have at most 50 items').optional(),
    cover_letters: z
      .object({ variant_a: text(5_000).nullish(), variant_b: text(5_000).nullish() }, object)
      .optional(),
    visibility: oneOf(['shared_view', 'shared_edit', 'shared_admins']).optional(),
  },
  object,
);
export type TemplateBody = z.infer<typeof TemplateBody>;

/** Reads an absent parent of a required field as empty, so that the error names the field itself. */
function withParents(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return { hourly_rate: {}, ai: {}, ...body };
}

const SmartRates = z.object({
  hourly_rate: z.object({ smart_rate_min: z.number(), smart_rate_max: z.number() }),
});

function smartRateErrors(body: unknown): FieldErrors {
  const read = SmartRates.safeParse(body);
  if (!read.success) return {};
  const { smart_rate_min: min, smart_rate_max: max } = read.data.hourly_rate;
  return min > max ? { 'hourly_rate.smart_rate_min': 'must not exceed smart_rate_max' } : {};
}

const NamedSender = z.object({ sender: Sender });

function senderErrors(body: unknown, organizations: readonly SimulatedOrganization[]): FieldErrors {
  const read = NamedSender.safeParse(body);
  if (!read.success) return {};
  const { organization_id, contractor_uid } = read.data.sender;
  const organization = organizations.find((each) => each.id === organization_id);
  if (!organization) return { 'sender.organization_id': 'unknown organization' };
  if (organization.type === 'freelancer') {
    return contractor_uid === undefined
      ? {}
      : { 'sender.contractor_uid': 'not allowed for freelancer profiles' };
  }
  if (contractor_uid === undefined) return { 'sender.contractor_uid': 'is required' };
  const known = organization.contractors.some((contractor) => contractor.uid === contractor_uid);
  return known ? {} : { 'sender.contractor_uid': 'unknown contractor' };
}

export type TemplateValidationResult =
  | { readonly kind: 'valid'; readonly input: TemplateBody }
  | { readonly kind: 'invalid'; readonly fields: FieldErrors };

/** All problems of the body for creating a template, one message per field. */
export function validateTemplate(
  body: unknown,
  organizations: readonly SimulatedOrganization[],
): TemplateValidationResult {
  const read = TemplateBody.safeParse(withParents(body));
  const fields: FieldErrors = {};
  for (const issue of read.error?.issues ?? []) {
    fields[issue.path.join('.') || 'body'] ??= issue.message;
  }
  for (const [path, message] of Object.entries({
    ...smartRateErrors(body),
    ...senderErrors(body, organizations),
  })) {
    fields[path] ??= message;
  }
  if (read.success && Object.keys(fields).length === 0) return { kind: 'valid', input: read.data };
  return { kind: 'invalid', fields };
}
