/**
 * Parses Slack's markup into rich text, as Slack itself does. The library's own parser loses lines that begin
 * with `#`, formats plain text and doubles characters in code. It leaves rich text unchanged. Pure.
 */
import { isJsonObject, stringOrUndefined } from '../../slack/json-reading.ts';
import { formatSlackDate, type ReaderTimeContext } from './dates.ts';

export interface RichTextStyle {
  readonly bold?: true;
  readonly italic?: true;
  readonly strike?: true;
  readonly code?: true;
}

/** A part of a line. */
export type RichTextInline =
  | { readonly type: 'text'; readonly text: string; readonly style?: RichTextStyle }
  | { readonly type: 'link'; readonly url: string; readonly text: string; readonly style?: RichTextStyle }
  | { readonly type: 'user'; readonly user_id: string; readonly style?: RichTextStyle }
  | { readonly type: 'channel'; readonly channel_id: string; readonly style?: RichTextStyle }
  | { readonly type: 'usergroup'; readonly usergroup_id: string; readonly style?: RichTextStyle }
  | { readonly type: 'broadcast'; readonly range: 'here' | 'channel' | 'everyone' }
  | { readonly type: 'emoji'; readonly name: string };

/** A paragraph, quote or code block. */
export interface RichTextPart {
  readonly type: 'rich_text_section' | 'rich_text_quote' | 'rich_text_preformatted';
  readonly elements: readonly RichTextInline[];
}

export function unescapeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** A URL that a browser may open; undefined for `javascript:` and the like, or after invisible characters. */
export function safeLinkUrl(url: string): string | undefined {
  return /^(?:https?|mailto):/iu.test(url) && URL.canParse(url) ? url : undefined;
}

