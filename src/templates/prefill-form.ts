/**
 * Fills a form from the marketplace's data: from an existing template, noting what can't be carried over, and
 * with a sender from its list. Pure.
 */
import { z } from 'zod';
import type { ProposalSender } from '../marketplace/client.ts';
import type { ProposalTemplate } from '../marketplace/schema.ts';
import {
  TEMPLATE_FORM_FIELDS,
  type TemplateField,
  templateFieldRow,
  valueAt,
  withTemplateFieldValue,
} from './fields.ts';
import {
  EMPTY_TEMPLATE_FORM,
  MAX_SCREENING_ANSWERS,
  QuestionMatchType,
  type SenderType,
  type TemplateForm,
} from './form.ts';

const ChoiceField = z.enum(['visibility', 'hourly.mode', 'hourly.increaseFrequency', 'fixedPrice.type']);

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
  /**
   * An unknown or missing visibility (also `private`), or an unknown value: the mode must be chosen again,
   * the others get their default.
   */
  z.object({ kind: z.literal('choice'), field: ChoiceField, was: z.string().optional() }),
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

const CARRIED_FIELDS = TEMPLATE_FORM_FIELDS.filter((field) => !field.startsWith('sender.'));

const CarriedValue = z.union([z.string(), z.boolean(), z.number().transform(String)]);

/** Numbers become typed text; missing values stay empty. */
export function prefillForm(template: ProposalTemplate) {
  const notes: NotCarriedOverNote[] = [{ kind: 'sender', ...template.sender }];
  const filled = CARRIED_FIELDS.reduce((form, field) => {
    const row = templateFieldRow(field);
    const was = valueAt(
      template,
      row.path.replace(/_(\w)/gu, (_, letter: string) => letter.toUpperCase()),
    );
    const value = CarriedValue.safeParse(was).data;
    if (row.kind !== 'menu') return value === undefined ? form : withTemplateFieldValue(form, field, value);
    if (typeof value === 'string' && Object.hasOwn(row.choices, value))
      return withTemplateFieldValue(form, field, value);
    noteChoice(field, was, template, notes);
    // Without a valid mode, people must choose one; the others have their default.
    return field === 'hourly.mode' ? withTemplateFieldValue(form, field, '') : form;
  }, EMPTY_TEMPLATE_FORM);
  const form = { ...filled, answers: answersOf(template, notes) };
  if (!template.coverLetters && !form.ai.templateStructure) notes.push({ kind: 'letters' });
  noteWhatStays(template, notes);
  return { form, notes };
}

function noteWhatStays({ attachments, filters, setups }: ProposalTemplate, notes: NotCarriedOverNote[]) {
  if (attachments.length > 0)
    notes.push({ kind: 'attachments', names: attachments.map(({ name, uid }) => name ?? uid) });
  if (filters.length > 0 || setups.length > 0)
    notes.push({ kind: 'assignments', filters: filters.length, setups: setups.length });
}

function noteChoice(
  name: TemplateField,
  was: unknown,
  { hourlyRate }: ProposalTemplate,
  notes: NotCarriedOverNote[],
): void {
  const field = ChoiceField.parse(name);
  if (was === 'flexible' && field === 'hourly.mode')
    notes.push({ kind: 'flexible-rate', rules: hourlyRate.rulesCount ?? 0 });
  else if (typeof was === 'string') notes.push({ kind: 'choice', field, was });
  else if (field === 'visibility') notes.push({ kind: 'choice', field });
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
export function findSenderByOrganizationId(senders: readonly ProposalSender[], organizationId: string) {
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
