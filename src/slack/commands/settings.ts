import type { ModalView } from '@slack/types';
import { mayAct } from '../../access/roles.ts';
import { choicesOf } from '../../feed/choices.ts';
import { SlackCallError } from '../errors.ts';
import { inputMistake } from '../messages/input-mistake.ts';
import type { CommandCall, CommandRoute } from '../routes.ts';
import { keepSettingsForm, readSettingsForm, type SettingsForm } from '../settings-forms.ts';
import { readGroupNames, readUserGroups } from '../user-groups.ts';
import { settingsModal, settingsNotice } from '../views/settings-modal.ts';

/** The person may have closed it by now, which is no failure. */
async function complete({ services }: CommandCall, viewId: string, view: ModalView): Promise<void> {
  try {
    await services.slack.updateView(viewId, view);
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    services.log.info('user groups were not shown', { error: thrown.code });
  }
}

async function openForm(call: CommandCall, form: SettingsForm): Promise<void> {
  const { services, person } = call;
  const { slack, store, timezone } = services;
  const facts = { timezone, ...(person.timezone === undefined ? {} : { ownTimezone: person.timezone }) };
  const view = settingsModal({ ...facts, form, groups: { kind: 'loading' } });
  const viewId = await slack.openView(call.triggerId, view);
  const groups = await readUserGroups(services);
  // A rule may have been added meanwhile.
  const now = await store.read((tx) => readSettingsForm(tx, form, form.id));
  await complete(call, viewId, settingsModal({ ...facts, form: now ?? form, groups }));
}

async function show(call: CommandCall, shown: SettingsForm['shown']): Promise<void> {
  const { services, channel } = call;
  const { slack, timezone } = services;
  const facts = { shown, channel };
  const viewId = await slack.openView(call.triggerId, settingsNotice(facts, timezone, new Map()));
  const groups = shown.mentions.flatMap((rule) => rule.groups);
  if (groups.length === 0) return;
  const names = await readGroupNames(services, groups);
  await complete(call, viewId, settingsNotice(facts, timezone, names));
}

async function run(call: CommandCall): Promise<void> {
  const { services, channel, person } = call;
  if (call.args !== '')
    return call.answer(inputMistake('This opens a window, and takes no words behind it.', 'settings'));
  const shown = choicesOf(await services.feed.settings(channel));
  if (!mayAct(person.role, 'admin')) return show(call, shown);
  const { store, team, clock, random } = services;
  const form = { team, user: person.user, channel, at: clock.now(), shown };
  return openForm(call, await store.transact((tx) => keepSettingsForm(tx, form, random)));
}

export const settings: CommandRoute = {
  word: 'settings',
  topic: 'feed',
  needs: 'viewer',
  usage: ['settings'],
  summary:
    'How this channel is told: the look of cards, quiet hours, time zone, buttons, and whom which projects call. Admins change it.',
  details: [
    '*Quiet hours*: new projects wait, and come afterwards as one summary; invitations and outcomes come after it. Answers, threads, warnings and what becomes of bids are not held back.',
    '*Mentions*: up to 5 rules, written as in `/gig subscribe`, each with people and user groups. A card that matches calls them once, when it comes.',
    '*Threads*: cards show what decides; description, skills and reasons stand below them.',
    'Whatever is changed counts for cards from then on.',
  ].join('\n'),
  examples: ['settings'],
  run,
};
