/** Parses the arguments of `/gig digest`, and answers it: for one person, or for the channel. Pure. */
import type { Instant } from '../../clock.ts';
import type { DigestPlan, PlannedDigest } from '../../digests/digests.ts';
import type { UserId } from '../../ids.ts';
import { formatClockTime, formatTimeOfDay } from '../../schedule/local-time.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { commandButton, messageWithButtons } from '../kit/command-button.ts';
import { inputErrorMessage } from '../kit/command-text.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { cleanLine, codeText, formatMention, safeLine } from '../kit/mrkdwn.ts';
import {
  extractTimeOfDay,
  type InvalidTimezone,
  parseTimeOfDay,
  parseTimezone,
  suggestTimezone,
  timezoneErrorText,
} from '../kit/words/parse-time.ts';
import { formatUpcomingTime } from './digest-state.ts';

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

type DigestInputError =
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

/** “Daily on weekdays” means weekdays. */
function takeDays(text: string): { readonly days?: DigestPlan['days']; readonly rest: string } {
  if (WEEKDAYS.test(text)) return { days: 'weekdays', rest: text.replace(WEEKDAYS, ' ').replace(DAILY, ' ') };
  if (DAILY.test(text)) return { days: 'daily', rest: text.replace(DAILY, ' ') };
  return { rest: text };
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
  const zone = taken.rest
    .replace(/[(),;]/gu, ' ')
    .trim()
    .replace(/^(?:(?:in|at|on|and|time|tz|timezone)(?: |$))+/u, '')
    .replace(/ (?:local )?time$/u, '')
    .trim();
  const plan = { kind: 'at', minute, days } as const;
  if (zone === '') return plan;
  const read = parseTimezone(zone);
  if (read.kind !== 'zone') return { kind: 'no-zone', typed: inTheirSpelling(zone, spelled), read, minute };
  return { ...plan, timezone: read.timezone };
}

type Plan = Pick<DigestPlan, 'minute' | 'days' | 'timezone'>;

function planText({ days, minute, timezone }: Plan): string {
  const time = `${formatTimeOfDay(minute)} (${safeLine(timezone, 60)})`;
  return `${days === 'daily' ? 'daily' : 'Monday to Friday'} at ${time}`;
}

/** The command for this plan on working days, without `/gig`. */
function planCommand({ minute, timezone }: Omit<Plan, 'days'>): string {
  return `digest at ${formatClockTime(minute)} ${safeLine(timezone, 60)}`;
}

const POST_NOW = commandButton({ command: 'digest', label: 'Post Now', args: 'now' });

function comesText({ timezone, next }: PlannedDigest, now: Instant): string {
  return `${formatUpcomingTime(next, now, timezone)} (${safeLine(timezone, 60)})`;
}

/** The time zone came from another machine, or from this one with other time zone data. */
function unknownZoneText({ plan, timezone }: PlannedDigest): string | undefined {
  if (plan.timezone === timezone) return undefined;
  return (
    `:warning: The time zone ${safeLine(plan.timezone, 60)} is no longer available. ` +
    `Using ${safeLine(timezone, 60)} until you set another.`
  );
}

/** For the user: when the next digest comes. */
export function digestScheduleMessage(planned: PlannedDigest, now: Instant): Message {
  const { plan, timezone } = planned;
  const days = plan.days === 'daily' ? 'weekdays' : 'daily';
  const change = `${SLASH_COMMAND} ${planCommand({ ...plan, timezone })} ${days}`;
  const text = joinLines(
    `*This channel gets a digest ${planText(plan)}.* Next: ${comesText(planned, now)}. ` +
      `Set by ${formatMention(plan.by)}.`,
    unknownZoneText(planned),
    `To change it, use a command such as ${codeText(change)}.`,
  );
  return {
    text,
    blocks: [
      sectionBlock(text),
      actionsBlock([POST_NOW]),
      actionsBlock([commandButton({ command: 'digest', label: 'Turn Off', args: 'off' })]),
    ],
  };
}

/** For the user: how to set up a digest. */
export function noDigestMessage(timezone: string): Message {
  const begin = codeText(`${SLASH_COMMAND} ${planCommand({ minute: 9 * 60, timezone })}`);
  return messageWithButtons(
    joinLines(
      '*This channel has no digest.* A digest sums up new projects, bids, results, and credits.',
      `Set one for Monday to Friday with ${begin}. Add ${codeText('daily')} to include weekends.`,
    ),
    POST_NOW,
  );
}

/** For the channel: who set it. */
export function digestScheduleChangedMessage(
  planned: PlannedDigest,
  { by, now, isNew }: { readonly by: UserId; readonly now: Instant; readonly isNew: boolean },
): Message {
  const what = isNew ? 'set a digest for this channel' : "changed this channel's digest";
  return {
    text:
      `${formatMention(by)} ${what}: ${planText(planned.plan)}. ` +
      `${isNew ? 'First' : 'Next'}: ${comesText(planned, now)}.`,
  };
}

/** For the user: nothing changed. */
export function digestScheduleUnchangedMessage(planned: PlannedDigest, now: Instant): Message {
  return {
    text:
      `This channel already gets its digest ${planText(planned.plan)}. Nothing changed. ` +
      `Next: ${comesText(planned, now)}.`,
  };
}

/** For the channel. */
export function digestTurnedOffMessage(by: UserId, { minute, timezone, days }: Plan): Message {
  const turnOn = commandButton({
    command: 'digest',
    label: 'Turn On',
    args: `at ${formatClockTime(minute)} ${cleanLine(timezone)}${days === 'daily' ? ' daily' : ''}`,
    accessibilityLabel: 'Turn on the digest',
  });
  return messageWithButtons(`${formatMention(by)} turned off this channel's digest.`, turnOn);
}

/** @param fallback a time zone for the corrected example */
export function digestInputErrorMessage(mistake: DigestInputError, fallback: string): Message {
  const words = codeText(mistake.typed, 60);
  const example = planCommand({ minute: 9 * 60, timezone: fallback });
  switch (mistake.kind) {
    case 'no-time':
      return inputErrorMessage(
        `${words} doesn't include a time. Enter a time, ${codeText('now')}, or ${codeText('off')}.`,
        example,
      );
    case 'wrong-time':
      return inputErrorMessage(`${words} isn't a valid time. Try 09:00 or 9am.`, example);
    case 'no-zone': {
      const { minute, read, typed } = mistake;
      const zone = read.kind === 'unknown' ? words : codeText(typed.toUpperCase(), 60);
      return inputErrorMessage(
        timezoneErrorText(zone, read),
        planCommand({ minute, timezone: suggestTimezone(read) }),
      );
    }
  }
}
