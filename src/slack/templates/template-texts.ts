/**
 * The template builder's long texts: as many inputs as needed, their length near the limit, and a button for
 * more room. Pure.
 */
import type { ConfirmationDialog, KnownBlock } from '@slack/types';
import { TEMPLATE_FIELDS } from '../../templates/form.ts';
import type { MultiInputTextField, TextInputCounts } from '../../templates/records.ts';
import { countCharacters } from '../../typed/texts.ts';
import {
  actionsBlock,
  buttonElement,
  confirmDialog,
  contextBlock,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { jsonByteLength } from '../kit/json-bytes.ts';
import { slackLimits } from '../kit/limits.ts';
import { countInputsForText, longTextInputs } from '../kit/long-text.ts';
import { formatNumber } from '../kit/numbers.ts';
import { type BuilderFieldErrors, fieldErrorBlocks } from './template-field-errors.ts';
import { FIELD_HINTS, FIELD_LABELS } from './template-labels.ts';

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

/** Enough inputs for the longest valid text in any script, plus one. */
function enoughRoom(field: MultiInputTextField): number {
  const units = TEMPLATE_FIELDS[field].most * 2;
  return Math.min(Math.ceil(units / slackLimits.plainTextInput.max) + 1, MOST_ROOM);
}

export function countLongTextInputs(field: MultiInputTextField, text: string, room: TextInputCounts): number {
  return Math.max(room[field] ?? 1, countInputsForText(text));
}

/** One more input; undefined if any valid text already fits. */
export function nextInputCount(
  field: MultiInputTextField,
  text: string,
  room: TextInputCounts,
): number | undefined {
  const next = countLongTextInputs(field, text, room) + 1;
  return next <= enoughRoom(field) ? next : undefined;
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

function beginAnew(field: MultiInputTextField): ConfirmationDialog {
  return confirmDialog(
    'Start over?',
    `This permanently deletes the text in “${FIELD_LABELS[field]}”.`,
    'Delete Text',
  );
}

function keptBlocks(field: MultiInputTextField, text: string, marks: BuilderFieldErrors): KnownBlock[] {
  const words =
    `*${FIELD_LABELS[field]}* (${formatNumber(countCharacters(text))} characters) ` +
    "is saved but doesn't fit in this window. To see it, shorten the other texts, or start over.";
  const anew = buttonElement({
    id: actionIds.templateMoreSpace,
    label: 'Start Over',
    value: `${CLEAR_TEXT_PREFIX}${field}`,
    confirm: beginAnew(field),
  });
  return [sectionBlock(words, anew), ...fieldErrorBlocks(marks, field, true)];
}

export interface LongTextFacts {
  readonly room: TextInputCounts;
  readonly marks: BuilderFieldErrors;
  /** The block ID of a text's first input. */
  readonly id: (field: MultiInputTextField) => string;
  readonly required: ReadonlySet<MultiInputTextField>;
}

function shownBlocks(field: MultiInputTextField, text: string, facts: LongTextFacts): KnownBlock[] {
  const { room, marks, required } = facts;
  const more = nextInputCount(field, text, room);
  const label = `Add More Space: ${FIELD_LABELS[field]}`;
  const hint = FIELD_HINTS[field] ?? '';
  const parts = countLongTextInputs(field, text, room);
  return [
    ...longTextInputs({
      id: facts.id(field),
      label: FIELD_LABELS[field],
      hint: parts > 1 ? `${hint} The parts are joined with nothing between them.` : hint,
      text,
      parts,
      optional: !required.has(field),
    }),
    ...lengthBlocks(field, text, marks),
    ...(more === undefined
      ? []
      : [actionsBlock([buttonElement({ id: actionIds.templateMoreSpace, label, value: field })])]),
  ];
}

/** The blocks of a view's long texts, by field. */
export function longTextBlocks(
  texts: Texts,
  facts: LongTextFacts,
): ReadonlyMap<MultiInputTextField, readonly KnownBlock[]> {
  const kept = keptTexts(texts);
  return new Map(
    texts.map(([field, text]) => [
      field,
      kept.has(field) ? keptBlocks(field, text, facts.marks) : shownBlocks(field, text, facts),
    ]),
  );
}
