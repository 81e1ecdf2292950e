/** Opens the setup form, from stored data at once, and redraws it when newer names are known. */
import { hasRoleAtLeast } from '../../access/access.ts';
import { asError } from '../../errors.ts';
import type { NamedFilter, SubscriptionStatus } from '../../feed/feed.ts';
import { type ChannelId, type FilterId, isDirectMessage } from '../../ids.ts';
import type { ProfileFeedStatus } from '../../profiles/profiles.ts';
import { splitRules } from '../../query/simple-rules.ts';
import { formatClockTime } from '../../schedule/local-time.ts';
import { isAccountMissing, notConnectedMessage } from '../account/account.ts';
import { channelUnreachableMessage } from '../core/failures.ts';
import { updateViewIfOpen } from '../core/handler-steps.ts';
import { notAllowedMessage } from '../core/request-errors.ts';
import type { CommandCall, Services } from '../core/routes.ts';
import { formatMention } from '../kit/mrkdwn.ts';
import { listCommand } from '../subscriptions/subscriptions.ts';
import { followedKey } from './setup-answers.ts';
import { changeSetupForm, type FollowedFeed, type SetupForm, setupForms } from './setup-forms.ts';
import { type SetupChoices, setupModal } from './setup-modal.ts';
import { findInviter } from './welcome.ts';

type Opening = Pick<CommandCall, 'services' | 'channel' | 'person' | 'triggerId' | 'answer'>;

const DEFAULT_DIGEST = { digest: 'off', digestTime: '09:00' } as const;
const MOST_PROFILES = 500;
const MOST_FILTERS = 1_000;
/** Others stay as they are; `/gig list` shows them. */
const MOST_FOLLOWED = 100;

/** What the menus offer. @param known filters; missing: those that are stored */
export async function readSetupChoices(
  { directory, feed }: Services,
  known?: readonly NamedFilter[],
): Promise<SetupChoices> {
  const filters = known ?? (await feed.listStoredFilters());
  const profiles = await directory.listEntries('profile', MOST_PROFILES);
  return {
    filters: filters.slice(0, MOST_FILTERS),
    profiles: profiles.map(({ id, name }) => ({ id, name })),
  };
}

function asFollowed({ feed, profileName, organizationName }: ProfileFeedStatus): FollowedFeed {
  const { kind, profile, organization } = feed;
  return { kind, profile, profileName, organization, organizationName };
}

async function readChannelFacts(
  { profiles, digests }: Services,
  channel: ChannelId,
): Promise<Pick<SetupForm, 'digest' | 'digestTime' | 'followed'>> {
  const [followed, planned] = await Promise.all([
    profiles.listChannelProfileFeeds(channel),
    digests.readDigestPlan(channel),
  ]);
  return {
    followed: followed.slice(0, MOST_FOLLOWED).map(asFollowed),
    ...(planned
      ? { digest: planned.plan.days, digestTime: formatClockTime(planned.plan.minute) }
      : DEFAULT_DIGEST),
  };
}

/**
 * After a save: from now on, what the channel has is what the person saw. What they typed stays.
 * @returns undefined when the form is gone
 */
export async function renewSetupForm(services: Services, form: SetupForm): Promise<SetupForm | undefined> {
  const facts = await readChannelFacts(services, form.channel);
  const { edited, receive } = form;
  const views = edited ? await services.feed.listSubscriptions(form.channel) : [];
  const rules = views.find(({ filter }) => filter.id === edited?.filter)?.subscription.rules;
  const before = form.followed.map(followedKey);
  const added = facts.followed.map(followedKey).filter((key) => !before.includes(key));
  return services.store.transact((tx) =>
    changeSetupForm(tx, form, {
      ...facts,
      edited: edited && rules !== undefined ? { ...edited, rules } : edited,
      receive: receive && { ...receive, kept: [...receive.kept, ...added] },
    }),
  );
}

/** Newer names, and whether Gigdesk can post there; the person may be typing already. */
async function refresh(services: Services, viewId: string, form: SetupForm, shown: SetupChoices) {
  const { store, feed, directory, slack, log } = services;
  try {
    const [reach, known] = await Promise.all([
      slack.checkReachability(form.channel),
      feed.listKnownFilters(),
      directory.refreshNames(['profile']),
    ]);
    const choices = await readSetupChoices(services, known.filters);
    const unreachable = reach.kind === 'unreachable' && { unreachable: reach.error };
    if (reach.kind === 'member' && JSON.stringify(choices) === JSON.stringify(shown)) return;
    const now = await store.transact((tx) => changeSetupForm(tx, form, { ...unreachable }));
    // Another view may show by now, with what the person did since.
    if (now && !now.wasSubmitted) await updateViewIfOpen(services, viewId, setupModal(now, choices));
  } catch (thrown) {
    // The form works without; saving checks again.
    log.info('could not refresh a setup form', { error: asError(thrown) });
  }
}

/** For guests: says who can, by name if a full member invited Gigdesk. */
async function refuse(call: Opening): Promise<void> {
  const { services, channel, person } = call;
  const inviter = await findInviter(services, channel);
  const isMember = inviter && hasRoleAtLeast((await services.resolvePerson(inviter, channel)).role, 'viewer');
  const who = isMember ? `, for example ${formatMention(inviter)}` : '';
  const hint = `Any full member of this workspace can set up this channel${who}.`;
  await call.answer(notAllowedMessage(person, 'viewer', { hint: person.unsure ? undefined : hint }));
}

/** The form for one more subscription of the call's channel. @param edited the one to edit instead */
export async function openSetup(call: Opening, edited?: SetupForm['edited']): Promise<void> {
  const { services, channel, person, triggerId } = call;
  if (!hasRoleAtLeast(person.role, 'viewer')) return refuse(call);
  if (isDirectMessage(channel)) return call.answer(channelUnreachableMessage('direct_message'));
  if (isAccountMissing(services)) return call.answer(notConnectedMessage(person.role));
  const form = await setupForms.save(call, {
    edited,
    ...(await readChannelFacts(services, channel)),
    answers: { chosen: '', typedId: '', rules: splitRules(edited?.rules ?? '') },
  });
  const choices = await readSetupChoices(services);
  const viewId = await services.slack.openView(triggerId, setupModal(form, choices));
  await refresh(services, viewId, form, choices);
}

/**
 * What the call's channel needs: the setup while it follows no filter, then the form that edits its only
 * subscription, or the list of them.
 */
export async function openSetupOrEdit(call: Opening): Promise<void> {
  const [only, ...more] = await call.services.feed.listSubscriptions(call.channel);
  if (more.length > 0) return listCommand.run({ ...call, args: '' });
  return only ? editSubscription(call, only) : openSetup(call);
}

async function editSubscription(call: Opening, { filter, subscription }: SubscriptionStatus): Promise<void> {
  await openSetup(call, { filter: filter.id, rules: subscription.rules, name: filter.name });
}

/** @returns false if the channel doesn't have this subscription anymore */
export async function openSubscriptionEdit(
  call: Opening,
  channel: ChannelId,
  filter: FilterId | undefined,
): Promise<boolean> {
  const views = await call.services.feed.listSubscriptions(channel);
  const view = views.find((each) => each.subscription.filter === filter);
  if (!view) return false;
  await editSubscription({ ...call, channel }, view);
  return true;
}
