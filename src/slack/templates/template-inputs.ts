/**
 * The template builder's inputs, each with its errors below. Long texts get as many inputs as needed, their
 * length near the limit, and a button for more room. Pure.
 */
import type { KnownBlock } from '@slack/types';
import {
  TEMPLATE_FIELDS,
  type TemplateField,
  templateFieldRow,
  templateFieldText,
} from '../../templates/fields.ts';
import {
  MultiInputTextField,
  type SendersResult,
  type TemplateDraft,
  type TextInputCounts,
} from '../../templates/templates.ts';
import { countCharacters } from '../../typed/texts.ts';
import {
  actionsBlock,
  buttonElement,
  confirmDialog,
  contextBlock,
  sectionBlock,
} from '../kit/block-builders.ts';
import { type FieldValue, fieldInputs } from '../kit/form.ts';
import { actionIds } from '../kit/ids.ts';
import { slackLimits } from '../kit/limits.ts';
import { countInputsForText, jsonByteLength } from '../kit/long-text.ts';
import { formatNumber } from '../kit/numbers.ts';
import { type BuilderFieldErrors, fieldErrorBlocks } from './template-errors.ts';
import {
  applicableFields,
  fieldValueOf,
  type TemplateInputField,
  templateFormField,
} from './template-fields.ts';
import { type BuilderMetadata, templateInputBlockId } from './template-values.ts';

/** `unasked`: the step doesn't need the list. */
export type SendersState = SendersResult | { readonly kind: 'loading' } | { readonly kind: 'unasked' };

/** Everything a step needs to render. */
export interface StepFacts {
  readonly draft: TemplateDraft;
  readonly place: Omit<BuilderMetadata, 'inputs'>;
  readonly marks: BuilderFieldErrors;
  readonly senders: SendersState;
}

interface InputFacts {
  readonly place: Pick<BuilderMetadata, 'since' | 'revision'>;
  readonly marks: BuilderFieldErrors;
  readonly room: TextInputCounts;
}

function isRequired(field: TemplateField): boolean {
  return templateFieldRow(field).required !== undefined;
}

/** A line, a menu or a switch. Numbers are lines, too, and we check them. */
export function shortInput(
  { place, marks }: Omit<InputFacts, 'room'>,
  field: TemplateInputField,
  value: FieldValue,
  optional = !isRequired(field),
): KnownBlock[] {
  const row = templateFormField(field);
  const inputs = fieldInputs(row, {
    id: templateInputBlockId(field, place),
    value: typeof value === 'string' ? value.slice(0, slackLimits.plainTextInput.max) : value,
    optional: row.kind !== 'menu' && optional,
  });
  return [...inputs, ...fieldErrorBlocks(marks, field)];
}

/**
 * JSON bytes for long texts in a view; the rest of Slack's 250,000 is for everything else. Fits three valid
 * texts of the worst kind.
 */
const BYTES_FOR_TEXTS = 190_000;
/** For all long texts of a view together, to stay within 100 blocks. */
const MOST_INPUTS = 60;
/** Source: `TextInputCounts`. */
const MOST_ROOM = 8;

type Texts = readonly (readonly [field: MultiInputTextField, text: string])[];

/**
 * Texts that don't fit in one view beside the others: they stay saved, without an input. The largest get
 * inputs first, so that a text over the limit can be shortened if it fits at all.
 */
function keptTexts(texts: Texts): ReadonlySet<MultiInputTextField> {
  const kept = new Set<MultiInputTextField>();
  let bytes = BYTES_FOR_TEXTS;
  let inputs = MOST_INPUTS;
  for (const [field, text] of texts.toSorted(([, a], [, b]) => jsonByteLength(b) - jsonByteLength(a))) {
    const [weight, parts] = [jsonByteLength(text), countInputsForText(text)];
    if (weight > bytes || parts > inputs) {
      kept.add(field);
    } else {
      bytes -= weight;
      inputs -= parts;
    }
  }
  return kept;
}

function countLongTextInputs(field: MultiInputTextField, text: string, room: TextInputCounts): number {
  return Math.max(room[field] ?? 1, countInputsForText(text));
}

