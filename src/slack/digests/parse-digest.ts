/** Parses the arguments of `/gig digest`. Pure. */
import type { DigestPlan } from '../../digests/records.ts';
import {
  extractTimeOfDay,
  type InvalidTimezone,
  parseTimeOfDay,
  parseTimezone,
} from '../kit/words/parse-time.ts';

export type DigestArguments =
  | { readonly kind: 'show' | 'now' | 'off' }
  | {
      readonly kind: 'at';
      readonly minute: number;
      /** Missing: not typed. */
      readonly days?: DigestPlan['days'];
      readonly timezone?: string;
    }
  | DigestInputError;

export type DigestInputError =
  | { readonly kind: 'no-time' | 'wrong-time'; readonly typed: string }
  | {
      readonly kind: 'no-zone';
      readonly typed: string;
      readonly read: InvalidTimezone;
      readonly minute: number;
    };

const NOW = /^(?:now|post|today)$/u;
const OFF = /^(?:off|stop|end|none|never|no|disable|cancel)$/u;
const WEEKDAYS = new RegExp(
  String.raw`\b(?:on |every |each )?(?:weekdays?|work(?:ing)?[ -]?days?|business days?` +
    String.raw`|mon(?:day)? ?(?:-|–|to) ?fri(?:day)?)\b`,
  'u',
);
const DAILY =
  /\b(?:daily|every ?day|each day|all days|7 days(?: a week)?|mon(?:day)? ?(?:-|–|to) ?sun(?:day)?)\b/u;

interface Days {
  readonly days?: DigestPlan['days'];
  readonly rest: string;
}

/** “Daily on weekdays” means weekdays. */
function takeDays(text: string): Days {
  if (WEEKDAYS.test(text)) return { days: 'weekdays', rest: text.replace(WEEKDAYS, ' ').replace(DAILY, ' ') };
  if (DAILY.test(text)) return { days: 'daily', rest: text.replace(DAILY, ' ') };
  return { rest: text };
}

/** The rest after removing time and days, without filler words and punctuation. */
function zoneWords(rest: string): string {
  return rest
    .replace(/[(),;]/gu, ' ')
    .trim()
    .replace(/^(?:(?:in|at|on|and|time|tz|timezone)(?: |$))+/u, '')
    .replace(/ (?:local )?time$/u, '')
    .trim();
}

/** The words in their original spelling, with capitals, if found in the text. */
function inTheirSpelling(words: string, spelled: string): string {
  const small = spelled.toLowerCase();
  const begin = small.length === spelled.length ? small.indexOf(words) : -1;
  return begin < 0 ? words : spelled.slice(begin, begin + words.length);
}

export function parseDigestArguments(args: string): DigestArguments {
  const spelled = args
    .normalize('NFKC')
    .replace(/["“”„«»`]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  const typed = spelled.toLowerCase();
  if (typed === '') return { kind: 'show' };
  if (NOW.test(typed)) return { kind: 'now' };
  if (OFF.test(typed)) return { kind: 'off' };
  const { days, rest } = takeDays(typed);
  const taken = extractTimeOfDay(rest);
  if (!taken) return { kind: 'no-time', typed: args };
  const minute = parseTimeOfDay(taken.time);
  if (minute === undefined) return { kind: 'wrong-time', typed: taken.time };
  const zone = zoneWords(taken.rest);
  const plan = { kind: 'at', minute, ...(days ? { days } : {}) } as const;
  if (zone === '') return plan;
  const read = parseTimezone(zone);
  if (read.kind !== 'zone') return { kind: 'no-zone', typed: inTheirSpelling(zone, spelled), read, minute };
  return { ...plan, timezone: read.timezone };
}
