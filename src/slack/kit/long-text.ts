/**
 * Texts longer than one Slack input: splits them over several inputs and joins them again without changes.
 * Pure.
 */
import type { InputBlock } from '@slack/types';
import type { ViewValues } from '../core/routes.ts';
import { textInput } from './inputs.ts';
import { slackLimits } from './limits.ts';

/** In UTF-16 units, as Slack counts. Source: docs/slack-limits.md. */
const PART = slackLimits.plainTextInput.max;
/** How far back from a full input to look for a better split. */
const LOOK_BACK = 200;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

function isSpace(text: string, place: number): boolean {
  return /^\s$/u.test(text.charAt(place));
}

/**
 * The end of the part that starts at `from`: within `PART`, never inside a character, and not next to white
 * space.
 */
function endOfPart(text: string, from: number): number {
  const full = from + PART;
  if (full >= text.length) return text.length;
  const whole = characters.segment(text.slice(full - LOOK_BACK, full + LOOK_BACK));
  const starts = [...whole].map((it) => it.index + full - LOOK_BACK).filter((place) => place <= full);
  // The first start is where the search began, which may be inside a character.
  const places = starts.slice(1).toReversed();
  // White space at the end of an input is easily lost.
  const best = places.find((place) => !isSpace(text, place - 1) && !isSpace(text, place));
  return best ?? places[0] ?? betweenSurrogates(text, full);
}

function betweenSurrogates(text: string, place: number): number {
  const splits = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(place - 1, place + 1));
  return splits ? place - 1 : place;
}

/** The parts of a text, each within one input; joined, they equal the text. Empty for an empty text. */
function splitText(text: string): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = endOfPart(text, from);
    parts.push(text.slice(from, end));
    from = end;
  }
  return parts;
}

/** At least one. */
export function countInputsForText(text: string): number {
  return Math.max(splitText(text).length, 1);
}

export interface LongTextField {
  /** The first input's block ID, where errors show; the others are `<id>~2`, `<id>~3`, … */
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly text: string;
  /** How many inputs to show; more if the text needs them. */
  readonly parts: number;
  readonly optional?: boolean;
}

function partId(id: string, part: number): string {
  return part === 1 ? id : `${id}~${part}`;
}

/** Inputs for a text of any length; `joinLongText` reads their values. */
export function longTextInputs({ id, label, hint, text, parts, optional }: LongTextField): InputBlock[] {
  const texts = splitText(text);
  const count = Math.max(parts, texts.length, 1);
  return Array.from({ length: count }, (_, index) =>
    textInput({
      id: partId(id, index + 1),
      label: count === 1 ? label : `${label} (part ${index + 1} of ${count})`,
      ...(hint && index === 0 ? { hint } : {}),
      // Slack requires only the first part: the others are extra room.
      optional: optional === true || index > 0,
      multiline: true,
      initial: texts[index] ?? '',
    }),
  );
}

/** The text of all its inputs, joined without a separator or trimming. */
export function joinLongText(values: ViewValues, id: string): string {
  const parts: { readonly part: number; readonly text: string }[] = [];
  for (const [blockId, { text }] of values) {
    const part = blockId === id ? 1 : partNumber(blockId, id);
    if (part !== undefined && text !== undefined) parts.push({ part, text });
  }
  return parts
    .toSorted((a, b) => a.part - b.part)
    .map((it) => it.text)
    .join('');
}

function partNumber(blockId: string, id: string): number | undefined {
  if (!blockId.startsWith(`${id}~`)) return undefined;
  const number = blockId.slice(id.length + 1);
  return /^[1-9]\d{0,2}$/u.test(number) ? Number(number) : undefined;
}
