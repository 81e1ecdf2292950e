/**
 * `/gig budget`, and the button with which an admin confirms the default budget as the channel's own: until
 * then it spends from the shared pool.
 */

import type { ModalView } from '@slack/types';
import { hasRoleAtLeast } from '../../access/access.ts';
import type { BudgetState } from '../../credits/credits.ts';
import { toCredits } from '../../ids.ts';
import { notAllowedMessage, unknownButtonMessage } from '../core/request-errors.ts';
import type {
  ActionCall,
  ActionRoute,
  CommandCall,
  CommandRoute,
  ViewRoute,
  ViewSubmissionCall,
} from '../core/routes.ts';
import { findVisibilityRefusal } from '../core/user-channels.ts';
import { formView, noticeView, sectionBlock } from '../kit/block-builders.ts';
import { ConversationValue } from '../kit/button-values.ts';
import { messageWithButtons, setBudgetButton } from '../kit/command-button.ts';
import { inputErrorMessage, parseWholeNumberInRange } from '../kit/command-text.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { textInput } from '../kit/inputs.ts';
import { channelLink, codeText } from '../kit/mrkdwn.ts';
import { budgetMessage, budgetSameMessage, budgetSetMessage, budgetUsageText } from './budget-messages.ts';

const MOST = 1_000_000;

/** What `parseBudgetLimit` reads; plain text, which is also safe mrkdwn. */
const BUDGET_INPUT_ERROR =
  'Enter a whole number of credits from 0 (spend nothing) to 1,000,000, or “off” for no limit.';

/** A number of credits, `unlimited` for `off`, undefined for anything else. */
function parseBudgetLimit(text: string): number | 'unlimited' | undefined {
  if (/^(?:off|none|unlimited)$/iu.test(text)) return 'unlimited';
  return parseWholeNumberInRange(text.replace(/\s*credits?$/iu, ''), 0, MOST);
}

async function show(call: CommandCall): Promise<void> {
  const { store, credits: book, clock } = call.services;
  const at = clock.now();
  const message = await store.read(async (tx) =>
    budgetMessage(await book.readBudgetState(tx, call.channel, at), await book.readAccountState(tx, at)),
  );
  await call.answer(message);
}

async function runBudget(call: CommandCall): Promise<void> {
  if (call.args === '') return show(call);
  const limit = parseBudgetLimit(call.args);
  if (limit === undefined)
    return call.answer(
      inputErrorMessage(
        `${codeText(call.args, 60)} isn't a valid budget. ${BUDGET_INPUT_ERROR}`,
        'budget 500',
      ),
    );
  const hint = 'You can see it with `/gig budget`.';
  if (!hasRoleAtLeast(call.person.role, 'admin'))
    return call.answer(notAllowedMessage(call.person, 'admin', { hint }));
  await setChannelBudget(call, limit);
}

/** For admins; notifies the channel. @param limit a whole number of credits */
export async function setChannelBudget(
  call: Pick<CommandCall, 'services' | 'channel' | 'person' | 'answer'>,
  limit: number | 'unlimited',
): Promise<void> {
  const { store, credits: book, clock, feed } = call.services;
  const set = limit === 'unlimited' ? limit : toCredits(limit);
  const at = clock.now();
  const { isNew, budget } = await store.transact(async (tx) => {
    const before = await book.readBudgetState(tx, call.channel, at);
    if (before.isOwn && before.limit === set) return { isNew: false, budget: before };
    return { isNew: true, budget: await book.setBudget(tx, call.channel, set, call.person.user, at) };
  });
  if (!isNew) return call.answer(budgetSameMessage(budget));
  feed.wake();
  await call.answer(budgetSetMessage(budget, call.person.user), 'channel');
}

export const budgetCommand: CommandRoute = {
  word: 'budget',
  topic: 'credits',
  /** Every full member can see the budget; `run` requires an admin to set it. */
  needs: 'viewer',
  usage: ['budget [<credits> | off]'],
  summary:
    "Show or set this channel's credits. How much it can spend in a billing period, and has spent. " +
    'Only admins can change it.',
  details:
    'A new project costs 1 credit, split among the channels that follow its filter. ' +
    'A channel never exceeds its budget: with fewer than 10 credits left, ' +
    'new projects wait for the reset or a higher budget. ' +
    '`off` removes the channel limit, so only account credits limit spending. ' +
    'Until an admin subscribes in a channel, or sets or confirms its budget, ' +
    'it shares one default budget with all other unconfirmed channels.',
  examples: ['budget', 'budget 500', 'budget off'],
  run: runBudget,
};

