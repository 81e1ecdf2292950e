/** Long texts: cut into parts that fit a block, an input or a view, and joined again. Pure. */
import type { InputBlock } from '@slack/types';
import type { ViewValues } from '../core/routes.ts';
import { textInput } from './inputs.ts';
import { slackLimits } from './limits.ts';
import { cleanLine, clipText } from './mrkdwn.ts';
import { formatNumber } from './numbers.ts';

/** Where a part of `most` characters ends: after a line or else a word; never splits a surrogate pair. */
export function findPartEnd(text: string, from: number, most: number): number {
  const full = from + most;
  if (full >= text.length) return text.length;
  const near = text.slice(Math.max(from + 1, full - 400), full);
  const gap = [near.lastIndexOf('\n'), near.lastIndexOf(' ')].find((at) => at >= 0);
  if (gap !== undefined) return full - near.length + gap + 1;
  const last = text.charCodeAt(full - 1);
  return last >= 0xd800 && last <= 0xdbff && most > 1 ? full - 1 : full;
}

/** Parts of at most 3,000 characters, trimmed, none empty. */
export function splitIntoParts(text: string): readonly string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = findPartEnd(text, from, slackLimits.sectionText.max);
    const part = text.slice(from, end).trim();
    if (part) parts.push(part);
    from = end;
  }
  return parts;
}

/** One line of plain text: clipped after a word if there is one, then `[300 of 1,240 characters]`. */
export function excerptText(text: string, max: number): string {
  const whole = cleanLine(text);
  if (whole.length <= max) return whole;
  const clipped = clipText(whole, max);
  const gap = clipped.lastIndexOf(' ');
  const shown = gap > max - 30 ? `${clipped.slice(0, gap)}…` : clipped;
  return `${shown} [${formatNumber(max)} of ${formatNumber(whole.length)} characters]`;
}

/** In UTF-16 units, as Slack counts. Source: docs/slack-limits.md. */
const PART = slackLimits.plainTextInput.max;
/** How far back from a full input to look for a better split. */
const LOOK_BACK = 200;

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

function isSpace(text: string, place: number): boolean {
  return /^\s$/u.test(text.charAt(place));
}

/** The end of the part that starts at `from`: never inside a character, and not next to white space. */
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
      hint: hint && index === 0 ? hint : undefined,
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

/** The bytes that a text adds to a view: UTF-8, escaped. Source: docs/slack-limits.md, `viewSize`. */
export function jsonByteLength(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** The start of a text, at most `most` bytes; a clipped one ends in `…`. @param most bytes, 10 at least */
export function clipToJsonBytes(text: string, most: number): string {
  let clipped = text;
  for (let weight = jsonByteLength(clipped); weight > most; weight = jsonByteLength(clipped))
    clipped = clipText(clipped, Math.floor((clipped.length * most * 0.95) / weight));
  return clipped;
}
