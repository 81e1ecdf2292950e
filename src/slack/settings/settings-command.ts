/**
 * `/gig settings`: a window with all that a channel can set. Admins open a form for each part; saving applies
 * only the changes made in the form, and posts them in the channel with the person's name.
 */
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { hasRoleAtLeast } from '../../access/access.ts';
import { asError } from '../../errors.ts';
import { ChannelPreferences, extractPreferences } from '../../feed/channels.ts';
import { DEFAULT_RESPONSE_PLAN } from '../../response/response.ts';
import { readSpendingRules } from '../../spending/spending.ts';
import { budgetModal, budgetUsageText, createBudgetView, setChannelBudget } from '../budgets/budgets.ts';
import { postResultToChannel, updateViewIfOpen } from '../core/handler-steps.ts';
import { createPersonalWindows, personalWindowShape } from '../core/personal-records.ts';
import type {
  ActionCall,
  ActionRoute,
  CommandCall,
  CommandRoute,
  Services,
  SubmissionResponse,
  ViewInteraction,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import { findVisibilityRefusal } from '../core/user-channels.ts';
import { readGroupNames, readUserGroups } from '../core/user-groups.ts';
import { noticeView } from '../kit/block-builders.ts';
import { inputErrorMessage } from '../kit/command-text.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import { alertBlock } from '../kit/rich-blocks.ts';
import type { UserGroupNames } from '../kit/words/labels.ts';
import { listNudgedGroups, responseRulesText } from '../response/response.ts';
import { spendingRulesText } from '../spending/spending.ts';
import { type SettingsPart, settingsModal, settingsParts } from './settings-parts.ts';
import { settingsChangedMessage, settingsOverwrittenMessage } from './settings-text.ts';
import { SETTINGS_TITLE, settingsWindow } from './settings-window.ts';

const OUT_OF_DATE =
  'This window is out of date, so nothing was changed. Open a new one with `/gig settings`.';

/** What the window or one of its forms showed, so that two people only overwrite what each changed. */
const SettingsForm = z.object({ ...personalWindowShape, shown: ChannelPreferences });
export type SettingsForm = z.infer<typeof SettingsForm>;

export const settingsForms = createPersonalWindows('settings-forms', SettingsForm);

/**
 * The action of a button in the settings window, for admins of its channel. `run` isn't called for a window
 * that Gigdesk no longer knows: it would act on another channel.
 */
export function settingsAction(
  id: string,
  run: (call: ActionCall, form: SettingsForm) => Promise<void>,
): ActionRoute {
  return {
    id,
    needs: 'admin',
    findChannel: settingsForms.findChannel,
    async run(call) {
      const { services, person, view } = call;
      const form = view && (await settingsForms.find({ services, user: person.user, view }));
      if (!form) return call.answer({ text: OUT_OF_DATE });
      await run(call, form);
    },
  };
}

async function readPreferences({ services, channel }: Pick<CommandCall, 'services' | 'channel'>) {
  return extractPreferences(await services.feed.readChannelSettings(channel));
}

async function gatherWindow(call: Pick<CommandCall, 'services' | 'channel' | 'person'>) {
  const { services, channel, person } = call;
  const { store, timezone, credits, clock } = services;
  const [rules, budget] = await store.read((tx) =>
    Promise.all([readSpendingRules(tx, channel), credits.readBudgetState(tx, channel, clock.now())]),
  );
  const saved = await services.response.readSettings(channel);
  const plan = saved?.isOn ? saved : DEFAULT_RESPONSE_PLAN;
  const shown = await readPreferences(call);
  const { id } = await settingsForms.save(call, { shown });
  const facts = {
    channel,
    choices: shown,
    timezone,
    budget: budgetUsageText(budget),
    spending: spendingRulesText(rules),
    isAdmin: hasRoleAtLeast(person.role, 'admin'),
  };
  return {
    groups: [...shown.mentions.flatMap((rule) => rule.groups), ...listNudgedGroups(plan)],
    draw: (names: UserGroupNames) =>
      settingsWindow({ ...facts, names, response: responseRulesText(plan, names) }, id),
  };
}

async function openSettings(call: CommandCall): Promise<void> {
  const { services, args, triggerId } = call;
  if (args !== '')
    return call.answer(
      inputErrorMessage(`Leave out ${codeText(args, 60)}: this command has no options.`, 'settings'),
    );
  const { groups, draw } = await gatherWindow(call);
  const viewId = await services.slack.openView(triggerId, draw(new Map()));
  if (groups.length > 0)
    await showUpdate(services, viewId, async () => draw(await readGroupNames(services, groups)));
}

/** Updates an open window. A failure is only logged: what the person did is done. */
async function showUpdate(services: Services, viewId: string, draw: () => Promise<ModalView>): Promise<void> {
  try {
    await updateViewIfOpen(services, viewId, await draw());
  } catch (thrown) {
    services.log.warn('could not update the settings window', { error: asError(thrown) });
  }
}

/** Shows what is set now in the settings window, below a form that was submitted. */
export async function redrawSettings(call: ViewSubmissionCall): Promise<void> {
  const { services, view } = call;
  if (view.rootId === view.id) return;
  await showUpdate(services, view.rootId, async () => {
    const { groups, draw } = await gatherWindow(call);
    return draw(await readGroupNames(services, groups));
  });
}

export const settingsCommand: CommandRoute = {
  word: 'settings',
  topic: 'feed',
  needs: 'viewer',
  usage: ['settings'],
  summary:
    "See or change settings. This channel's updates, quiet hours, mentions, budget, response times, " +
    'spending rules. Only admins can change them.',
  details: [
    '*Updates*: *quiet* leaves out views and small changes. *Normal* puts views and small changes ' +
      'in threads or one summary an hour. *Everything* posts each update. ' +
      'At quiet and normal, invitations that arrive together are grouped. ' +
      'A hire always gets its own message.',
    '*Quiet Hours*: new projects wait and arrive as one summary, followed by invitations and outcomes. ' +
      'Answers, threads, warnings and bid updates post right away.',
    '*Mentions*: up to 5 rules, written as in `/gig subscribe`, each with people and user groups. ' +
      "A matching card mentions them once, when it's posted.",
    '*Response Times*: targets for claims and bids, who is on duty, nudges, and claims that expire.',
    '*Spending Rules*: a cancel window, second approvals, and weekly caps on connects.',
    '*Cards and Approvals*: what goes in threads, which buttons show, how long requests stay open.',
    '*Hints*: an address where another tool says that a filter has a new project. ' +
      'Gigdesk reads that filter next, at no extra credits.',
    'Changes apply to new cards.',
  ].join('\n'),
  examples: ['settings'],
  run: openSettings,
};

function formFacts({ services, person }: ActionCall, form: SettingsForm) {
  const { timezone } = services;
  return { form, timezone, groups: { kind: 'loading' }, ownTimezone: person.timezone } as const;
}

async function openPart(call: ActionCall, part: SettingsPart): Promise<void> {
  const { services, triggerId } = call;
  const form = await settingsForms.save(call, { shown: await readPreferences(call) });
  const facts = formFacts(call, form);
  const viewId = await services.slack.pushView(triggerId, settingsModal(part, facts));
  if (part !== settingsParts.mentions) return;
  await showUpdate(services, viewId, async () =>
    settingsModal(part, { ...facts, groups: await readUserGroups(services) }),
  );
}

/** Adds a row for one more rule. Slack keeps the typed values, field by field. */
async function addMentionRow(call: ActionCall, form: SettingsForm): Promise<void> {
  const { services, view, value } = call;
  if (!view) return;
  const facts = { ...formFacts(call, form), rows: Number(value), groups: await readUserGroups(services) };
  await updateViewIfOpen(services, view.id, settingsModal(settingsParts.mentions, facts));
}

async function openBudget({ services, channel, triggerId }: ActionCall): Promise<void> {
  const { store, credits, clock, slack } = services;
  const budget = await store.read((tx) => credits.readBudgetState(tx, channel, clock.now()));
  await slack.pushView(triggerId, budgetModal(budget, viewIds.settingsBudget));
}

export const settingsActions: readonly ActionRoute[] = [
  ...Object.values(settingsParts).map((part) =>
    settingsAction(part.actionId, (call) => openPart(call, part)),
  ),
  settingsAction(actionIds.settingsBudget, openBudget),
  { ...settingsAction(actionIds.settingsMention, addMentionRow), isInForm: true },
];

async function savePart(
  call: ViewSubmissionCall,
  { shown }: SettingsForm,
  wanted: SettingsForm['shown'],
): Promise<void> {
  const { services, channel, person } = call;
  const outcome = await services.feed.changeChannelPreferences(channel, { shown, wanted }, person.user);
  if (outcome.changed.length === 0)
    return call.answer({ text: 'Nothing was changed: the settings are the same as before.' });
  await postResultToChannel(call, settingsChangedMessage(outcome, person.user, services.timezone));
  if (outcome.overwrittenPreferences.length > 0)
    await call.answer(settingsOverwrittenMessage(outcome.overwrittenPreferences));
  await redrawSettings(call);
}

async function submitPart(part: SettingsPart, submitted: ViewInteraction): Promise<SubmissionResponse> {
  const form = await settingsForms.find(submitted);
  const errors = new Map<string, string>();
  const wanted = form && part.read(submitted.view.values, form.shown, errors);
  if (!wanted)
    return { kind: 'update', view: noticeView(SETTINGS_TITLE, [alertBlock('error', OUT_OF_DATE)]) };
  if (errors.size > 0) return { kind: 'errors', errors: Object.fromEntries(errors) };
  return { kind: 'close', channel: form.channel, after: (call) => savePart(call, form, wanted) };
}

async function saveBudget(call: ViewSubmissionCall, limit: number | 'unlimited'): Promise<void> {
  const { services, person, channel } = call;
  const refusal = await findVisibilityRefusal({ services, person }, channel);
  if (refusal !== undefined) return call.answer({ text: refusal });
  await setChannelBudget(call, limit);
  await redrawSettings(call);
}

export const settingsViews: readonly ViewRoute[] = [
  ...Object.values(settingsParts).map(
    (part): ViewRoute => ({
      id: part.viewId,
      needs: 'admin',
      submit: (submitted) => submitPart(part, submitted),
    }),
  ),
  createBudgetView(viewIds.settingsBudget, saveBudget),
];
