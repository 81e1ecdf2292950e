import type { ModalView } from '@slack/types';
import { hasRoleAtLeast } from '../../access/roles.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { extractPreferences } from '../../feed/channel-preferences.ts';
import { SlackCallError } from '../core/errors.ts';
import type { CommandCall, CommandRoute } from '../core/routes.ts';
import { readGroupNames, readUserGroups } from '../core/user-groups.ts';
import { inputErrorMessage } from '../kit/input-error.ts';
import { codeText } from '../kit/query-error.ts';
import { readSettingsForm, type SettingsForm, saveSettingsForm } from './settings-forms.ts';
import { readOnlySettingsView, settingsModal } from './settings-modal.ts';

/** The person may have closed it by now, which is no failure. */
async function complete({ services }: CommandCall, viewId: string, view: ModalView): Promise<void> {
  try {
    await services.slack.updateView(viewId, view);
  } catch (thrown) {
    if (!(thrown instanceof SlackCallError)) throw thrown;
    services.log.info('could not show user groups', { error: thrown.code });
  }
}

async function openForm(call: CommandCall, form: SettingsForm): Promise<void> {
  const { services, person } = call;
  const { slack, store, timezone } = services;
  const facts = { timezone, ...omitUndefined({ ownTimezone: person.timezone }) };
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
  const viewId = await slack.openView(call.triggerId, readOnlySettingsView(facts, timezone, new Map()));
  const groups = shown.mentions.flatMap((rule) => rule.groups);
  if (groups.length === 0) return;
  const names = await readGroupNames(services, groups);
  await complete(call, viewId, readOnlySettingsView(facts, timezone, names));
}

async function run(call: CommandCall): Promise<void> {
  const { services, channel, person } = call;
  if (call.args !== '')
    return call.answer(
      inputErrorMessage(`Leave out ${codeText(call.args, 60)}: this command has no options.`, 'settings'),
    );
  const shown = extractPreferences(await services.feed.readChannelSettings(channel));
  if (!hasRoleAtLeast(person.role, 'admin')) return show(call, shown);
  const { store, team, clock, random } = services;
  const form = { team, user: person.user, channel, at: clock.now(), shown };
  return openForm(call, await store.transact((tx) => saveSettingsForm(tx, form, random)));
}

export const settingsCommand: CommandRoute = {
  word: 'settings',
  topic: 'feed',
  needs: 'viewer',
  usage: ['settings'],
  summary:
    'Channel settings: card layout, quiet hours, time zone, buttons, and who gets mentioned. ' +
    'Only admins can change them.',
  details: [
    '*Quiet hours*: new projects wait and arrive as one summary, followed by invitations and outcomes. ' +
      'Answers, threads, warnings and bid updates post right away.',
    '*Mentions*: up to 5 rules, written as in `/gig subscribe`, each with people and user groups. ' +
      "A matching card mentions them once, when it's posted.",
    '*Threads*: cards show the key facts. Description, skills and reasons go in the thread.',
    'Changes apply to new cards.',
  ].join('\n'),
  examples: ['settings'],
  run,
};
