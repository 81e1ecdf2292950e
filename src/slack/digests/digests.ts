/** `/gig digest`: when a channel's digest comes, and posting it now. */
import type { DigestPlan } from '../../digests/digests.ts';
import { isTimezone } from '../../schedule/local-time.ts';
import { channelUnreachableMessage } from '../core/failures.ts';
import type { CommandCall, CommandRoute } from '../core/routes.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import {
  type DigestArguments,
  digestInputErrorMessage,
  digestScheduleChangedMessage,
  digestScheduleMessage,
  digestScheduleUnchangedMessage,
  digestTurnedOffMessage,
  noDigestMessage,
  parseDigestArguments,
} from './digest-answers.ts';

/** The person's own, else the channel's, else the configured one. */
async function ownTimezone({ person, channel, services }: CommandCall): Promise<string> {
  const settings = await services.feed.readChannelSettings(channel);
  const known = [person.timezone, settings.timezone].find((zone) => zone !== undefined && isTimezone(zone));
  return known ?? services.timezone;
}

/** Refuses a digest that Gigdesk can't post. @returns whether it replied with the reason */
async function isUnreachable(call: CommandCall): Promise<boolean> {
  const reach = await call.services.slack.checkReachability(call.channel);
  if (reach.kind === 'unreachable') await call.answer(channelUnreachableMessage(reach.error));
  return reach.kind === 'unreachable';
}

async function show(call: CommandCall): Promise<void> {
  const { services, channel } = call;
  const planned = await services.digests.readDigestPlan(channel);
  if (planned) return call.answer(digestScheduleMessage(planned, services.clock.now()));
  await call.answer(noDigestMessage(await ownTimezone(call)));
}

async function postNow(call: CommandCall): Promise<void> {
  if (await isUnreachable(call)) return;
  const { channel, person, triggerId, services } = call;
  const isNew = await services.digests.postDigestNow(channel, person.user, triggerId, person.timezone);
  const place = channelLink(channel);
  await call.answer({
    text: isNew
      ? `Gigdesk is posting the digest to ${place}.`
      : `Someone requested a digest in ${place} less than a minute ago, so Gigdesk didn't post another.`,
  });
}

async function end(call: CommandCall): Promise<void> {
  const { services, channel, person } = call;
  const planned = await services.digests.readDigestPlan(channel);
  const ended = await services.digests.stopDigest(channel, person.user);
  if (!planned || !ended) return call.answer(noDigestMessage(await ownTimezone(call)));
  const last = { ...planned.plan, timezone: planned.timezone };
  await call.answer(digestTurnedOffMessage(person.user, last), 'channel');
}

function isSame(a: DigestPlan, b: DigestPlan): boolean {
  return a.minute === b.minute && a.days === b.days && a.timezone === b.timezone;
}

/** Omitted parts of the plan stay as they are. */
async function plan(call: CommandCall, asked: Extract<DigestArguments, { kind: 'at' }>): Promise<void> {
  const { services, channel, person } = call;
  if (await isUnreachable(call)) return;
  const before = await services.digests.readDigestPlan(channel);
  // A time zone that this machine doesn't know is replaced.
  const known = before?.timezone === before?.plan.timezone ? before?.timezone : undefined;
  const planned = await services.digests.planDigest({
    channel,
    by: person.user,
    minute: asked.minute,
    days: asked.days ?? before?.plan.days ?? 'weekdays',
    timezone: asked.timezone ?? known ?? (await ownTimezone(call)),
  });
  const now = services.clock.now();
  if (before && isSame(before.plan, planned.plan))
    return call.answer(digestScheduleUnchangedMessage(planned, now));
  const facts = { by: person.user, now, isNew: !before };
  await call.answer(digestScheduleChangedMessage(planned, facts), 'channel');
}

async function runDigest(call: CommandCall): Promise<void> {
  const asked = parseDigestArguments(call.args);
  switch (asked.kind) {
    case 'show':
      return show(call);
    case 'now':
      return postNow(call);
    case 'off':
      return end(call);
    case 'at':
      return plan(call, asked);
    case 'no-time':
    case 'wrong-time':
    case 'no-zone':
      return call.answer(digestInputErrorMessage(asked, await ownTimezone(call)));
  }
}

export const digestCommand: CommandRoute = {
  word: 'digest',
  topic: 'reports',
  needs: 'viewer',
  usage: ['digest [now | at <HH:MM> [<timezone>] [weekdays|daily] | off]'],
  summary: 'Get a daily summary. New projects, bids, results and credits.',
  details:
    'Posted Monday to Friday unless you add `daily`. ' +
    'Enter a time zone as a city (`Europe/Berlin` or `Berlin`); the default is yours. ' +
    'The time adjusts for daylight saving. A missed digest is posted once, late. ' +
    '`/gig digest` shows when the next one is due.',
  examples: ['digest', 'digest at 09:00', 'digest at 09:00 Europe/Berlin daily', 'digest now', 'digest off'],
  run: runDigest,
};
