/**
 * `/gig settings` and its form. Submitting applies only the changes made in the form, and posts them in the
 * channel with the user's name.
 */
import type { ModalView } from '@slack/types';
import { hasRoleAtLeast } from '../../access/access.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { asError } from '../../errors.ts';
import { type ChannelPreferences, extractPreferences } from '../../feed/channels.ts';
import type { ChannelId } from '../../ids.ts';
import { DEFAULT_RESPONSE_PLAN } from '../../response/response.ts';
import { readSpendingRules } from '../../spending/spending.ts';
import { SlackCallError } from '../core/errors.ts';
import { postResultToChannel, updateViewIfOpen } from '../core/handler-steps.ts';
import type {
  ActionCall,
  ActionRoute,
  CommandCall,
  CommandRoute,
  Message,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import { readGroupNames, readUserGroups } from '../core/user-groups.ts';
import { joinLines, noticeView, sectionBlock } from '../kit/block-builders.ts';
import { inputErrorMessage } from '../kit/command-text.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import { listNudgedGroups, responseRulesText } from '../response/response.ts';
import { spendingRulesText } from '../spending/spending.ts';
import { addMentionRow, readSettingsForm, type SettingsForm, saveSettingsForm } from './settings-forms.ts';
import { parseSettingsForm, readOnlySettingsView, SETTINGS_TITLE, settingsModal } from './settings-modal.ts';
import {
  SETTINGS_OUT_OF_DATE,
  SETTINGS_SAME,
  settingsChangedMessage,
  settingsOverwrittenMessage,
} from './settings-text.ts';

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
  const { slack, timezone, store, team } = services;
  const rules = await store.read((tx) => readSpendingRules(tx, team, channel));
  const saved = await services.response.readSettings(channel);
  const plan = saved?.isOn ? saved : DEFAULT_RESPONSE_PLAN;
  const draw = (names: Parameters<typeof readOnlySettingsView>[2]): ModalView => {
    const view = readOnlySettingsView({ shown, channel }, timezone, names);
    const spending = sectionBlock(joinLines('*Spending rules*', spendingRulesText(rules)));
    const response = sectionBlock(joinLines('*Response times*', responseRulesText(plan, names)));
    return { ...view, blocks: [...view.blocks, response, spending] };
  };
  const viewId = await slack.openView(call.triggerId, draw(new Map()));
  const groups = [...shown.mentions.flatMap((rule) => rule.groups), ...listNudgedGroups(plan)];
  if (groups.length === 0) return;
  await complete(call, viewId, draw(await readGroupNames(services, groups)));
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
    'Channel settings: how many updates, card layout, quiet hours, time zone, buttons, ' +
    'approvals, and who gets mentioned. Only admins can change them.',
  details: [
    '*Updates*: *quiet* leaves out views and small changes. *Normal* puts views and small changes ' +
      'in threads or one summary an hour. *Everything* posts each update. ' +
      'At quiet and normal, invitations that arrive together are grouped. ' +
      'A hire always gets its own message.',
    '*Quiet hours*: new projects wait and arrive as one summary, followed by invitations and outcomes. ' +
      'Answers, threads, warnings and bid updates post right away.',
    '*Mentions*: up to 5 rules, written as in `/gig subscribe`, each with people and user groups. ' +
      "A matching card mentions them once, when it's posted.",
    '*Threads*: cards show the key facts. Description, skills and reasons go in the thread.',
    '*Hints*: an address where another tool says that a filter has a new project. ' +
      'Gigdesk reads that filter next, at no extra credits.',
    '*Response Times*: targets for claims and bids, who is on duty, nudges, and claims that expire.',
    '*Spending Rules*: a cancel window, second approvals, and weekly caps on connects.',
    'Changes apply to new cards.',
  ].join('\n'),
  examples: ['settings'],
  run,
};

function readForm({ services, user, view }: ViewInteraction) {
  const { store, team } = services;
  return store.read((tx) => readSettingsForm(tx, { team, user }, view.privateMetadata));
}

/** The channel of the settings form in which a person pressed a button. */
export async function findSettingsChannel(press: ViewInteraction): Promise<ChannelId | undefined> {
  return (await readForm(press))?.channel;
}

/** Adds a row for one more rule. Slack keeps the typed values, field by field. */
async function addRow(call: ActionCall): Promise<void> {
  const { services, person, view } = call;
  const { store, timezone } = services;
  const before = view && (await readForm({ services, user: person.user, view }));
  const form = before && (await store.transact((tx) => addMentionRow(tx, before)));
  if (!form) return call.answer({ text: SETTINGS_OUT_OF_DATE });
  const groups = await readUserGroups(services);
  const own = person.timezone === undefined ? {} : { ownTimezone: person.timezone };
  await updateViewIfOpen(services, view.id, settingsModal({ form, groups, timezone, ...own }));
}

export const settingsActions: readonly ActionRoute[] = [
  {
    id: actionIds.settingsMention,
    needs: 'admin',
    findChannel: findSettingsChannel,
    isInForm: true,
    run: addRow,
  },
];

/**
 * If the channel can't get the message, the user does: the settings are saved. After a rate limit, delivery
 * sends it.
 */
async function postOrAnswer(
  call: Pick<ViewSubmissionCall, 'services' | 'channel' | 'answer'>,
  message: Message,
): Promise<void> {
  const { slack, log } = call.services;
  try {
    await slack.post(call.channel, message);
  } catch (thrown) {
    if (thrown instanceof SlackCallError && thrown.failureKind === 'rate-limited')
      return postResultToChannel(call, message);
    log.warn('could not post a settings change to its channel', {
      channel: call.channel,
      error: asError(thrown),
    });
    await call.answer(message);
  }
}

/**
 * For admins: saves what differs between `shown` and `wanted`, and announces it (in the channel).
 * @returns whether something changed
 */
export async function saveChannelPreferences(
  call: Pick<ViewSubmissionCall, 'services' | 'channel' | 'person' | 'answer'>,
  { shown, wanted }: { readonly shown: ChannelPreferences; readonly wanted: ChannelPreferences },
  announce = (message: Message) => postOrAnswer(call, message),
): Promise<boolean> {
  const { services, channel, person } = call;
  const outcome = await services.feed.changeChannelPreferences(channel, { shown, wanted }, person.user);
  if (outcome.changed.length === 0) return false;
  await announce(settingsChangedMessage(outcome, person.user, services.timezone));
  if (outcome.overwrittenPreferences.length > 0)
    await call.answer(settingsOverwrittenMessage(outcome.overwrittenPreferences));
  return true;
}

async function save(
  call: ViewSubmissionCall,
  { shown }: SettingsForm,
  wanted: ChannelPreferences,
): Promise<void> {
  if (!(await saveChannelPreferences(call, { shown, wanted }))) await call.answer(SETTINGS_SAME);
}

async function submit({ user, view, services }: ViewInteraction): Promise<SubmissionResponse> {
  const { store, team } = services;
  const form = await store.read((tx) => readSettingsForm(tx, { team, user }, view.privateMetadata));
  const filled = form && parseSettingsForm(view.values, form.rows);
  if (!form || !filled || filled.kind === 'unreadable')
    return {
      kind: 'update',
      view: noticeView(SETTINGS_TITLE, [alertBlock('error', SETTINGS_OUT_OF_DATE)]),
    };
  if (filled.kind === 'mistakes') return { kind: 'errors', errors: filled.errors };
  const { requested } = filled;
  return { kind: 'close', channel: form.channel, after: (call) => save(call, form, requested) };
}

export const settingsView: ViewRoute = { id: viewIds.settings, needs: 'admin', submit };
