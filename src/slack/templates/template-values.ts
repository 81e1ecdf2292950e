/** The template builder's exact input values, and at which input to show a mistake. Pure. */
import type { z } from 'zod';
import type { ProposalSender } from '../../marketplace/client.ts';
import type { TemplateInputError } from '../../templates/check-result.ts';
import { applySenderChoice, findSenderByOrganizationId } from '../../templates/choose-sender.ts';
import {
  FixedPriceType,
  HourlyMode,
  IncreaseFrequency,
  type TemplateField,
  type TemplateForm,
  TemplateVisibility,
} from '../../templates/form.ts';
import type { MultiInputTextField } from '../../templates/records.ts';
import type { ViewValues } from '../core/routes.ts';
import { joinLongText } from '../kit/long-text.ts';
import { type BuilderMetadata, type TemplateInputName, templateInputBlockId } from './template-metadata.ts';

/** In the sender menus: the user types the ID. IDs themselves start with `=`. */
export const OTHER_SENDER = 'other';

export function senderIdValue(id: string | number): string {
  return `=${id}`;
}

/** Of a checkbox. */
export const CHECKED_VALUE = 'on';

/** A view's values, with the inputs that its metadata lists. */
export interface FilledBuilderStep {
  readonly values: ViewValues;
  readonly place: BuilderMetadata;
  /** Set if the marketplace's list is known. */
  readonly senders?: readonly ProposalSender[];
}

/** Each function reads one input; a field without an input keeps its value. */
function readersOf({ values, place }: FilledBuilderStep) {
  const shown = new Set(place.inputs);
  const value = (name: TemplateInputName) => values.get(templateInputBlockId(name, place));
  return {
    has: (name: TemplateInputName) => shown.has(name),
    option: (name: TemplateInputName) => (shown.has(name) ? value(name)?.option : undefined),
    text: (name: TemplateInputName, before: string) => (shown.has(name) ? (value(name)?.text ?? '') : before),
    long: (name: TemplateInputName, before: string) =>
      shown.has(name) ? joinLongText(values, templateInputBlockId(name, place)) : before,
    choice: <T>(name: TemplateInputName, kinds: z.ZodType<T>, before: T) =>
      shown.has(name) ? (kinds.safeParse(value(name)?.option).data ?? before) : before,
    flag: (name: TemplateInputName, before: boolean) =>
      shown.has(name) ? (value(name)?.options?.includes(CHECKED_VALUE) ?? false) : before,
  };
}
type Readers = ReturnType<typeof readersOf>;

/** The form with all values from the view. */
export function parseTemplateForm(form: TemplateForm, filled: FilledBuilderStep): TemplateForm {
  const { text, long, choice, flag } = readersOf(filled);
  const { hourly, fixedPrice, ai, letters } = form;
  return {
    name: text('name', form.name),
    visibility: choice('visibility', TemplateVisibility, form.visibility),
    sender: readSender(form.sender, filled),
    hourly: {
      mode: choice('hourly.mode', HourlyMode, hourly.mode),
      rate: text('hourly.rate', hourly.rate),
      smartMin: text('hourly.smartMin', hourly.smartMin),
      smartMax: text('hourly.smartMax', hourly.smartMax),
      smartPercent: text('hourly.smartPercent', hourly.smartPercent),
      increasePercent: text('hourly.increasePercent', hourly.increasePercent),
      increaseFrequency: choice('hourly.increaseFrequency', IncreaseFrequency, hourly.increaseFrequency),
    },
    fixedPrice: {
      type: choice('fixedPrice.type', FixedPriceType, fixedPrice.type),
      price: text('fixedPrice.price', fixedPrice.price),
      minPrice: text('fixedPrice.minPrice', fixedPrice.minPrice),
      clientBudgetPercent: text('fixedPrice.clientBudgetPercent', fixedPrice.clientBudgetPercent),
    },
    ai: {
      model: text('ai.model', ai.model),
      instructions: long('ai.instructions', ai.instructions),
      clientQuestions: long('ai.clientQuestions', ai.clientQuestions),
      additionalContext: long('ai.additionalContext', ai.additionalContext),
      templateStructure: flag('ai.templateStructure', ai.templateStructure),
    },
    abTesting: flag('abTesting', form.abTesting),
    answers: form.answers,
    letters: {
      variantA: long('letters.variantA', letters.variantA),
      variantB: long('letters.variantB', letters.variantB),
    },
  };
}

