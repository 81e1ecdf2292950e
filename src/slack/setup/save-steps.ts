/**
 * What saving the setup form does, step by step, through the features' own functions. Only what the person
 * changed is written. If someone else changed the same meanwhile, the person reads what they replaced.
 */
import type { FilterId } from '../../ids.ts';
import { formatClockTime } from '../../schedule/local-time.ts';
import type { CommandCall } from '../core/routes.ts';
import { digestCommand } from '../digests/digests.ts';
import { queryErrorMessage } from '../kit/command-text.ts';
import { SLASH_COMMAND } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import { filterName } from '../kit/words/filters.ts';
import {
  filterSubscriptionSavedMessage,
  followProfile,
  profileFeedUnsubscribedMessage,
  subscribeToFilter,
  toProfileFeedName,
} from '../subscriptions/subscriptions.ts';
import { areRulesChanged, checkFilterAnswers, type ReceiveAnswers } from './setup-answers.ts';
import type { FollowedFeed, SetupForm } from './setup-forms.ts';

/** One step of a save, such as following a profile. */
export interface SaveStep {
  /** For the log. */
  readonly what: string;
  /** Answers to everyone in the channel say what changed, others what didn't. */
  readonly run: (call: CommandCall) => Promise<unknown>;
}

/** Plain text or safe mrkdwn for `was`. */
function replacedText(what: string, was: string): string {
  return `While this form was open, someone else changed ${what} to ${was}. Your change replaced theirs.`;
}

function rulesText(rules: string): string {
  return rules ? codeText(rules, 300) : 'none (all projects)';
}

async function saveDigest(call: CommandCall, form: SetupForm, args: string): Promise<void> {
  const before = await call.services.digests.readDigestPlan(call.channel);
  await digestCommand.run({ ...call, args });
  const days = before?.plan.days ?? 'off';
  const time = before ? formatClockTime(before.plan.minute) : form.digestTime;
  const isSame = days === form.digest && (days === 'off' || time === form.digestTime);
  const was = days === 'off' ? 'off' : `at ${time} ${days}`;
  if (!isSame && was !== args) await call.answer({ text: replacedText('the daily digest', `“${was}”`) });
}

async function stopFollowing(
  call: CommandCall,
  { profileName, organizationName, ...feed }: FollowedFeed,
): Promise<void> {
  const { services, channel, person } = call;
  if (!(await services.profiles.unfollowInChannel({ channel, ...feed }, person.user))) return;
  const name = toProfileFeedName({ feed, profileName, organizationName });
  await call.answer(profileFeedUnsubscribedMessage(name, person.user), 'channel');
}

/** A subscription that ended meanwhile doesn't start again: someone stopped its spending. */
async function saveRules(
  call: CommandCall,
  { filter, rules: shown, name }: NonNullable<SetupForm['edited']>,
  { rules, isAdmin }: { readonly rules: string; readonly isAdmin: boolean },
): Promise<void> {
  const { services, channel, person } = call;
  const by = person.user;
  const outcome = await services.feed.changeRules({ channel, filter, rules, shown, by, isAdmin });
  switch (outcome.kind) {
    case 'same':
      return;
    case 'gone': {
      const named = filterName({ id: filter, name });
      const command = codeText(`${SLASH_COMMAND} subscribe ${filter}`);
      return call.answer({
        text:
          `While this form was open, someone unsubscribed this channel from ${named}, ` +
          `so your rules weren't saved. To start it again, use ${command}.`,
      });
    }
    case 'wrong-rules':
      return call.answer(queryErrorMessage(rules, outcome.mistake, `${SLASH_COMMAND} subscribe ${filter} `));
    case 'changed': {
      const { subscription, filterName: known, overwrittenRules } = outcome;
      const facts = { name: known ?? name };
      const saved = { ...subscription, by };
      await call.answer(filterSubscriptionSavedMessage('changed', saved, facts), 'channel');
      if (overwrittenRules !== undefined)
        await call.answer({ text: replacedText('these rules', rulesText(overwrittenRules)) });
    }
  }
}

/** The channel may have the filter already, which the form for a new one doesn't show. */
async function subscribe(call: CommandCall, filter: FilterId, rules: string): Promise<void> {
  const views = await call.services.feed.listSubscriptions(call.channel);
  const before = views.find((view) => view.filter.id === filter)?.subscription.rules;
  const isDone = await subscribeToFilter(call, { filter, rules });
  if (isDone && before !== undefined && before !== rules)
    await call.answer({
      text: `This channel already had this filter. Its rules were ${rulesText(before)}; yours replaced them.`,
    });
}

function rulesSteps(form: SetupForm, isAdmin: boolean): readonly SaveStep[] {
  const checked = checkFilterAnswers(form.answers, form.edited);
  if (checked.kind === 'errors' || checked.filter === undefined) return [];
  const { filter, rules } = checked;
  const { edited } = form;
  if (!edited) return [{ what: 'could not subscribe', run: (call) => subscribe(call, filter, rules) }];
  if (!areRulesChanged(rules, edited)) return [];
  return [{ what: 'could not change rules', run: (call) => saveRules(call, edited, { rules, isAdmin }) }];
}

export function saveSteps(form: SetupForm, answers: ReceiveAnswers, isAdmin: boolean): readonly SaveStep[] {
  const { feeds, ended, digest } = answers;
  return [
    ...rulesSteps(form, isAdmin),
    ...ended.map((feed) => ({
      what: 'could not stop a profile feed',
      run: (call: CommandCall) => stopFollowing(call, feed),
    })),
    ...feeds.map(({ feed, profile }) => ({
      what: 'could not follow a profile',
      run: (call: CommandCall) => followProfile(call, { kind: 'profile', feed, profile }),
    })),
    ...(digest === undefined
      ? []
      : [{ what: 'could not plan a digest', run: (call: CommandCall) => saveDigest(call, form, digest) }]),
  ];
}
