/**
 * What comes back from the template builder, all of it untrusted: its metadata, the names and exact values of
 * its inputs, and at which input to show a mistake. Pure.
 */
import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { ChannelId, DraftId } from '../../ids.ts';
import type { ProposalSender } from '../../marketplace/client.ts';
import type { TemplateInputError } from '../../templates/check-template.ts';
import {
  isTemplateField,
  TEMPLATE_FORM_FIELDS,
  type TemplateField,
  templateFieldRow,
  withTemplateFieldValue,
} from '../../templates/fields.ts';
import { TEMPLATE_STEPS, type TemplateForm } from '../../templates/form.ts';
import { applySenderChoice, findSenderByOrganizationId } from '../../templates/prefill-form.ts';
import { MultiInputTextField } from '../../templates/templates.ts';
import type { ViewValues } from '../core/routes.ts';
import { jsonValueCodec } from '../kit/button-values.ts';
import { errorsByBlock, readField } from '../kit/form.ts';
import { fieldValueOf, templateFormField } from './template-fields.ts';

/** Menus from the marketplace's lists, next to the inputs for typed IDs. */
const MENUS = { 'menu.organization': true, 'menu.contractor': true } as const;

/** A field of the form, or a menu that fills it. */
export type TemplateInputName = TemplateField | keyof typeof MENUS;

const TemplateInputName = z.custom<TemplateInputName>(
  (it) => typeof it === 'string' && (isTemplateField(it) || Object.hasOwn(MENUS, it)),
);

const revision = z.number().int().min(1);
const channel = z
  .string()
  .regex(/^[CGDUW][A-Z0-9]{1,30}$/u)
  .pipe(ChannelId);

export const BuilderMetadata = z.object({
  draft: DraftId,
  /** Where the builder was opened: the user's role there applies, looked up for each action. */
  channel,
  step: z.enum(TEMPLATE_STEPS),
  /** Of the draft shown. */
  revision,
  /** The revision at which the user entered the step. */
  since: revision,
  /** The inputs that the view shows: an action must not clear fields without an input. */
  inputs: z.array(TemplateInputName).max(30),
  /** Whether the user types IDs although a menu offers some. */
  typing: z.object({ organization: z.boolean(), contractor: z.boolean() }),
  /** Whether mistakes show that the user did not request by pressing Next. */
  marks: z.boolean(),
});
export type BuilderMetadata = z.infer<typeof BuilderMetadata>;

/** The window of one answer, on top of the list. */
export const AnswerMetadata = z.object({
  draft: DraftId,
  channel,
  revision,
  /** Counted from 0; the length of the list for a new one. */
  index: z.number().int().min(0).max(10_000),
  inputs: z.array(TemplateInputName).max(5),
  /** A hash that detects changes to this answer and the others in the list. */
  list: z.string().max(64),
});
export type AnswerMetadata = z.infer<typeof AnswerMetadata>;

export const { read: parseBuilderMetadata } = jsonValueCodec(BuilderMetadata);
export const { read: parseAnswerMetadata } = jsonValueCodec(AnswerMetadata);

/**
 * Inputs that an action rearranges. Slack keeps a block's input while a view updates, so text that we move
 * between inputs would appear twice.
 */
const LAID_OUT = new Set<TemplateInputName>([
  ...MultiInputTextField.options,
  'sender.contractorUid',
  'menu.contractor',
]);

/**
 * An input's block ID. It stays the same while the step is open, so that Slack keeps the user's text during
 * an action. Entering the step again shows the stored values.
 */
export function templateInputBlockId(
  name: TemplateInputName,
  { since, revision: now }: Pick<BuilderMetadata, 'since' | 'revision'>,
) {
  return `${name}:${LAID_OUT.has(name) ? now : since}`;
}

function parseTemplateInputName(blockId: string): TemplateInputName | undefined {
  return TemplateInputName.safeParse(blockId.split(':', 1)[0]).data;
}

/** Where to show an error about the whole view. */
export function firstInputId(values: ViewValues): string | undefined {
  return [...values.keys()].find((id) => parseTemplateInputName(id) !== undefined);
}