/** A long text of the builder's own steps; an answer's text has its own window. */
export function getLongText({ ai, letters }: TemplateForm, field: MultiInputTextField): string {
  const texts: Readonly<Record<MultiInputTextField, string>> = {
    'ai.instructions': ai.instructions,
    'ai.clientQuestions': ai.clientQuestions,
    'ai.additionalContext': ai.additionalContext,
    'letters.variantA': letters.variantA,
    'letters.variantB': letters.variantB,
    'answers.answer': '',
  };
  return texts[field];
}

export function clearLongText(form: TemplateForm, field: MultiInputTextField): TemplateForm {
  const [group = '', name = ''] = field.split('.');
  if (group === 'ai') return { ...form, ai: { ...form.ai, [name]: '' } };
  return group === 'letters' ? { ...form, letters: { ...form.letters, [name]: '' } } : form;
}

type Sender = TemplateForm['sender'];

function readSender(before: Sender, { senders, ...filled }: FilledBuilderStep): Sender {
  const readers = readersOf(filled);
  const { has, option, text } = readers;
  const chosen = chosenOf(option('menu.organization'));
  if (option('menu.organization') === OTHER_SENDER && !has('sender.organizationId'))
    return { organizationId: '', contractorUid: '', type: 'unknown' };
  const typed = {
    organizationId:
      chosen === undefined
        ? text('sender.organizationId', before.organizationId)
        : asBefore(before, chosen, senders),
    contractorUid: contractorOf(before, readers),
  };
  if (senders) return applySenderChoice(before, typed, senders);
  const isSame = typed.organizationId.trim() === before.organizationId.trim();
  return { ...typed, type: isSame ? before.type : 'unknown' };
}

/** The chosen ID; undefined for “Other” or no choice. */
function chosenOf(option: string | undefined): string | undefined {
  return option?.startsWith('=') ? option.slice(1) : undefined;
}

/** Keeps what the user typed if it means the chosen ID. */
function asBefore(before: Sender, chosen: string, senders: readonly ProposalSender[] = []): string {
  const known = findSenderByOrganizationId(senders, before.organizationId);
  return `${known?.organizationId}` === chosen ? before.organizationId : chosen;
}

function contractorOf(before: Sender, { has, option, text }: Readers): string {
  if (!has('menu.contractor')) return text('sender.contractorUid', before.contractorUid);
  return chosenOf(option('menu.contractor')) ?? text('sender.contractorUid', '');
}

/** Whether the user types the IDs from now on. */
export function parseManualIdEntry(
  before: Sender,
  after: Sender,
  filled: FilledBuilderStep,
): BuilderMetadata['typing'] {
  const { has, option } = readersOf(filled);
  const { typing } = filled.place;
  const isOther = before.organizationId.trim() !== after.organizationId.trim();
  const contractor = has('menu.contractor') ? option('menu.contractor') === OTHER_SENDER : typing.contractor;
  return {
    organization: has('menu.organization')
      ? option('menu.organization') === OTHER_SENDER
      : typing.organization,
    contractor: contractor && !isOther,
  };
}

/** Where to show a mistake if its own field has no input in the view. */
const NEAREST: Readonly<Partial<Record<TemplateField, readonly TemplateInputName[]>>> = {
  'sender.organizationId': ['menu.organization'],
  'sender.contractorUid': ['menu.contractor', 'menu.organization', 'sender.organizationId'],
  'hourly.smartMin': ['hourly.mode'],
  'hourly.smartMax': ['hourly.mode'],
  'hourly.smartPercent': ['hourly.mode'],
  'hourly.increasePercent': ['hourly.increaseFrequency'],
  'fixedPrice.price': ['fixedPrice.type'],
  'fixedPrice.minPrice': ['fixedPrice.type'],
  'fixedPrice.clientBudgetPercent': ['fixedPrice.type'],
};

/** All mistakes, by the block that shows them; undefined if the view has no inputs. */
export function templateFormErrors(
  mistakes: readonly TemplateInputError[],
  place: Pick<BuilderMetadata, 'inputs' | 'since' | 'revision'>,
): Record<string, string> | undefined {
  const errors = new Map<string, string>();
  for (const { field, sentence } of mistakes) {
    const near = [field, ...(NEAREST[field] ?? []), ...place.inputs];
    const name = near.find((each) => place.inputs.includes(each));
    if (name === undefined) return undefined;
    const id = templateInputBlockId(name, place);
    const before = errors.get(id);
    errors.set(id, before === undefined ? sentence : `${before} ${sentence}`);
  }
  return Object.fromEntries(errors);
}
