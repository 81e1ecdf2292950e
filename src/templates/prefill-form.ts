/**
 * Fills a form from the marketplace's data: from an existing template, noting what can't be carried over, and
 * with a sender from its list. Pure.
 */
import { z } from 'zod';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { ProposalSender } from '../marketplace/client.ts';
import type { ProposalTemplate } from '../marketplace/schema.ts';
import {
  EMPTY_TEMPLATE_FORM,
  FixedPriceType,
  HourlyMode,
  IncreaseFrequency,
  MAX_SCREENING_ANSWERS,
  QuestionMatchType,
  type SenderType,
  type TemplateForm,
  TemplateVisibility,
} from './form.ts';

/** What is not carried over, in the marketplace's words if any. Without `was`: it didn't say. */
export const NotCarriedOverNote = z.discriminatedUnion('kind', [
  /** Always: the template only names its sender, so it must be chosen again. */
  z.object({
    kind: z.literal('sender'),
    name: z.string().optional(),
    type: z.string().optional(),
    organization: z.string().optional(),
  }),
  /** Budget rules stay in the dashboard: choose fixed or smart. */
  z.object({ kind: z.literal('flexible-rate'), rules: z.number() }),
  /** `private` or an unknown visibility: replaced by the default. */
  z.object({ kind: z.literal('visibility'), was: z.string().optional() }),
  /** An unknown value: the mode must be chosen again, the others get their default. */
  z.object({
    kind: z.literal('choice'),
    field: z.enum(['hourly.mode', 'hourly.increaseFrequency', 'fixedPrice.type']),
    was: z.string(),
  }),
  /** Unknown match types must be chosen again; the answers' indexes, from 0. */
  z.object({ kind: z.literal('match-types'), places: z.array(z.number()) }),
  /** Answers beyond the maximum. */
  z.object({ kind: z.literal('answers'), dropped: z.number() }),
  z.object({ kind: z.literal('attachments'), names: z.array(z.string()) }),
  /** Without a template structure the marketplace doesn't return the letters. */
  z.object({ kind: z.literal('letters') }),
  /** Filters and setups that use the old template don't switch to the new one. */
  z.object({ kind: z.literal('assignments'), filters: z.number(), setups: z.number() }),
]);
export type NotCarriedOverNote = z.infer<typeof NotCarriedOverNote>;
type ChoiceField = Extract<NotCarriedOverNote, { kind: 'choice' }>['field'];

/** Numbers become typed text; missing values stay empty. */
export function prefillForm(template: ProposalTemplate) {
  const notes: NotCarriedOverNote[] = [{ kind: 'sender', ...template.sender }];
  const form: TemplateForm = {
    name: template.name ?? '',
    visibility: visibilityOf(template, notes),
    sender: EMPTY_TEMPLATE_FORM.sender,
    hourly: hourlyOf(template, notes),
    fixedPrice: fixedPriceOf(template, notes),
    ai: aiOf(template),
    abTesting: template.abTesting ?? EMPTY_TEMPLATE_FORM.abTesting,
    answers: answersOf(template, notes),
    letters: {
      variantA: template.coverLetters?.variantA ?? '',
      variantB: template.coverLetters?.variantB ?? '',
    },
  };
  if (!template.coverLetters && !form.ai.templateStructure) notes.push({ kind: 'letters' });
  noteWhatStays(template, notes);
  return { form, notes };
}

function noteWhatStays(
  { attachments, filters, setups }: ProposalTemplate,
  notes: NotCarriedOverNote[],
): void {
  if (attachments.length > 0)
    notes.push({ kind: 'attachments', names: attachments.map(({ name, uid }) => name ?? uid) });
  if (filters.length > 0 || setups.length > 0)
    notes.push({ kind: 'assignments', filters: filters.length, setups: setups.length });
}

function typed(value: number | undefined): string {
  return value === undefined ? '' : `${value}`;
}

/** The choice if it is valid; else the default, and a note with the original word. */
function choice<T>(
  kinds: z.ZodType<T>,
  was: string | undefined,
  [field, standIn]: readonly [ChoiceField, T],
  notes: NotCarriedOverNote[],
): T {
  const read = kinds.safeParse(was);
  if (read.success) return read.data;
  if (was !== undefined) notes.push({ kind: 'choice', field, was });
  return standIn;
}

function visibilityOf({ visibility }: ProposalTemplate, notes: NotCarriedOverNote[]): TemplateVisibility {
  const read = TemplateVisibility.safeParse(visibility);
  if (read.success) return read.data;
  notes.push(omitUndefined({ kind: 'visibility' as const, was: visibility }));
  return EMPTY_TEMPLATE_FORM.visibility;
}

