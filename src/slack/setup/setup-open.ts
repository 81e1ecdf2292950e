/** Opens the setup form, from stored data at once, and redraws it when newer names are known. */
import { hasRoleAtLeast } from '../../access/access.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { asError } from '../../errors.ts';
import { extractPreferences } from '../../feed/channels.ts';
import type { NamedFilter } from '../../feed/feed.ts';
import { type ChannelId, type FilterId, isDirectMessage } from '../../ids.ts';
import { splitRules } from '../../query/simple-rules.ts';
import { formatClockTime } from '../../schedule/local-time.ts';
import { channelUnreachableMessage } from '../core/failures.ts';
import { newPersonalRecordId, savePersonalRecord, updateViewIfOpen } from '../core/handler-steps.ts';
import { notAllowedMessage } from '../core/request-errors.ts';
import type { CommandCall, Services } from '../core/routes.ts';
import { formatMention } from '../kit/mrkdwn.ts';
import { changeSetupForm, type SetupForm, setupForms } from './setup-forms.ts';
import { type SetupChoices, setupModal } from './setup-modal.ts';
import { findInviter } from './welcome.ts';

type Opening = Pick<CommandCall, 'services' | 'channel' | 'person' | 'triggerId' | 'answer'>;

const DEFAULT_DIGEST = { digest: 'off', digestTime: '09:00' } as const;
const MOST_PROFILES = 500;
const MOST_FILTERS = 1_000;

/** What the menus offer. @param filters the known ones */
export async function readSetupChoices(
  { directory }: Services,
  filters: readonly NamedFilter[],
): Promise<SetupChoices> {
  const profiles = await directory.listEntries('profile', MOST_PROFILES);
  return {
    filters: filters.slice(0, MOST_FILTERS),
    profiles: profiles.map(({ id, name }) => ({ id, name })),
  };
}

async function createForm(call: Opening, edited: SetupForm['edited']): Promise<SetupForm> {
  const { services, channel, person } = call;
  const { store, team, clock, random, feed, credits, digests } = services;
  const at = clock.now();
  const [settings, planned, budget] = await Promise.all([
    feed.readChannelSettings(channel),
    digests.readDigestPlan(channel),
    store.read((tx) => credits.readBudgetState(tx, channel, at)),
  ]);
  const form: SetupForm = {
    team,
    user: person.user,
    channel,
    id: newPersonalRecordId(random),
    at,
    ...(edited ? { edited } : {}),
    shown: extractPreferences(settings),
    budget: budget.limit === 'unlimited' ? 'off' : String(budget.limit),
    ...(planned
      ? { digest: planned.plan.days, digestTime: formatClockTime(planned.plan.minute) }
      : DEFAULT_DIGEST),
    isAdmin: hasRoleAtLeast(person.role, 'admin'),
    answers: { chosen: '', typedId: '', rules: splitRules(edited?.rules ?? '') },
  };
  return store.transact((tx) => savePersonalRecord(tx, setupForms, form));
}

/** Newer names, and whether Gigdesk can post there; the person may be typing already. */
async function refresh(
  { services }: Opening,
  viewId: string,
  form: SetupForm,
  shown: SetupChoices,
): Promise<void> {
  const { store, feed, directory, slack, log } = services;
  try {
    const [reach, known] = await Promise.all([
      slack.checkReachability(form.channel),
      feed.listKnownFilters(),
      directory.refreshNames(['profile']),
    ]);
    const choices = await readSetupChoices(services, known.filters);
    const unreachable = reach.kind === 'unreachable' ? { unreachable: reach.error } : {};
    if (reach.kind === 'member' && JSON.stringify(choices.filters) === JSON.stringify(shown.filters)) return;
    const now = await store.transact((tx) => changeSetupForm(tx, form, unreachable));
    if (now) await updateViewIfOpen(services, viewId, setupModal(now, choices));
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
  await call.answer(notAllowedMessage(person, 'viewer', person.unsure ? {} : { hint }));
}

/** @param edited the subscription to edit; undefined: the form for a new one */
async function openForm(call: Opening, edited: SetupForm['edited']): Promise<void> {
  const { services, channel, person, triggerId } = call;
  if (!hasRoleAtLeast(person.role, 'viewer')) return refuse(call);
  if (isDirectMessage(channel)) return call.answer(channelUnreachableMessage('direct_message'));
  const form = await createForm(call, edited);
  const choices = await readSetupChoices(services, await services.feed.listStoredFilters());
  const viewId = await services.slack.openView(triggerId, setupModal(form, choices));
  await refresh(call, viewId, form, choices);
}

/** The setup of the call's channel. */
export function openSetup(call: Opening): Promise<void> {
  return openForm(call, undefined);
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
  const { name } = view.filter;
  const edited = { filter: view.filter.id, rules: view.subscription.rules, ...omitUndefined({ name }) };
  await openForm({ ...call, channel }, edited);
  return true;
}
