/**
 * Builds mrkdwn text, and removes from strangers' text what could hide, reorder or break the text around it.
 * Pure. Strangers' text goes through `safeLine` or `safeText`. Escaping `& < >` disables all of Slack's
 * syntax (`<!channel>`, `<@U…>`, `<url|label>`), because each begins with `<`. On a line, such as a title,
 * `* _ ~` and backticks become signs that look alike: they would end the bold text around them. In longer
 * texts they stay. Source: docs/slack-limits.md, "Text".
 */
import type { Instant } from '../../clock.ts';
import type { ChannelId, UserId } from '../../ids.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes mrkdwn's three special characters. Not idempotent: escape once, when building the text. */
export function escapeMrkdwn(text: string): string {
  if (!/[&<>]/u.test(text)) return text;
  return text.replace(/[&<>]/gu, (sign) => ENTITIES[sign] ?? sign);
}

/** Undoes `escapeMrkdwn`: Slack escapes the text of commands and messages. */
export function unescapeMrkdwn(text: string): string {
  return text.replace(/&lt;/gu, '<').replace(/&gt;/gu, '>').replace(/&amp;/gu, '&');
}

const NOTICE = '…';
const LONGEST_ENTITY = '&amp;'.length;

/** Moves a cut at `at` to before any entity, link, mention or surrogate pair that it would split. */
function cutPlace(text: string, at: number): number {
  const open = text.lastIndexOf('<', at - 1);
  if (open >= 0 && text.indexOf('>', open) >= at && /^<(?:https?:|mailto:|[@#!])/u.test(text.slice(open)))
    return open;
  const entity = text.lastIndexOf('&', at - 1);
  if (entity >= 0 && at - entity < LONGEST_ENTITY && /^&(?:amp|lt|gt);/u.test(text.slice(entity))) {
    const end = text.indexOf(';', entity) + 1;
    if (end > at) return entity;
  }
  const last = text.charCodeAt(at - 1);
  return last >= 0xd800 && last <= 0xdbff ? at - 1 : at;
}

/**
 * Clips to `max` characters (UTF-16 units: Slack never counts more), including the final `…`. Never splits an
 * entity, a link, a mention or a surrogate pair, so it works before and after `escapeMrkdwn`.
 */
export function clipText(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < NOTICE.length) return '';
  return text.slice(0, cutPlace(text, max - NOTICE.length)).trimEnd() + NOTICE;
}

const LINE_BREAKS = /\r\n|[\r\v\f\u0085\u2028\u2029]/gu;
/**
 * Control characters (including null bytes), format characters (direction marks, zero-width characters, tags)
 * and lone surrogates. Line feed and tab stay.
 */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/gu;
/** Invisible letters, which can make a label look empty. */
const BLANKS = /[\u115F\u1160\u2800\u3164\uFFA0]/gu;
/** No script stacks more than four marks on a letter. Stacked marks cover the lines above and below. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

const PLAIN = String.raw`[!-~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u20ac]+`;
/** Most texts: the eight passes of `cleanText` would change nothing. */
const ALREADY_CLEAN = new RegExp(`^${PLAIN}(?:(?: |\\n\\n?)${PLAIN})*$`, 'u');

/** Multi-line text without invisible characters: single spaces, at most one empty line in a row, trimmed. */
export function cleanText(text: string): string {
  if (ALREADY_CLEAN.test(text)) return text;
  return text
    .replace(LINE_BREAKS, '\n')
    .replace(UNSEEN, '')
    .replace(BLANKS, ' ')
    .replace(PILED_MARKS, '$1')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n ?/gu, '\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();
}

const PICTURE = String.raw`\p{Extended_Pictographic}[\p{Emoji_Modifier}\uFE0F]*`;
const EMOJI = String.raw`${PICTURE}(?:\u200D${PICTURE})*|[\d#*]\uFE0F\u20E3`;
const HIDDEN = String.raw`(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`;
/** An emoji, whose parts belong together; a character that nobody sees; the fifth mark on a letter. */
const EMOJI_OR_HIDDEN = new RegExp(String.raw`(${EMOJI})|${HIDDEN}|(?<=\p{M}{4})\p{M}`, 'gu');

/**
 * Text exactly as it will be sent, with hidden characters (direction marks, zero-width ones) as `[U+202E]`:
 * people approve what they see.
 */
export function revealText(text: string): string {
  const lines = text.replace(/\r\n/gu, '\n');
  return lines.replace(EMOJI_OR_HIDDEN, (sign, emoji: string | undefined) => {
    const code = (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return emoji ?? `[U+${code}]`;
  });
}

/** How many characters `revealText` shows by their code. */
export function countHiddenCharacters(text: string): number {
  const found = text.replace(/\r\n/gu, '\n').matchAll(EMOJI_OR_HIDDEN);
  return [...found].filter(([, emoji]) => emoji === undefined).length;
}

/** Like `cleanText`, on one line: line breaks become spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\n+/gu, ' ');
}

/** Escapes only what can stay: text of strangers can be very long. */
function escapeAndClip(text: string, max: number): string {
  return clipText(escapeMrkdwn(text.slice(0, max + LONGEST_ENTITY)), max);
}

const LOOK_ALIKES: Readonly<Record<string, string>> = { '*': '∗', _: '＿', '~': '∼', '`': 'ˋ' };
/** Formats where it begins or ends a word; a single `~`, as in `~0123`, formats nothing. */
const FORMATTING = /`|(?<![\p{L}\p{N}])[*_]|[*_](?![\p{L}\p{N}])|~(?=.*~)|(?<=~.*)~/gu;

/**
 * A stranger's text as one safe line of mrkdwn, at most `max` characters after escaping. Nothing in it
 * formats, mentions or links, not even within bold text.
 */
export function safeLine(text: string, max: number): string {
  const line = cleanLine(text).slice(0, max + LONGEST_ENTITY);
  const plain = line.replace(FORMATTING, (sign) => LOOK_ALIKES[sign] ?? sign);
  return escapeAndClip(plain, max);
}

/** A stranger's text as safe multi-line mrkdwn, at most `max` characters after escaping. */
export function safeText(text: string, max: number): string {
  return escapeAndClip(cleanText(text), max);
}

/** User input as code, at most `max` characters of it. */
export function codeText(words: string, max = 400): string {
  return `\`${escapeMrkdwn(clipText(cleanLine(words), max)).replace(/`/gu, "'") || ' '}\``;
}

