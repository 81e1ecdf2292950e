/**
 * Converts proposal templates from and to the wire. Keeps their texts exactly, since people create new
 * templates from old ones. Source: docs/marketplace-api.md, ProposalTemplate.
 */

import { omitUndefined } from '../base/omit-undefined.ts';
import { TemplateId } from '../ids.ts';
import type { ProposalTemplate, ProposalTemplateInput } from './schema.ts';
import { parseNamedEntity } from './wire-proposals.ts';
import {
  isObject,
  parseBoolean,
  parseCount,
  parseExactText,
  parseFiniteNumber,
  parseId,
  parseInstant,
  parseListOrEmpty,
  parseSingleLine,
  toUnknownFields,
  WIRE_TEXT_LENGTH_LIMITS,
} from './wire-values.ts';

/** The body of `POST /proposal-templates`: omits undefined and sends null. */
export function buildTemplateRequestBody(input: ProposalTemplateInput): unknown {
  const { name, sender, hourlyRate, fixedPrice, ai, abTesting, answers, coverLetters, visibility } = input;
  return omitUndefined({
    name,
    visibility,
    sender: omitUndefined({ organization_id: sender.organizationId, contractor_uid: sender.contractorUid }),
    hourly_rate: omitUndefined({
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
      omitUndefined({
        type: fixedPrice.type,
        price: fixedPrice.price,
        min_price: fixedPrice.minPrice,
        client_budget_percent: fixedPrice.clientBudgetPercent,
      }),
    ai: omitUndefined({
      model: ai.model,
      instructions: ai.instructions,
      client_questions: ai.clientQuestions,
      additional_context: ai.additionalContext,
      template_structure: ai.templateStructure,
    }),
    ab_testing: abTesting,
    answers: answers?.map(({ question, answer, matchType }) => ({ question, answer, match_type: matchType })),
    cover_letters:
      coverLetters && omitUndefined({ variant_a: coverLetters.variantA, variant_b: coverLetters.variantB }),
  });
}

export function parseProposalTemplate(value: unknown): ProposalTemplate | undefined {
  const fields = toUnknownFields(value);
  const templateId = parseId(TemplateId, fields['id']);
  if (templateId === undefined) return undefined;
  const { visibility, filters, auto_bidding_setups, ab_testing, answers, attachments } = fields;
  const { created_at, updated_at } = fields;
  return omitUndefined({
    id: templateId,
    name: parseExactText(fields['name'], WIRE_TEXT_LENGTH_LIMITS.title),
    visibility: parseSingleLine(visibility),
    sender: readSender(fields['sender']),
    hourlyRate: readHourlyRate(fields['hourly_rate']),
    fixedPrice: readFixedPrice(fields['fixed_price']),
    ai: readAi(fields['ai']),
    filters: parseListOrEmpty(filters, parseNamedEntity),
    setups: parseListOrEmpty(auto_bidding_setups, parseNamedEntity),
    abTesting: parseBoolean(ab_testing),
    answers: parseListOrEmpty(answers, readTargetedAnswer),
    attachments: parseListOrEmpty(attachments, readAttachment),
    coverLetters: readCoverLetters(fields['cover_letters']),
    createdAt: parseInstant(created_at),
    updatedAt: parseInstant(updated_at),
  });
}

function readSender(value: unknown): ProposalTemplate['sender'] {
  const { name, type, organization } = toUnknownFields(value);
  return omitUndefined({
    name: parseSingleLine(name),
    type: parseSingleLine(type),
    organization: parseSingleLine(organization),
  });
}

function readHourlyRate(value: unknown): ProposalTemplate['hourlyRate'] {
  const { mode, rate, smart_rate_min, smart_rate_max, smart_rate_percent } = toUnknownFields(value);
  const { rules_count, increase_percent, increase_frequency } = toUnknownFields(value);
  return omitUndefined({
    mode: parseSingleLine(mode),
    rate: parseFiniteNumber(rate),
    smartRateMin: parseFiniteNumber(smart_rate_min),
    smartRateMax: parseFiniteNumber(smart_rate_max),
    smartRatePercent: parseFiniteNumber(smart_rate_percent),
    rulesCount: parseCount(rules_count),
    increasePercent: parseFiniteNumber(increase_percent),
    increaseFrequency: parseSingleLine(increase_frequency),
  });
}

function readFixedPrice(value: unknown): ProposalTemplate['fixedPrice'] {
  const { type, price, min_price, client_budget_percent } = toUnknownFields(value);
  return omitUndefined({
    type: parseSingleLine(type),
    price: parseFiniteNumber(price),
    minPrice: parseFiniteNumber(min_price),
    clientBudgetPercent: parseFiniteNumber(client_budget_percent),
  });
}

function readAi(value: unknown): ProposalTemplate['ai'] {
  const { model, instructions, client_questions, additional_context, template_structure } =
    toUnknownFields(value);
  return omitUndefined({
    model: parseSingleLine(model),
    instructions: parseExactText(instructions),
    clientQuestions: parseExactText(client_questions),
    additionalContext: parseExactText(additional_context),
    templateStructure: parseBoolean(template_structure),
  });
}

function readTargetedAnswer(value: unknown) {
  if (!isObject(value)) return undefined;
  const { question, answer, match_type } = value;
  return {
    question: parseExactText(question, WIRE_TEXT_LENGTH_LIMITS.question) ?? '',
    answer: parseExactText(answer, WIRE_TEXT_LENGTH_LIMITS.answer) ?? '',
    matchType: parseSingleLine(match_type) ?? 'unknown',
  };
}

function readAttachment(value: unknown) {
  const { uid, name } = toUnknownFields(value);
  const read = parseSingleLine(uid);
  return read === undefined ? undefined : omitUndefined({ uid: read, name: parseSingleLine(name) });
}

function readCoverLetters(value: unknown) {
  if (!isObject(value)) return undefined;
  const { variant_a, variant_b } = value;
  return omitUndefined({
    variantA: parseExactText(variant_a, WIRE_TEXT_LENGTH_LIMITS.answer),
    variantB: parseExactText(variant_b, WIRE_TEXT_LENGTH_LIMITS.answer),
  });
}
