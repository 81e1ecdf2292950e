/** Notify Me: opens the form with what the person follows, and saves it. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Follower, FollowPreferences } from '../../follows/follows.ts';
import { muteUntilTomorrow } from '../../follows/schedule.ts';
import type { UserId } from '../../ids.ts';
import type {
  ActionCall,
  ActionRoute,
  Person,
  Services,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import { noticeView } from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { readFollowList } from './follow-command.ts';
import { followListMessage, tooManyFollowersMessage } from './follow-messages.ts';
import {
  FIRST_RULE_FIELD,
  type FilledNotifyForm,
  NOTIFY_TITLE,
  notifyForm,
  parseNotifyForm,
  readShownRevision,
} from './notify-form.ts';

/** The person's time zone in Slack, or the default. */
export function timezoneOf(
  { timezone }: Pick<Person, 'timezone'>,
  follower: Follower | undefined,
  services: Pick<Services, 'timezone'>,
): string {
  return timezone ?? follower?.timezone ?? services.timezone;
}

/** On top of an open form, such as the channel's settings. */
async function open(call: ActionCall): Promise<void> {
  const { services, person, view, triggerId } = call;
  const { follows, slack, clock } = services;
  const follower = await follows.readFollower(person.user);
  const timezone = timezoneOf(person, follower, services);
  const form = notifyForm({ follower, timezone, at: clock.now() });
  if (view) await slack.pushView(triggerId, form);
  else await slack.openView(triggerId, form);
}

export const openNotifyMe: ActionRoute = { id: actionIds.followSettings, needs: 'viewer', run: open };

const OUTDATED = 'This window is out of date, so nothing changed. Open it again with /gig follow.';
const CHANGED = 'You changed what you follow elsewhere. Nothing was saved here: open this window again.';

function mutedBy(
  { mute }: FilledNotifyForm,
  call: ViewSubmissionCall,
  follower: Follower | undefined,
): FollowPreferences['muted'] {
  const { services, person } = call;
  switch (mute) {
    case 'off':
      return undefined;
    case 'on':
      return {};
    case 'keep':
      return follower?.muted;
    case 'tomorrow':
      return muteUntilTomorrow(services.clock.now(), timezoneOf(person, follower, services));
  }
}

async function save(call: ViewSubmissionCall, filled: FilledNotifyForm, revision: number): Promise<void> {
  const { services, person } = call;
  const { follows } = services;
  const muted = mutedBy(filled, call, await follows.readFollower(person.user));
  const preferences = { ...filled.preferences, ...omitUndefined({ muted }) };
  const outcome = await follows.saveFollows(person, { revision, rules: filled.rules, preferences });
  if (outcome === 'changed') return call.answer({ text: CHANGED });
  if (outcome === 'crowded') return call.answer(tooManyFollowersMessage());
  await call.answer(savedMessage(await readFollowList(services, person.user)));
}

function savedMessage(facts: Awaited<ReturnType<typeof readFollowList>>) {
  const isEmpty = facts.follower?.rules.length === 0;
  return followListMessage(facts, isEmpty ? "Saved. You don't follow anything." : 'Saved. You follow:');
}

async function readRevision({ follows }: Services, user: UserId): Promise<number> {
  return (await follows.readFollower(user))?.revision ?? 0;
}

export const followSettingsView: ViewRoute = {
  id: viewIds.followSettings,
  needs: 'viewer',
  async submit({ user, view, services }) {
    const revision = readShownRevision(view.privateMetadata);
    const filled = parseNotifyForm(view.values, await services.feed.listStoredFilters());
    if (revision === undefined || filled.kind === 'unreadable')
      return { kind: 'update', view: noticeView(NOTIFY_TITLE, OUTDATED) };
    if (filled.kind === 'mistakes') return { kind: 'errors', errors: filled.errors };
    if (revision !== (await readRevision(services, user)))
      return { kind: 'errors', errors: { [FIRST_RULE_FIELD]: CHANGED } };
    return { kind: 'close', after: (call) => save(call, filled, revision) };
  },
};
