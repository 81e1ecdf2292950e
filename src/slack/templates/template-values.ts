/** The template builder's exact input values, and at which input to show a mistake. Pure. */
import type { ProposalSender } from '../../marketplace/client.ts';
import type { TemplateInputError } from '../../templates/check-result.ts';
import { applySenderChoice, findSenderByOrganizationId } from '../../templates/choose-sender.ts';
import {
  type TemplateField,
  type TemplateForm,
  templateFieldText,
  withTemplateFieldValue,
} from '../../templates/form.ts';
import type { MultiInputTextField } from '../../templates/records.ts';
import type { ViewValues } from '../core/routes.ts';
import { errorsByBlock, readField } from '../kit/form.ts';
import { fieldValueOf, TEMPLATE_INPUT_FIELDS, templateFormField } from './template-fields.ts';
import { type BuilderMetadata, type TemplateInputName, templateInputBlockId } from './template-metadata.ts';

/** In the sender menus: the user types the ID. IDs themselves start with `=`. */
export const OTHER_SENDER = 'other';

export function senderIdValue(id: string | number): string {
  return `=${id}`;
}

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
  };
}
type Readers = ReturnType<typeof readersOf>;

/** The form with all values from the view. */
export function parseTemplateForm(form: TemplateForm, filled: FilledBuilderStep): TemplateForm {
  const { values, place } = filled;
  const read = TEMPLATE_INPUT_FIELDS.filter(
    (field) => place.inputs.includes(field) && !/^(?:sender|answers)\./u.test(field),
  ).reduce((changed, field) => {
    const before = fieldValueOf(form, field);
    const id = templateInputBlockId(field, place);
    const value = readField(templateFormField(field), values, id, before);
    return withTemplateFieldValue(changed, field, value);
  }, form);
  return { ...read, sender: readSender(form.sender, filled) };
}

/** A long text of the builder's own steps; an answer's text has its own window. */
export function getLongText(form: TemplateForm, field: MultiInputTextField): string {
  return templateFieldText(form, field);
}

export function clearLongText(form: TemplateForm, field: MultiInputTextField): TemplateForm {
  return field === 'answers.answer' ? form : withTemplateFieldValue(form, field, '');
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

/** Where to show a mistake about a sender that has no input in the view. */
const NEAR_SENDER: Readonly<Partial<Record<TemplateField, readonly TemplateInputName[]>>> = {
  'sender.organizationId': ['menu.organization'],
  'sender.contractorUid': ['menu.contractor', 'menu.organization', 'sender.organizationId'],
};

function nearestInputs(field: TemplateField): readonly TemplateInputName[] {
  const near = field === 'answers' ? undefined : templateFormField(field).near;
  return NEAR_SENDER[field] ?? (near ? [near] : []);
}

/** All mistakes, by the block that shows them; undefined if the view has no inputs. */
export function templateFormErrors(
  mistakes: readonly TemplateInputError[],
  place: Pick<BuilderMetadata, 'inputs' | 'since' | 'revision'>,
): Record<string, string> | undefined {
  const errors: [id: string, sentence: string][] = [];
  for (const { field, sentence } of mistakes) {
    const near = [field, ...nearestInputs(field), ...place.inputs];
    const name = near.find((each) => place.inputs.includes(each));
    if (name === undefined) return undefined;
    errors.push([templateInputBlockId(name, place), sentence]);
  }
  return errorsByBlock(errors);
}