/** One more input; undefined if any valid text already fits. */
export function nextInputCount(
  field: MultiInputTextField,
  text: string,
  room: TextInputCounts,
): number | undefined {
  const next = countLongTextInputs(field, text, room) + 1;
  // Enough for the longest valid text in any script, plus one.
  const enough = Math.ceil((TEMPLATE_FIELDS[field].most * 2) / slackLimits.plainTextInput.max) + 1;
  return next <= Math.min(enough, MOST_ROOM) ? next : undefined;
}

/** Prefix of `templateMoreSpace` values. */
export const CLEAR_TEXT_PREFIX = 'empty:';

/** Shows the length from 90% of the limit. A text over the limit always shows an error. */
function lengthBlocks(field: MultiInputTextField, text: string, marks: BuilderFieldErrors): KnownBlock[] {
  const length = countCharacters(text);
  const most = TEMPLATE_FIELDS[field].most;
  const isNear = length >= most * 0.9 && length <= most;
  return [
    ...(isNear ? [contextBlock(`${formatNumber(length)} of ${formatNumber(most)} characters.`)] : []),
    ...fieldErrorBlocks(marks, field, length > most),
  ];
}

function keptBlocks(field: MultiInputTextField, text: string, marks: BuilderFieldErrors): KnownBlock[] {
  const words =
    `*${TEMPLATE_FIELDS[field].label}* (${formatNumber(countCharacters(text))} characters) ` +
    "is saved but doesn't fit in this window. To see it, shorten the other texts, or start over.";
  const anew = buttonElement({
    id: actionIds.templateMoreSpace,
    label: 'Start Over',
    value: `${CLEAR_TEXT_PREFIX}${field}`,
    confirm: confirmDialog(
      'Start over?',
      `This permanently deletes the text in “${TEMPLATE_FIELDS[field].label}”.`,
      'Delete Text',
    ),
  });
  return [sectionBlock(words, anew), ...fieldErrorBlocks(marks, field, true)];
}

function shownBlocks(
  { room, place, marks }: InputFacts,
  field: MultiInputTextField,
  text: string,
): KnownBlock[] {
  const parts = countLongTextInputs(field, text, room);
  const { hint = '', ...row } = templateFormField(field);
  const more = buttonElement({
    id: actionIds.templateMoreSpace,
    label: 'Add More Space',
    value: field,
    accessibilityLabel: `Add more space for ${TEMPLATE_FIELDS[field].label}`,
  });
  return [
    ...fieldInputs(
      { ...row, hint: parts > 1 ? `${hint} The parts are joined with nothing between them.` : hint },
      { id: templateInputBlockId(field, place), value: text, parts, optional: !isRequired(field) },
    ),
    ...lengthBlocks(field, text, marks),
    ...(nextInputCount(field, text, room) === undefined ? [] : [actionsBlock([more])]),
  ];
}

/** The blocks of a view's long texts, by field. */
export function longTextBlocks(
  texts: Texts,
  facts: InputFacts,
): ReadonlyMap<TemplateField, readonly KnownBlock[]> {
  const kept = keptTexts(texts);
  return new Map(
    texts.map(([field, text]) => [
      field,
      kept.has(field) ? keptBlocks(field, text, facts.marks) : shownBlocks(facts, field, text),
    ]),
  );
}

/** The inputs of a step or a group of fields, each with its errors. @param part such as `ai`, `hourly` */
export function stepInputs({ draft, place, marks }: StepFacts, part: string): KnownBlock[] {
  const { form, room } = draft;
  const fields = applicableFields(form, part);
  const texts = fields.flatMap((field) => {
    const long = MultiInputTextField.safeParse(field).data;
    return long ? [[long, templateFieldText(form, long)] as const] : [];
  });
  const long = longTextBlocks(texts, { place, marks, room });
  return fields.flatMap((field) => {
    const value = fieldValueOf(form, field);
    return long.get(field) ?? shortInput({ place, marks }, field, value);
  });
}
