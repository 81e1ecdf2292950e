/** Text objects and attributes as HTML. Pure. */
import { objectOf, textOf } from '../../slack/reading.ts';
import type { Reader } from './dates.ts';
import { drawRichText, type Names } from './markup.ts';
import { readMrkdwn, readPlain, unescapeEntities } from './mrkdwn.ts';

/** For whom is drawn, and who is called what. */
export interface Paper {
  readonly reader: Reader;
  readonly names: Names;
}

const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Words as they may stand in HTML, also in an attribute. */
export function escapeHtml(words: string): string {
  return words.replaceAll(/[&<>"']/gu, (sign) => SIGNS[sign] ?? sign);
}

/** A `plain_text` or `mrkdwn` object. */
export function drawText(value: unknown, { reader, names }: Paper): string {
  const { type, text, verbatim, emoji } = objectOf(value);
  const words = textOf(text) ?? '';
  const parts =
    type === 'mrkdwn' ? readMrkdwn(words, reader, verbatim === true) : readPlain(words, emoji !== false);
  return drawRichText(parts, names);
}

/** The same where a paragraph would be in the way. */
export function drawWords(value: unknown, paper: Paper): string {
  return drawText(value, paper)
    .replaceAll(/<\/p><p>/gu, '<br>')
    .replaceAll(/<\/?p>/gu, '');
}

/** The words of a text object for a control of the browser, where nothing can be formatted. */
export function wordsOf(value: unknown, paper: Paper): string {
  const html = drawText(value, paper)
    .replaceAll(/<br>|<\/p><p>/gu, '\n')
    .replaceAll(/<[^>]*>/gu, '');
  return unescapeEntities(html.replaceAll('&quot;', '"').replaceAll('&#x27;', "'"));
}
