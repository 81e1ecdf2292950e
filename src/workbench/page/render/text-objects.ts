/** Text objects and attributes as HTML. Pure. */
import { objectOrEmpty, stringOrUndefined } from '../../slack/json-reading.ts';
import type { DateReader } from './dates.ts';
import { type MentionNames, richTextHtml } from './markup.ts';
import { parseMrkdwn, parsePlainText, unescapeEntities } from './mrkdwn.ts';

/** For whom is drawn, and who is called what. */
export interface HtmlRenderContext {
  readonly reader: DateReader;
  readonly names: MentionNames;
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
export function textObjectHtml(value: unknown, { reader, names }: HtmlRenderContext): string {
  const { type, text, verbatim, emoji } = objectOrEmpty(value);
  const words = stringOrUndefined(text) ?? '';
  const parts =
    type === 'mrkdwn'
      ? parseMrkdwn(words, reader, verbatim === true)
      : parsePlainText(words, emoji !== false);
  return richTextHtml(parts, names);
}

/** The same where a paragraph would be in the way. */
export function inlineTextHtml(value: unknown, paper: HtmlRenderContext): string {
  return textObjectHtml(value, paper)
    .replaceAll(/<\/p><p>/gu, '<br>')
    .replaceAll(/<\/?p>/gu, '');
}

/** The words of a text object for a control of the browser, where nothing can be formatted. */
export function textObjectToPlainText(value: unknown, paper: HtmlRenderContext): string {
  const html = textObjectHtml(value, paper)
    .replaceAll(/<br>|<\/p><p>/gu, '\n')
    .replaceAll(/<[^>]*>/gu, '');
  return unescapeEntities(html.replaceAll('&quot;', '"').replaceAll('&#x27;', "'"));
}