/** A URL that is safe to link, percent-encoded: http(s), no credentials. @returns undefined for others */
export function safeUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (!/^https?:$/u.test(parsed.protocol) || parsed.username || parsed.password) return undefined;
  const safe = parsed.href.replace(/[<>|\s"^`{}\\]/gu, (sign) => encodeURIComponent(sign));
  // Longer ones show only their label. Source: docs/slack-limits.md (a button's url).
  return safe.length <= 3_000 ? safe : undefined;
}

/** A link whose label is a stranger's text. Only the label where the URL is not safe to link. */
export function formatLink(url: string, label: string, max = 200): string {
  const safe = safeUrl(url);
  const text = safeLine(label, max);
  // Only `&` needs escaping: `safeUrl` has percent-encoded the other special characters.
  return safe && text ? `<${safe.replace(/&/gu, '&amp;')}|${text}>` : text;
}

/** Slack shows the user's name, and notifies users who are in the channel. */
export function formatMention(user: UserId): string {
  return /^[UW][A-Z0-9]+$/u.test(user) ? `<@${user}>` : 'someone';
}

export function channelLink(channel: ChannelId): string {
  return /^[CGD][A-Z0-9]+$/u.test(channel) ? `<#${channel}>` : 'a channel';
}

const DATE_FORMATS = {
  date: '{date_short_pretty}',
  time: '{time}',
  'date-time': '{date_short_pretty} at {time}',
} as const;

const DAY_PARTS = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const TIME_PARTS = { hour: 'numeric', minute: '2-digit' } as const;
/** Created once: creating a formatter is slower than building the rest of a message. */
const UTC_FORMATS = {
  date: new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...DAY_PARTS }),
  time: new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...TIME_PARTS }),
  'date-time': new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...DAY_PARTS, ...TIME_PARTS }),
} as const;

/** A date for places without Slack's own formatting (notifications, exports). Always UTC, and says so. */
function utcDate(at: Instant, style: keyof typeof DATE_FORMATS = 'date-time'): string {
  // Newer Node versions put a narrow space before AM and PM.
  return `${UTC_FORMATS[style].format(at).replaceAll('\u202f', ' ')} UTC`;
}

function dateToken(at: Instant, before: string, style: keyof typeof DATE_FORMATS): string {
  return `<!date^${Math.floor(at / 1_000)}^${before}${DATE_FORMATS[style]}|${utcDate(at, style)}>`;
}

/**
 * Slack capitalizes a date's first letter, as in “Claimed by Ana, Today at 9:05”. An invisible character at
 * the start of the date prevents that.
 */
const WITHIN_A_SENTENCE = '\u200b';

/** A moment in the reader's time zone, for use within a sentence: “today at 9:05”. */
export function formatDate(at: Instant, style: keyof typeof DATE_FORMATS = 'date-time'): string {
  return dateToken(at, style === 'time' ? '' : WITHIN_A_SENTENCE, style);
}

/** Like `formatDate`, for the start of a sentence: “Today at 9:05”. */
export function formatDateCapitalized(at: Instant, style: keyof typeof DATE_FORMATS = 'date-time'): string {
  return dateToken(at, '', style);
}

/** How long ago, computed by the reader's own Slack; the date in UTC if Slack can't. */
export function formatTimeAgo(at: Instant): string {
  return `<!date^${Math.floor(at / 1_000)}^{ago}|${utcDate(at)}>`;
}
