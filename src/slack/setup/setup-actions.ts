/**
 * The setup form's buttons, and those that open it: on the welcome, in the menu, in `/gig list`; and the
 * preview of rules on a filter's newest projects.
 */
import { previewRules } from '../../feed/decide-card.ts';
import type { FilterId } from '../../ids.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { logAndDescribeFailure, updateViewIfOpen } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, Services, ViewValues } from '../core/routes.ts';
import { joinLines } from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { codeText, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { insufficientCreditsText } from '../kit/words/credits-text.ts';
import { filterValueCodec, SUBSCRIPTION_GONE, triedRulesRows } from '../subscriptions/subscriptions.ts';
import { checkFilterAnswers, readFilterAnswers, readReceiveInputs } from './setup-answers.ts';
import { changeSetupForm, type Preview, type SetupForm, setupForms } from './setup-forms.ts';
import { PREVIEW_COST, setupModal } from './setup-modal.ts';
import {
  openSetup,
  openSetupOrEdit,
  openSubscriptionEdit,
  readSetupChoices,
  renewSetupForm,
} from './setup-open.ts';

const MOST_PREVIEWED = 20;
const MOST_TITLES = 5;
const LONGEST_TITLE = 90;

export const SETUP_OUT_OF_DATE =
  'This form is out of date, so nothing was changed. Open it again with `/gig subscribe`.';

/** What the form's first view holds; for an edited subscription, that is all of it. */
export function readFirstStep(values: ViewValues, before: SetupForm): Pick<SetupForm, 'answers' | 'receive'> {
  const answers = readFilterAnswers(values, before.answers);
  return before.edited ? { answers, receive: readReceiveInputs(values, before) } : { answers };
}

const ofForm = { findChannel: setupForms.findChannel, isInForm: true } as const;

/** @param charged set after asking the marketplace */
function previewProjects(
  filter: FilterId,
  rules: string,
  projects: readonly ListedProject[],
  charged?: number,
): Preview {
  if (projects.length === 0 && charged === undefined) {
    const none = `Gigdesk hasn't seen any projects of filter ${filter} yet. `;
    const cost = `To preview, it can read the newest ones for up to ${formatCount(PREVIEW_COST, 'credit')}.`;
    return { rows: [none + cost], isPaid: true };
  }
  if (projects.length === 0)
    return {
      rows: [`The marketplace shows no projects of filter ${filter} yet, so there is nothing to preview.`],
    };
  const { posted } = previewRules(projects, { rules });
  const withRules = rules ? ` with the rules ${codeText(rules, 300)}` : '';
  return {
    rows: [
      `Of the last ${formatCount(projects.length, 'project')} of this filter, ` +
        `*${formatNumber(posted.length)} would be posted*${withRules}.`,
      ...posted
        .slice(0, MOST_TITLES)
        .map(({ title }) => `• ${safeLine(title, LONGEST_TITLE) || 'Untitled project'}`),
      ...(charged === undefined ? [] : [`This preview cost ${formatCount(charged, 'credit')}.`]),
    ],
  };
}

type Bought = Pick<SetupForm, 'preview' | 'bought'>;

/** Reads the newest monitoring result's projects; the list of results is free. */
async function buyPreview(call: ActionCall, filter: FilterId, rules: string): Promise<Bought> {
  const { projects } = call.services;
  const results = await projects.listFilterResults(filter, 1);
  if (results.kind === 'failed') {
    if (results.error.code === 'not-found') return { preview: previewProjects(filter, rules, [], 0) };
    throw results.error;
  }
  const newest = results.page.items.toSorted((a, b) => (b.createdAt ?? b.id) - (a.createdAt ?? a.id));
  const result = newest.find(({ totalProjects }) => totalProjects !== 0);
  if (!result) return { preview: previewProjects(filter, rules, [], 0) };
  const buyer = { channel: call.channel, user: call.person.user };
  const outcome = await projects.buyResultProjects(buyer, result.id, 1);
  if (outcome.kind === 'failed') throw outcome.error;
  if (outcome.kind !== 'found') return { preview: { rows: [insufficientCreditsText(outcome)] } };
  const found = outcome.projects.slice(0, MOST_PREVIEWED);
  return {
    preview: previewProjects(filter, rules, found, outcome.charged),
    bought: { filter, projects: [...found] },
  };
}

/**
 * For an edited subscription, what the filter found lately; else the newest stored projects, then those that
 * an earlier preview paid for.
 */
async function previewStored(
  { feed, funnel }: Services,
  { channel, edited, bought }: SetupForm,
  filter: FilterId,
  rules: string,
): Promise<Preview> {
  const tried = edited && (await funnel.tryRules({ channel, filter, rules }));
  if (tried?.kind === 'tried' && tried.counts.known > 0) return { rows: [...triedRulesRows(tried)] };
  const known = await feed.listRecentFilterProjects(filter, MOST_PREVIEWED);
  const paid = bought?.filter === filter ? bought.projects : [];
  return previewProjects(filter, rules, known.length > 0 ? known : paid);
}

async function findPreview(call: ActionCall, form: SetupForm, mayBuy: boolean): Promise<Bought> {
  const { services } = call;
  const checked = checkFilterAnswers(form.answers, form.edited);
  const failed = (failure: string): Bought => ({ preview: { rows: [`:warning: ${failure}`] } });
  if (checked.kind === 'errors')
    return failed(joinLines(...Object.values(checked.errors).map((text) => safeLine(text, 600))));
  const { filter, rules } = checked;
  if (filter === undefined) return failed('Choose a filter first, then preview its rules.');
  try {
    const found = await previewStored(services, form, filter, rules);
    return found.isPaid && mayBuy ? await buyPreview(call, filter, rules) : { preview: found };
  } catch (thrown) {
    return failed(logAndDescribeFailure(services, 'could not preview rules', thrown).text);
  }
}

async function showPreview(call: ActionCall, mayBuy: boolean): Promise<void> {
  const { services, person, view } = call;
  const before = view && (await setupForms.find({ services, user: person.user, view }));
  if (!before) return call.answer({ text: SETUP_OUT_OF_DATE });
  const inputs = readFirstStep(view.values, before);
  const found = await findPreview(call, { ...before, ...inputs }, mayBuy);
  const form = await services.store.transact((tx) => changeSetupForm(tx, before, { ...inputs, ...found }));
  if (!form) return call.answer({ text: SETUP_OUT_OF_DATE });
  await updateViewIfOpen(services, view.id, setupModal(form, await readSetupChoices(services)));
}

/** Back to the first step, with the answers of both: from the second one, or from what a save said. */
async function goBack(call: ActionCall): Promise<void> {
  const { services, person, view } = call;
  const before = view && (await setupForms.find({ services, user: person.user, view }));
  if (!before) return call.answer({ text: SETUP_OUT_OF_DATE });
  const receive = readReceiveInputs(view.values, before);
  const form =
    view.callbackId === viewIds.setupReceive
      ? await services.store.transact((tx) => changeSetupForm(tx, before, { receive }))
      : await renewSetupForm(services, before);
  if (!form) return call.answer({ text: SETUP_OUT_OF_DATE });
  await updateViewIfOpen(services, view.id, setupModal(form, await readSetupChoices(services)));
}

export const setupActions: readonly ActionRoute[] = [
  // Both refuse guests themselves, and name who can.
  { id: actionIds.setupOpen, needs: 'outsider', run: openSetupOrEdit },
  { id: actionIds.setupAdd, needs: 'outsider', run: openSetup },
  {
    id: actionIds.setupEdit,
    needs: 'viewer',
    async run(call) {
      const filter = filterValueCodec.read(call.value)?.filter;
      if (!(await openSubscriptionEdit(call, call.channel, filter))) await call.answer(SUBSCRIPTION_GONE);
    },
  },
  { ...ofForm, id: actionIds.setupPreview, needs: 'viewer', run: (call) => showPreview(call, false) },
  {
    ...ofForm,
    id: actionIds.setupPreviewBuy,
    needs: 'viewer',
    pendingLabel: '“Preview”',
    run: (call) => showPreview(call, true),
  },
  { ...ofForm, id: actionIds.setupBack, needs: 'viewer', run: goBack },
];