/** One sign: a Slack entity, an escaped character, an emoji, a URL or a character. */
const SIGNS =
  /<[^<>\n]+>|&(?:amp|lt|gt);|:[a-z0-9_+'-]{1,60}:|https?:\/\/[^\s<>|`*]*[^\s<>|`*_~.,;:!?'")\]]|[\s\S]/giu;
/** The same for text with `verbatim`: bare URLs stay text. */
const SIGNS_VERBATIM = /<[^<>\n]+>|&(?:amp|lt|gt);|:[a-z0-9_+'-]{1,60}:|[\s\S]/giu;

const MARKS: Readonly<Record<string, keyof RichTextStyle>> = {
  '*': 'bold',
  _: 'italic',
  '~': 'strike',
  '`': 'code',
};

/** Formatting spans at most this many signs: a hostile text must not cause a full search for every sign. */
const FARTHEST = 3_000;

function isWord(sign: string | undefined): boolean {
  return sign !== undefined && /^[\p{L}\p{N}]$/u.test(sign);
}

function isSpace(sign: string | undefined): boolean {
  return sign === undefined || /^\s$/u.test(sign);
}

/** Where the mark at `from` ends; undefined if it is a normal character. */
function closeOf(signs: readonly string[], from: number, end: number): number | undefined {
  const mark = signs[from];
  const isCode = mark === '`';
  const next = signs[from + 1];
  if (!isCode && (isWord(signs[from - 1]) || isSpace(next) || next === mark)) return undefined;
  for (let at = from + 1; at < Math.min(end, from + FARTHEST) && signs[at] !== '\n'; at++) {
    if (signs[at] !== mark || at === from + 1) continue;
    if (isCode || (!isSpace(signs[at - 1]) && !isWord(signs[at + 1]))) return at;
  }
  return undefined;
}

/** The text of an entity where formatting isn't possible. */
function plainSign(sign: string): string {
  if (!/^<.+>$/u.test(sign)) return unescapeEntities(sign);
  const [target, label] = splitEntity(sign);
  return unescapeEntities(/^(?:https?|mailto):/iu.test(target) ? (label ?? target) : sign);
}

/** `<target|label>` */
function splitEntity(sign: string): [target: string, label: string | undefined] {
  const inside = sign.slice(1, -1);
  const bar = inside.indexOf('|');
  return bar < 0 ? [inside, undefined] : [inside.slice(0, bar), inside.slice(bar + 1)];
}

function dateSign(
  target: string,
  label: string | undefined,
  style: RichTextStyle,
  reader: ReaderTimeContext,
): RichTextInline {
  const [, seconds = '', format = '', link] = target.split('^');
  const text = unescapeEntities(formatSlackDate(seconds, format, reader) ?? label ?? '');
  const url = link === undefined ? undefined : safeLinkUrl(unescapeEntities(link));
  return url === undefined ? { type: 'text', text, style } : { type: 'link', url, text, style };
}

function special(
  target: string,
  label: string | undefined,
  style: RichTextStyle,
  reader: ReaderTimeContext,
): RichTextInline {
  const name = target.slice(1);
  if (name === 'here' || name === 'channel' || name === 'everyone') return { type: 'broadcast', range: name };
  if (name.startsWith('date^')) return dateSign(target, label, style, reader);
  const group = /^subteam\^(\w+)$/u.exec(name)?.[1];
  if (group !== undefined) return { type: 'usergroup', usergroup_id: group, style };
  return { type: 'text', text: unescapeEntities(label ?? `<${target}>`), style };
}

function entity(sign: string, style: RichTextStyle, reader: ReaderTimeContext): RichTextInline {
  const [target, label] = splitEntity(sign);
  const id = /^[@#](\w+)$/u.exec(target)?.[1];
  if (id !== undefined && target.startsWith('@')) return { type: 'user', user_id: id, style };
  if (id !== undefined) return { type: 'channel', channel_id: id, style };
  if (target.startsWith('!')) return special(target, label, style, reader);
  const url = safeLinkUrl(unescapeEntities(target));
  if (url === undefined) return { type: 'text', text: unescapeEntities(label ?? sign), style };
  return { type: 'link', url, text: unescapeEntities(label ?? target.replace(/^mailto:/iu, '')), style };
}

function single(sign: string, style: RichTextStyle, reader: ReaderTimeContext): RichTextInline {
  if (/^<.+>$/u.test(sign)) return entity(sign, style, reader);
  if (/^:.+:$/u.test(sign)) return { type: 'emoji', name: sign.slice(1, -1).toLowerCase() };
  const url = /^https?:/iu.test(sign) ? safeLinkUrl(unescapeEntities(sign)) : undefined;
  const text = unescapeEntities(sign);
  return url === undefined ? { type: 'text', text, style } : { type: 'link', url, text, style };
}

/** Merges neighboring texts of the same style. */
function joinTexts(parts: readonly RichTextInline[]): RichTextInline[] {
  const joined: RichTextInline[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && last?.type === 'text' && last.style === part.style)
      joined[joined.length - 1] = { ...last, text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

function readSigns(
  signs: readonly string[],
  from: number,
  end: number,
  style: RichTextStyle,
  reader: ReaderTimeContext,
): RichTextInline[] {
  const parts: RichTextInline[] = [];
  for (let at = from; at < end; at++) {
    const sign = signs[at] ?? '';
    const kind = Object.hasOwn(MARKS, sign) ? MARKS[sign] : undefined;
    const close = kind === undefined || style[kind] ? undefined : closeOf(signs, at, end);
    if (kind === undefined || close === undefined) {
      parts.push(single(sign, style, reader));
      continue;
    }
    const inner = { ...style, [kind]: true as const };
    if (kind === 'code')
      parts.push({
        type: 'text',
        text: signs
          .slice(at + 1, close)
          .map(plainSign)
          .join(''),
        style: inner,
      });
    else parts.push(...readSigns(signs, at + 1, close, inner, reader));
    at = close;
  }
  return joinTexts(parts);
}

function readLine(text: string, reader: ReaderTimeContext, verbatim: boolean): readonly RichTextInline[] {
  const signs = text.match(verbatim ? SIGNS_VERBATIM : SIGNS) ?? [];
  return readSigns(signs, 0, signs.length, {}, reader);
}

const QUOTE = /^(?:&gt;|>(?!>>)) ?/u;
const QUOTE_TO_THE_END = /^(?:(?:&gt;){3}|>>>) ?/u;

/** Groups quoted and unquoted lines into one part each. */
function readLines(text: string, reader: ReaderTimeContext, verbatim: boolean): RichTextPart[] {
  const parts: { quoted: boolean; lines: string[] }[] = [];
  let toTheEnd = false;
  for (const line of text.split('\n')) {
    const begins: boolean = !toTheEnd && QUOTE_TO_THE_END.test(line);
    toTheEnd ||= begins;
    const quoted = toTheEnd || QUOTE.test(line);
    const words = begins ? line.replace(QUOTE_TO_THE_END, '') : toTheEnd ? line : line.replace(QUOTE, '');
    const last = parts.at(-1);
    if (last?.quoted === quoted) last.lines.push(words);
    else parts.push({ quoted, lines: [words] });
  }
  return parts.map(({ quoted, lines }) => ({
    type: quoted ? 'rich_text_quote' : 'rich_text_section',
    elements: readLine(lines.join('\n'), reader, verbatim),
  }));
}

/** Parses a `mrkdwn` text. @param verbatim bare URLs don't become links */
export function parseMrkdwn(
  text: string,
  reader: ReaderTimeContext,
  verbatim = false,
): readonly RichTextPart[] {
  return text.split('```').flatMap((piece, index, pieces): RichTextPart[] => {
    const isFenced = index % 2 === 1 && index < pieces.length - 1;
    if (isFenced) {
      const code = (piece.match(SIGNS_VERBATIM) ?? []).map(plainSign).join('');
      return [
        { type: 'rich_text_preformatted', elements: [{ type: 'text', text: code.replace(/^\n|\n$/gu, '') }] },
      ];
    }
    const isUnclosed = index % 2 === 1;
    const words = isUnclosed ? `\`\`\`${piece}` : piece;
    const edges = index > 0 && !isUnclosed ? words.replace(/^\n/u, '') : words;
    const trimmed = index < pieces.length - 1 ? edges.replace(/\n$/u, '') : edges;
    return trimmed === '' && pieces.length > 1 ? [] : readLines(trimmed, reader, verbatim);
  });
}

/** Parses a `plain_text`: every character stays, and emoji names become emoji if enabled. */
export function parsePlainText(text: string, emoji = true): readonly RichTextPart[] {
  const words = unescapeEntities(text);
  const signs = emoji ? words.split(/(:[a-z0-9_+'-]{1,60}:)/giu) : [words];
  const elements = signs
    .filter((sign) => sign !== '')
    .map(
      (sign): RichTextInline =>
        emoji && /^:[a-z0-9_+'-]{1,60}:$/iu.test(sign)
          ? { type: 'emoji', name: sign.slice(1, -1) }
          : { type: 'text', text: sign },
    );
  return [{ type: 'rich_text_section', elements }];
}

/** Formats the dates in an app's rich text for the reader: the library drops their fallbacks and links. */
export function formatRichTextDates(value: unknown, reader: ReaderTimeContext): unknown {
  if (Array.isArray(value)) return value.map((each) => formatRichTextDates(each, reader));
  if (!isJsonObject(value)) return value;
  if (value['type'] === 'date') {
    const words = formatSlackDate(
      String(value['timestamp']),
      stringOrUndefined(value['format']) ?? '',
      reader,
    );
    const text = words ?? stringOrUndefined(value['fallback']) ?? '';
    const url = safeLinkUrl(stringOrUndefined(value['url']) ?? '');
    return url === undefined ? { type: 'text', text } : { type: 'link', url, text };
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, formatRichTextDates(field, reader)]),
  );
}
