/** The start of a long text, and its parts, each of which fits one block. Pure. */
import { cleanLine } from './clean-text.ts';
import { slackLimits } from './limits.ts';
import { clipText } from './mrkdwn.ts';
import { formatNumber } from './numbers.ts';

/** How far back from a full part to look for the end of a line or a word. */
const LOOK_BACK = 400;

/**
 * Where a part of `most` characters ends: after a line or else a word that ends nearby. Never splits a
 * surrogate pair.
 */
export function findPartEnd(text: string, from: number, most: number): number {
  const full = from + most;
  if (full >= text.length) return text.length;
  const near = text.slice(Math.max(from + 1, full - LOOK_BACK), full);
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

/** One line of plain text, followed by `[300 of 1,240 characters]` if it was clipped. */
export function excerptText(text: string, max: number): string {
  const whole = cleanLine(text);
  if (whole.length <= max) return whole;
  return `${clipText(whole, max)} [${formatNumber(max)} of ${formatNumber(whole.length)} characters]`;
}
