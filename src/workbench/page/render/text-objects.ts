/** Text objects and attributes as HTML. Pure. */
import { objectOrEmpty, stringOrUndefined } from '../../slack/json-reading.ts';
import type { ReaderTimeContext } from './dates.ts';
import { type MentionNames, richTextHtml } from './markup.ts';
import { parseMrkdwn, parsePlainText, unescapeEntities } from './mrkdwn.ts';

/** The reader, and the names of mentioned IDs. */
export interface HtmlRenderContext {
  readonly reader: ReaderTimeContext;
  readonly names: MentionNames;
}

const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML, including attributes. */
export function escapeHtml(words: string): string {
  return words.replaceAll(/[&<>"']/gu, (sign) => SIGNS[sign] ?? sign);
}

export function textObjectHtml(value: unknown, { reader, names }: HtmlRenderContext): string {
  const { type, text, verbatim, emoji } = objectOrEmpty(value);
  const words = stringOrUndefined(text) ?? '';
  const parts =
    type === 'mrkdwn'
      ? parseMrkdwn(words, reader, verbatim === true)
      : parsePlainText(words, emoji !== false);
  return richTextHtml(parts, names);
}

/** The same without a paragraph. */
export function inlineTextHtml(value: unknown, paper: HtmlRenderContext): string {
  return textObjectHtml(value, paper)
    .replaceAll(/<\/p><p>/gu, '<br>')
    .replaceAll(/<\/?p>/gu, '');
}

/** The plain text of a text object, for native controls. */
export function textObjectToPlainText(value: unknown, paper: HtmlRenderContext): string {
  const html = textObjectHtml(value, paper)
    .replaceAll(/<br>|<\/p><p>/gu, '\n')
    .replaceAll(/<[^>]*>/gu, '');
  return unescapeEntities(html.replaceAll('&quot;', '"').replaceAll('&#x27;', "'"));
}