function hourlyOf({ hourlyRate }: ProposalTemplate, notes: NotCarriedOverNote[]): TemplateForm['hourly'] {
  const { mode, rate, smartRateMin, smartRateMax, smartRatePercent } = hourlyRate;
  const { increasePercent, increaseFrequency, rulesCount = 0 } = hourlyRate;
  const isFlexible = mode === 'flexible';
  if (isFlexible) notes.push({ kind: 'flexible-rate', rules: rulesCount });
  return {
    mode: isFlexible ? '' : choice(HourlyMode, mode, ['hourly.mode', ''], notes),
    rate: typed(rate),
    smartMin: typed(smartRateMin),
    smartMax: typed(smartRateMax),
    smartPercent: typed(smartRatePercent),
    increasePercent: typed(increasePercent),
    increaseFrequency: choice(
      IncreaseFrequency,
      increaseFrequency,
      ['hourly.increaseFrequency', EMPTY_TEMPLATE_FORM.hourly.increaseFrequency],
      notes,
    ),
  };
}

function fixedPriceOf(
  { fixedPrice }: ProposalTemplate,
  notes: NotCarriedOverNote[],
): TemplateForm['fixedPrice'] {
  const { type, price, minPrice, clientBudgetPercent } = fixedPrice;
  return {
    type: choice(FixedPriceType, type, ['fixedPrice.type', EMPTY_TEMPLATE_FORM.fixedPrice.type], notes),
    price: typed(price),
    minPrice: typed(minPrice),
    clientBudgetPercent: typed(clientBudgetPercent),
  };
}

function aiOf({ ai }: ProposalTemplate): TemplateForm['ai'] {
  const { model = '', instructions = '', clientQuestions = '', additionalContext = '' } = ai;
  const { templateStructure = EMPTY_TEMPLATE_FORM.ai.templateStructure } = ai;
  return { model, instructions, clientQuestions, additionalContext, templateStructure };
}

function answersOf({ answers }: ProposalTemplate, notes: NotCarriedOverNote[]): TemplateForm['answers'] {
  const dropped = answers.length - MAX_SCREENING_ANSWERS;
  if (dropped > 0) notes.push({ kind: 'answers', dropped });
  const read = answers.slice(0, MAX_SCREENING_ANSWERS).map(({ question, answer, matchType }) => ({
    question,
    answer,
    matchType: QuestionMatchType.safeParse(matchType).data ?? ('' as const),
  }));
  const places = read.flatMap(({ matchType }, place) => (matchType === '' ? [place] : []));
  if (places.length > 0) notes.push({ kind: 'match-types', places });
  return read;
}

/** The documented types; other values (such as `manual`) say nothing about contractors. */
export function parseSenderType(word: string | undefined): SenderType {
  const type = word?.trim().toLowerCase();
  return type === 'agency' || type === 'freelancer' ? type : 'unknown';
}

/** The listed sender with a chosen or typed ID. */
export function findSenderByOrganizationId(
  senders: readonly ProposalSender[],
  organizationId: string,
): ProposalSender | undefined {
  const digits = organizationId.trim().replace(/^#/u, '');
  return senders.find((sender) => `${sender.organizationId}` === digits);
}

/**
 * The sender as chosen or typed, with its type from the list of senders (`unknown` without it). Choosing
 * another organization drops the old one's contractor and selects a sole contractor.
 */
export function applySenderChoice(
  before: TemplateForm['sender'],
  typed: { readonly organizationId: string; readonly contractorUid: string },
  senders: readonly ProposalSender[],
): TemplateForm['sender'] {
  const found = findSenderByOrganizationId(senders, typed.organizationId);
  const type = parseSenderType(found?.type);
  const isOther = before.organizationId.trim() !== typed.organizationId.trim();
  const isOld = isOther && typed.contractorUid === before.contractorUid;
  if (!isOld || !found) return { ...typed, type };
  return { ...typed, contractorUid: contractorOf(found, type, typed.contractorUid), type };
}

function contractorOf({ contractors }: ProposalSender, type: SenderType, uid: string): string {
  if (type === 'freelancer') return '';
  if (contractors.some((contractor) => contractor.uid === uid.trim())) return uid;
  const [only, ...more] = contractors;
  return only && more.length === 0 ? only.uid : '';
}

/**
 * A warning when a freelancer is about to send an agency's template: it becomes ineligible for auto bidding.
 * @param fromType the original template's sender type, in the marketplace's word
 */
export function senderWarning(
  fromType: string | undefined,
  chosenType: SenderType,
): 'not-eligible-for-auto-bidding' | undefined {
  const loses = parseSenderType(fromType) === 'agency' && chosenType === 'freelancer';
  return loses ? 'not-eligible-for-auto-bidding' : undefined;
}
