/** What `/gig digest` answers. */
import type { Instant } from '../../clock.ts';
import type { PlannedDigest } from '../../digests/digests.ts';
import type { DigestPlan } from '../../digests/records.ts';
import type { ChannelId, UserId } from '../../ids.ts';
import { clockText } from '../../schedule/local-time.ts';
import { COMMAND } from '../blocks/ids.ts';
import { channelLink, mention, safeLine } from '../blocks/mrkdwn.ts';
import type { DigestMistake } from '../commands/read-digest.ts';
import type { Message } from '../routes.ts';
import { nextText } from './digest-times.ts';
import { inputMistake } from './input-mistake.ts';
import { codeText } from './mistake.ts';
import { lines } from './parts.ts';
import { zoneInstead, zoneMistake } from './zone-mistake.ts';

type Plan = Pick<DigestPlan, 'minute' | 'days' | 'timezone'>;

/** `09:00 Europe/Berlin` */
function hourText({ minute, timezone }: Omit<Plan, 'days'>): string {
  return `${clockText(minute)} ${safeLine(timezone, 60)}`;
}

/** `Monday to Friday at 09:00 Europe/Berlin`, `daily at …`. */
function planText(plan: Plan): string {
  return `${plan.days === 'daily' ? 'daily' : 'Monday to Friday'} at ${hourText(plan)}`;
}

/** What would plan it on working days, without `/gig`. */
function planCommand(plan: Omit<Plan, 'days'>): string {
  return `digest at ${hourText(plan)}`;
}

/** What would plan exactly this. */
function samePlanText(plan: Plan): string {
  return codeText(`${COMMAND} ${planCommand(plan)}${plan.days === 'daily' ? ' daily' : ''}`);
}

function comesText({ timezone, next }: PlannedDigest, now: Instant): string {
  return `comes ${nextText(next, now, timezone)} (${safeLine(timezone, 60)})`;
}

/** Another machine, or this one with an older table of zones, knew it once. */
function unknownZoneText({ plan, timezone }: PlannedDigest): string | undefined {
  if (plan.timezone === timezone) return undefined;
  return `:warning: The time zone ${safeLine(plan.timezone, 60)} is not known here any more, so ${safeLine(timezone, 60)} counts until another is set.`;
}

/** For the person: when the next one comes. */
export function digestPlannedMessage(planned: PlannedDigest, now: Instant): Message {
  const { plan, timezone } = planned;
  const changed = { ...plan, timezone };
  return {
    text: lines(
      `*This channel gets a digest ${planText(plan)}.* The next one ${comesText(planned, now)}. ${mention(plan.by)} set it.`,
      unknownZoneText(planned),
      `${codeText(`${COMMAND} digest now`)} posts one at once, ${codeText(`${COMMAND} digest off`)} ends it, ${codeText(`${COMMAND} ${planCommand(changed)} ${plan.days === 'daily' ? 'weekdays' : 'daily'}`)} changes it.`,
    ),
  };
}

/** For the person: how to begin. */
export function noDigestMessage(timezone: string): Message {
  const begin = codeText(`${COMMAND} ${planCommand({ minute: 9 * 60, timezone })}`);
  return {
    text: lines(
      '*This channel has no digest.* One sums up what came, what was bid, what became of it, and the credits.',
      `${begin} brings it Monday to Friday at that hour; add ${codeText('daily')} for weekends, too. ${codeText(`${COMMAND} digest now`)} posts one at once.`,
    ),
  };
}

/** For the channel: who set it. */
export function digestSetMessage(
  planned: PlannedDigest,
  { by, now, isNew }: { readonly by: UserId; readonly now: Instant; readonly isNew: boolean },
): Message {
  const what = isNew ? 'set a digest for this channel' : "changed this channel's digest";
  return {
    text: `${mention(by)} ${what}: ${planText(planned.plan)}. The ${isNew ? 'first' : 'next'} one ${comesText(planned, now)}.`,
  };
}

/** For the person: nothing is different from before. */
export function digestSetAlreadyMessage(planned: PlannedDigest, now: Instant): Message {
  return {
    text: `This channel gets its digest ${planText(planned.plan)} already; nothing was changed. The next one ${comesText(planned, now)}.`,
  };
}

/** For the channel. */
export function digestEndedMessage(by: UserId, plan: Plan): Message {
  return {
    text: `${mention(by)} ended this channel's digest. ${samePlanText(plan)} begins it again.`,
  };
}

/** For the person, who may have pressed it on their Home; the digest itself says who asked for it. */
export function digestComingMessage(channel: ChannelId): Message {
  return { text: `The digest is on its way to ${channelLink(channel)}.` };
}

/** For the person: that of the press before is there, or on its way. */
export function digestAskedAlreadyMessage(channel: ChannelId): Message {
  return {
    text: `A digest was asked for in ${channelLink(channel)} less than a minute ago, so no second one was posted.`,
  };
}

/** @param fallback for the corrected example */
export function digestMistakeMessage(mistake: DigestMistake, fallback: string): Message {
  const words = codeText(mistake.typed, 60);
  switch (mistake.kind) {
    case 'no-time':
      return inputMistake(
        `${words} names no hour: say when the digest should come, or ${codeText('now')}, or ${codeText('off')}.`,
        planCommand({ minute: 9 * 60, timezone: fallback }),
      );
    case 'wrong-time':
      return inputMistake(
        `${words} is no time of the day: that is one from 00:00 to 23:59, or as 9am.`,
        planCommand({ minute: 9 * 60, timezone: fallback }),
      );
    case 'no-zone': {
      const { minute, read, typed } = mistake;
      const zone = read.kind === 'unknown' ? words : codeText(typed.toUpperCase(), 60);
      return inputMistake(zoneMistake(zone, read), planCommand({ minute, timezone: zoneInstead(read) }));
    }
  }
}