/** Slack may not send the typed values of a closed view; the last press has saved the most then. */
export function hasTypedValues(values: ViewValues): boolean {
  return [...values.values()].some(({ text }) => text !== undefined);
}

/** The inputs that a view shows. */
export function inputsOf(blocks: readonly KnownBlock[]): TemplateInputName[] {
  const names = blocks.flatMap((block) =>
    block.type === 'input' ? (parseTemplateInputName(block.block_id ?? '') ?? []) : [],
  );
  return [...new Set(names)];
}

/** In the sender menus: the user types the ID. IDs themselves start with `=`. */
export const OTHER_SENDER = 'other';

export function senderIdValue(id: string | number): string {
  return `=${id}`;
}

/** A view's values, with the inputs that its metadata lists. */
export interface FilledBuilderStep {
  readonly values: ViewValues;
  readonly place: BuilderMetadata;
  readonly senders?: readonly ProposalSender[];
}

function readersOf({ values, place }: FilledBuilderStep) {
  const shown = new Set(place.inputs);
  const value = (name: TemplateInputName) => values.get(templateInputBlockId(name, place));
  return {
    has: (name: TemplateInputName) => shown.has(name),
    option: (name: TemplateInputName) => (shown.has(name) ? value(name)?.option : undefined),
    text: (name: TemplateInputName, before: string) => (shown.has(name) ? (value(name)?.text ?? '') : before),
  };
}

/** The form with all values from the view. */
export function parseTemplateForm(form: TemplateForm, filled: FilledBuilderStep): TemplateForm {
  const { values, place } = filled;
  const read = TEMPLATE_FORM_FIELDS.filter(
    (field) => place.inputs.includes(field) && !field.startsWith('sender.'),
  ).reduce((changed, field) => {
    const before = fieldValueOf(form, field);
    const id = templateInputBlockId(field, place);
    const value = readField(templateFormField(field), values, id, before);
    return withTemplateFieldValue(changed, field, value);
  }, form);
  return { ...read, sender: readSender(form.sender, filled) };
}

type Sender = TemplateForm['sender'];

function readSender(before: Sender, { senders, ...filled }: FilledBuilderStep): Sender {
  const { has, option, text } = readersOf(filled);
  const chosen = chosenOf(option('menu.organization'));
  if (option('menu.organization') === OTHER_SENDER && !has('sender.organizationId'))
    return { organizationId: '', contractorUid: '', type: 'unknown' };
  // What the user typed stays if it means the chosen ID.
  const known = findSenderByOrganizationId(senders ?? [], before.organizationId);
  const organizationId = `${known?.organizationId}` === chosen ? before.organizationId : chosen;
  const typed = {
    organizationId: organizationId ?? text('sender.organizationId', before.organizationId),
    contractorUid: has('menu.contractor')
      ? (chosenOf(option('menu.contractor')) ?? text('sender.contractorUid', ''))
      : text('sender.contractorUid', before.contractorUid),
  };
  if (senders) return applySenderChoice(before, typed, senders);
  const isSame = typed.organizationId.trim() === before.organizationId.trim();
  return { ...typed, type: isSame ? before.type : 'unknown' };
}

function chosenOf(option: string | undefined): string | undefined {
  return option?.startsWith('=') ? option.slice(1) : undefined;
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

/** All mistakes, by the block that shows them; undefined if the view has no inputs. */
export function templateFormErrors(
  mistakes: readonly TemplateInputError[],
  place: Pick<BuilderMetadata, 'inputs' | 'since' | 'revision'>,
): Record<string, string> | undefined {
  const errors: [id: string, sentence: string][] = [];
  for (const { field, sentence } of mistakes) {
    const { when } = templateFieldRow(field);
    const near = [field, ...(NEAR_SENDER[field] ?? []), ...(when ? [when.field] : []), ...place.inputs];
    const name = near.find((each) => place.inputs.includes(each));
    if (name === undefined) return undefined;
    errors.push([templateInputBlockId(name, place), sentence]);
  }
  return errorsByBlock(errors);
}