/** The named channel decides, wherever the notice was pressed; the updated notice names who confirmed. */
async function confirmBudget(call: ActionCall): Promise<void> {
  const { services, value } = call;
  const channel = ConversationValue.safeParse(value).data;
  if (!channel) return call.answer(unknownButtonMessage());
  const person = await services.resolvePerson(call.person.user, channel);
  if (!hasRoleAtLeast(person.role, 'admin'))
    return call.answer(notAllowedMessage(person, 'admin', { mayAsk: false }));
  const { store, credits, clock, feed } = services;
  const isNew = await store.transact((tx) => credits.confirmBudget(tx, channel, person.user, clock.now()));
  const already = `${channelLink(channel)} already has its own budget.`;
  if (!isNew) return call.answer(messageWithButtons(already, setBudgetButton(channel)));
  feed.wake();
}

export const confirmBudgetAction: ActionRoute = {
  id: actionIds.budgetConfirm,
  // `confirmBudget` checks whether the person is an admin of the value's channel.
  needs: 'viewer',
  run: confirmBudget,
};

const TITLE = 'Channel Budget';
const BUDGET_FIELD = 'budget';
const OUTDATED = 'This window is out of date, so nothing changed. Open it again.';

/** @param callbackId the route that saves it */
export function budgetModal(budget: BudgetState, callbackId: string): ModalView {
  const { channel, limit } = budget;
  return formView({ id: callbackId, carries: channel, title: TITLE, submit: 'Set' }, [
    sectionBlock(`*${channelLink(channel)}*\n${budgetUsageText(budget)}`),
    textInput({
      id: BUDGET_FIELD,
      label: 'Credits per billing period',
      hint: 'With fewer than 10 credits left, new projects wait. Enter “off” to remove the channel limit.',
      initial: limit === 'unlimited' ? 'off' : String(limit),
      maxLength: 20,
    }),
  ]);
}

/** The form's route. @param save runs for admins of the form's channel, after the window closed */
export function createBudgetView(
  id: string,
  save: (call: ViewSubmissionCall, limit: number | 'unlimited') => Promise<void>,
): ViewRoute {
  return {
    id,
    needs: 'admin',
    async submit({ view }) {
      const channel = ConversationValue.safeParse(view.privateMetadata).data;
      if (!channel) return { kind: 'update', view: noticeView(TITLE, OUTDATED) };
      const limit = parseBudgetLimit((view.values.get(BUDGET_FIELD)?.text ?? '').trim());
      if (limit === undefined) return { kind: 'errors', errors: { [BUDGET_FIELD]: BUDGET_INPUT_ERROR } };
      return { kind: 'close', channel, after: (call) => save(call, limit) };
    },
  };
}

async function openForm(call: ActionCall): Promise<void> {
  const { services, triggerId, channel: here } = call;
  const channel = ConversationValue.safeParse(call.value).data ?? here;
  const isHere = channel === here;
  const person = isHere ? call.person : await services.resolvePerson(call.person.user, channel);
  if (!hasRoleAtLeast(person.role, 'admin'))
    return call.answer(notAllowedMessage(person, 'admin', { mayAsk: isHere ? undefined : false }));
  const refusal = await findVisibilityRefusal({ services, person, channel: here }, channel);
  if (refusal !== undefined) return call.answer({ text: refusal });
  const { store, credits, clock, slack } = services;
  const budget = await store.read((tx) => credits.readBudgetState(tx, channel, clock.now()));
  await slack.openView(triggerId, budgetModal(budget, viewIds.budget));
}

export const setBudgetAction: ActionRoute = {
  id: actionIds.budgetSet,
  // `openForm` checks whether the person is an admin of the value's channel.
  needs: 'viewer',
  run: openForm,
};

export const budgetView = createBudgetView(viewIds.budget, async (call, limit) => {
  const { services, person, channel } = call;
  const refusal = await findVisibilityRefusal({ services, person }, channel);
  if (refusal !== undefined) return call.answer({ text: refusal });
  await setChannelBudget(call, limit);
});
