/** Long texts in the template builder: as many inputs as they need, how long they are near their bound, and more room. Pure. */
import type { ConfirmationDialog, KnownBlock } from '@slack/types';
import { MOST_CHARACTERS } from '../../templates/bounds.ts';
import type { LongText, TextRoom } from '../../templates/records.ts';
import { countCharacters } from '../../typed/texts.ts';
import { actionIds } from '../blocks/ids.ts';
import { limits } from '../blocks/limits.ts';
import { number } from '../blocks/numbers.ts';
import { actions, button, confirm, context, section } from '../messages/parts.ts';
import { FIELD_HINTS, FIELD_LABELS } from '../messages/template-words.ts';
import { longTextInputs, partsFor } from './long-text.ts';
import { type Marks, markBlocks } from './template-marks.ts';
import { weightOf } from './weight.ts';

/** Bytes of JSON that a view gives to long texts; the rest of Slack's 250,000 is for everything else. Three legal texts of the worst kind fit. */
const BYTES_FOR_TEXTS = 190_000;
/** Of all long texts of a view together, so that it keeps within 100 blocks. */
const MOST_INPUTS = 60;
/** Source: `TextRoom`. */
const MOST_ROOM = 8;

type Texts = readonly (readonly [field: LongText, text: string])[];

/**
 * Texts that are too much for one view beside the others: they are kept as they are, without an input. The heaviest come
 * first, so that one that is too long can always be made shorter, where it fits at all.
 */
function keptTexts(texts: Texts): ReadonlySet<LongText> {
  const kept = new Set<LongText>();
  let bytes = BYTES_FOR_TEXTS;
  let inputs = MOST_INPUTS;
  for (const [field, text] of texts.toSorted(([, a], [, b]) => weightOf(b) - weightOf(a))) {
    const [weight, parts] = [weightOf(text), partsFor(text)];
    if (weight > bytes || parts > inputs) {
      kept.add(field);
    } else {
      bytes -= weight;
      inputs -= parts;
    }
  }
  return kept;
}

/** How many inputs are enough for the longest legal text, whatever it is written in, and one more. */
function enoughRoom(field: LongText): number {
  const units = MOST_CHARACTERS[field] * 2;
  return Math.min(Math.ceil(units / limits.plainTextInput.max) + 1, MOST_ROOM);
}

export function roomOf(field: LongText, text: string, room: TextRoom): number {
  return Math.max(room[field] ?? 1, partsFor(text));
}

/** One input more; undefined where there is room for whatever is legal. */
export function nextRoom(field: LongText, text: string, room: TextRoom): number | undefined {
  const next = roomOf(field, text, room) + 1;
  return next <= enoughRoom(field) ? next : undefined;
}

/** Values of `templateRoom`. */
export const EMPTY_IT = 'empty:';

/** From nine tenths of the bound on; what is above it says so, whether anybody asked or not. */
function lengthBlocks(field: LongText, text: string, marks: Marks): KnownBlock[] {
  const length = countCharacters(text);
  const most = MOST_CHARACTERS[field];
  const isNear = length >= most * 0.9 && length <= most;
  return [
    ...(isNear ? [context(`${number(length)} of ${number(most)} characters.`)] : []),
    ...markBlocks(marks, field, length > most),
  ];
}

function beginAnew(field: LongText): ConfirmationDialog {
  return confirm(
    'Start over?',
    `This permanently deletes the text in “${FIELD_LABELS[field]}”.`,
    'Delete Text',
  );
}

function keptBlocks(field: LongText, text: string, marks: Marks): KnownBlock[] {
  const words = `*${FIELD_LABELS[field]}* (${number(countCharacters(text))} characters) is saved but doesn't fit in this window. To see it, shorten the other texts, or start over.`;
  const anew = button({
    id: actionIds.templateRoom,
    label: 'Start Over',
    value: `${EMPTY_IT}${field}`,
    confirm: beginAnew(field),
  });
  return [section(words, anew), ...markBlocks(marks, field, true)];
}

export interface TextsFacts {
  readonly room: TextRoom;
  readonly marks: Marks;
  /** The block of a text's first input. */
  readonly id: (field: LongText) => string;
  readonly required: ReadonlySet<LongText>;
}

function shownBlocks(field: LongText, text: string, facts: TextsFacts): KnownBlock[] {
  const { room, marks, required } = facts;
  const more = nextRoom(field, text, room);
  const label = `Add More Space: ${FIELD_LABELS[field]}`;
  const hint = FIELD_HINTS[field] ?? '';
  const parts = roomOf(field, text, room);
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
    ...(more === undefined ? [] : [actions([button({ id: actionIds.templateRoom, label, value: field })])]),
  ];
}

/** The texts of one view, each in its place. */
export function textBlocks(texts: Texts, facts: TextsFacts): ReadonlyMap<LongText, readonly KnownBlock[]> {
  const kept = keptTexts(texts);
  return new Map(
    texts.map(([field, text]) => [
      field,
      kept.has(field) ? keptBlocks(field, text, facts.marks) : shownBlocks(field, text, facts),
    ]),
  );
}
