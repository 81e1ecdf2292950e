/**
 * Building blocks of mrkdwn text.
 *
 * Strangers' text goes through `safeLine` or `safeText`. Escaping `& < >` disarms all of Slack's own syntax
 * (`<!channel>`, `<@U…>`, `<url|label>`), because each begins with `<`. The signs `* _ ~` and backticks are left as
 * they are: they can make words bold, but they can neither link nor mention. Where even that would mislead, use a
 * `plain_text` object. Source: docs/slack-limits.md, "Text".
 */
import type { Instant } from '../../clock.ts';
import type { ChannelId, UserId } from '../../ids.ts';
import { cleanLine, cleanText } from './clean-text.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes the three signs that mrkdwn gives a meaning in `text`. Not idempotent: escape once, when the text is built in. */
export function escapeMrkdwn(text: string): string {
  return text.replace(/[&<>]/gu, (sign) => ENTITIES[sign] ?? sign);
}

/** Undoes `escapeMrkdwn`: Slack sends the text of commands and messages escaped. */
export function unescapeMrkdwn(text: string): string {
  return text.replace(/&lt;/gu, '<').replace(/&gt;/gu, '>').replace(/&amp;/gu, '&');
}

/** Ends every text that was cut. */
const NOTICE = '…';
const LONGEST_ENTITY = '&amp;'.length;

/** Where a cut at `at` would split an entity, a link, a mention or a surrogate pair: the place before it. */
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
 * At most `max` characters (UTF-16 units, as Slack counts at the most). What is cut ends in `…`, which counts.
 * Never cuts through an entity, a link, a mention or a surrogate pair, so it may be used before and after `escapeMrkdwn`.
 */
export function clipText(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < NOTICE.length) return '';
  return text.slice(0, cutPlace(text, max - NOTICE.length)).trimEnd() + NOTICE;
}

/** A stranger's text as one harmless line of mrkdwn, `max` characters after escaping. */
export function safeLine(text: string, max: number): string {
  return clipText(escapeMrkdwn(cleanLine(text)), max);
}

/** A stranger's text as harmless mrkdwn of several lines, `max` characters after escaping. */
export function safeText(text: string, max: number): string {
  return clipText(escapeMrkdwn(cleanText(text)), max);
}

/** Longer addresses are shown as their label alone. Source: docs/slack-limits.md (a button's url). */
const LONGEST_URL = 3_000;

/**
 * An address that is safe to link: http or https, without credentials, with the signs that mrkdwn would read
 * percent-encoded. @returns undefined for anything else.
 */
export function safeUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (!/^https?:$/u.test(parsed.protocol) || parsed.username || parsed.password) return undefined;
  const safe = parsed.href.replace(/[<>|\s"^`{}\\]/gu, (sign) => encodeURIComponent(sign));
  return safe.length <= LONGEST_URL ? safe : undefined;
}

/** A link with a label of a stranger's words; the label alone where the address is no http address. */
export function formatLink(url: string, label: string, max = 200): string {
  const safe = safeUrl(url);
  const text = safeLine(label, max);
  return safe && text ? `<${escapeUrl(safe)}|${text}>` : text;
}

/** `&` is the one sign of an address that mrkdwn wants escaped; the others are percent-encoded by then. */
function escapeUrl(url: string): string {
  return url.replace(/&/gu, '&amp;');
}

/** Names a person so that Slack shows the name, and tells them where they are in the channel. */
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
const TIME_PARTS = { hour: '2-digit', minute: '2-digit' } as const;
/** Made once: making one takes longer than all else of a message. */
const UTC_FORMATS = {
  date: new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...DAY_PARTS }),
  time: new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...TIME_PARTS }),
  'date-time': new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...DAY_PARTS, ...TIME_PARTS }),
} as const;

/** How a date reads where Slack's own formatting is missing (notifications, exports): always in UTC, and says so. */
export function utcDate(at: Instant, style: keyof typeof DATE_FORMATS = 'date-time'): string {
  return `${UTC_FORMATS[style].format(at)} UTC`;
}

function dateToken(at: Instant, before: string, style: keyof typeof DATE_FORMATS): string {
  return `<!date^${Math.floor(at / 1_000)}^${before}${DATE_FORMATS[style]}|${utcDate(at, style)}>`;
}

/**
 * Nothing to be seen. Slack writes the first letter of a date large, as in “Claimed by Ana, Today at 9:05”, unless something
 * stands before it within the date itself.
 */
const WITHIN_A_SENTENCE = '\u200b';

/** A moment in each reader's own time zone, within a sentence: “today at 9:05”. */
export function formatDate(at: Instant, style: keyof typeof DATE_FORMATS = 'date-time'): string {
  return dateToken(at, style === 'time' ? '' : WITHIN_A_SENTENCE, style);
}

/** The same where something begins: “Today at 9:05”. */
export function formatDateCapitalized(at: Instant, style: keyof typeof DATE_FORMATS = 'date-time'): string {
  return dateToken(at, '', style);
}
