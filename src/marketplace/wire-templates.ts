/**
 * Proposal templates, to and from the wire. Their texts come and go character for character, since people make new templates
 * out of old ones. Source: docs/marketplace-api.md, ProposalTemplate.
 */
import { TemplateId } from '../ids.ts';
import type { ProposalTemplate, ProposalTemplateInput } from './schema.ts';
import { readNamed } from './wire-proposals.ts';
import {
  count,
  exactText,
  fieldsOf,
  flag,
  id,
  instant,
  isObject,
  known,
  line,
  listed,
  MOST,
  number,
} from './wire-values.ts';

/** The body of `POST /proposal-templates`: what is undefined is left out, null goes along. */
export function writeTemplate(input: ProposalTemplateInput): unknown {
  const { name, sender, hourlyRate, fixedPrice, ai, abTesting, answers, coverLetters, visibility } = input;
  return known({
    name,
    visibility,
    sender: known({ organization_id: sender.organizationId, contractor_uid: sender.contractorUid }),
    hourly_rate: known({
      mode: hourlyRate.mode,
      rate: hourlyRate.rate,
      smart_rate_min: hourlyRate.smartRateMin,
      smart_rate_max: hourlyRate.smartRateMax,
      smart_rate_percent: hourlyRate.smartRatePercent,
      increase_percent: hourlyRate.increasePercent,
      increase_frequency: hourlyRate.increaseFrequency,
    }),
    fixed_price:
      fixedPrice &&
      known({
        type: fixedPrice.type,
        price: fixedPrice.price,
        min_price: fixedPrice.minPrice,
        client_budget_percent: fixedPrice.clientBudgetPercent,
      }),
    ai: known({
      model: ai.model,
      instructions: ai.instructions,
      client_questions: ai.clientQuestions,
      additional_context: ai.additionalContext,
      template_structure: ai.templateStructure,
    }),
    ab_testing: abTesting,
    answers: answers?.map(({ question, answer, matchType }) => ({ question, answer, match_type: matchType })),
    cover_letters:
      coverLetters && known({ variant_a: coverLetters.variantA, variant_b: coverLetters.variantB }),
  });
}

export function readTemplate(value: unknown): ProposalTemplate | undefined {
  const fields = fieldsOf(value);
  const templateId = id(TemplateId, fields['id']);
  if (templateId === undefined) return undefined;
  const { visibility, filters, auto_bidding_setups, ab_testing, answers, attachments } = fields;
  const { created_at, updated_at } = fields;
  return known({
    id: templateId,
    name: exactText(fields['name'], MOST.title),
    visibility: line(visibility),
    sender: readSender(fields['sender']),
    hourlyRate: readHourlyRate(fields['hourly_rate']),
    fixedPrice: readFixedPrice(fields['fixed_price']),
    ai: readAi(fields['ai']),
    filters: listed(filters, readNamed),
    setups: listed(auto_bidding_setups, readNamed),
    abTesting: flag(ab_testing),
    answers: listed(answers, readTargetedAnswer),
    attachments: listed(attachments, readAttachment),
    coverLetters: readCoverLetters(fields['cover_letters']),
    createdAt: instant(created_at),
    updatedAt: instant(updated_at),
  });
}

function readSender(value: unknown): ProposalTemplate['sender'] {
  const { name, type, organization } = fieldsOf(value);
  return known({ name: line(name), type: line(type), organization: line(organization) });
}

function readHourlyRate(value: unknown): ProposalTemplate['hourlyRate'] {
  const { mode, rate, smart_rate_min, smart_rate_max, smart_rate_percent } = fieldsOf(value);
  const { rules_count, increase_percent, increase_frequency } = fieldsOf(value);
  return known({
    mode: line(mode),
    rate: number(rate),
    smartRateMin: number(smart_rate_min),
    smartRateMax: number(smart_rate_max),
    smartRatePercent: number(smart_rate_percent),
    rulesCount: count(rules_count),
    increasePercent: number(increase_percent),
    increaseFrequency: line(increase_frequency),
  });
}

function readFixedPrice(value: unknown): ProposalTemplate['fixedPrice'] {
  const { type, price, min_price, client_budget_percent } = fieldsOf(value);
  return known({
    type: line(type),
    price: number(price),
    minPrice: number(min_price),
    clientBudgetPercent: number(client_budget_percent),
  });
}

function readAi(value: unknown): ProposalTemplate['ai'] {
  const { model, instructions, client_questions, additional_context, template_structure } = fieldsOf(value);
  return known({
    model: line(model),
    instructions: exactText(instructions),
    clientQuestions: exactText(client_questions),
    additionalContext: exactText(additional_context),
    templateStructure: flag(template_structure),
  });
}

function readTargetedAnswer(value: unknown) {
  if (!isObject(value)) return undefined;
  const { question, answer, match_type } = value;
  return {
    question: exactText(question, MOST.question) ?? '',
    answer: exactText(answer, MOST.answer) ?? '',
    matchType: line(match_type) ?? 'unknown',
  };
}

function readAttachment(value: unknown) {
  const { uid, name } = fieldsOf(value);
  const read = line(uid);
  return read === undefined ? undefined : known({ uid: read, name: line(name) });
}

function readCoverLetters(value: unknown) {
  if (!isObject(value)) return undefined;
  const { variant_a, variant_b } = value;
  return known({ variantA: exactText(variant_a, MOST.answer), variantB: exactText(variant_b, MOST.answer) });
}
