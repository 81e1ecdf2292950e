/**
 * `/gig budget`, and the button with which an admin confirms the default budget as the channel's own: until
 * then it spends from the shared pool.
 */
import { hasRoleAtLeast } from '../../access/access.ts';
import { ChannelId, toCredits } from '../../ids.ts';
import { notAllowedMessage, unknownButtonMessage } from '../core/request-errors.ts';
import type { ActionCall, ActionRoute, CommandCall, CommandRoute } from '../core/routes.ts';
import { inputErrorMessage, parseWholeNumberInRange } from '../kit/command-text.ts';
import { actionIds } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import {
  budgetConfirmedAlreadyMessage,
  budgetMessage,
  budgetSameMessage,
  budgetSetMessage,
} from './budget-messages.ts';

const MOST = 1_000_000;

/** What `parseBudgetLimit` reads; plain text, which is also safe mrkdwn. */
export const BUDGET_INPUT_ERROR =
  'Enter a whole number of credits from 0 (spend nothing) to 1,000,000, or “off” for no limit.';

/** A number of credits, `unlimited` for `off`, undefined for anything else. */
export function parseBudgetLimit(text: string): number | 'unlimited' | undefined {
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
  if (!hasRoleAtLeast(call.person.role, 'admin'))
    return call.answer(
      notAllowedMessage(call.person, 'admin', { hint: 'You can see it with `/gig budget`.' }),
    );
  await setChannelBudget(call, limit);
}

/** For admins; notifies the channel. @param limit a whole number of credits */
export async function setChannelBudget(
  call: Pick<CommandCall, 'services' | 'channel' | 'person' | 'answer'>,
  limit: number | 'unlimited',
): Promise<void> {
  const { store, credits: book, clock, feed } = call.services;
  const set = limit === 'unlimited' ? limit : toCredits(limit);
  const before = await store.read((tx) => book.readBudgetState(tx, call.channel, clock.now()));
  if (before.isOwn && before.limit === set) return call.answer(budgetSameMessage(before));
  const savedBudget = await store.transact((tx) =>
    book.setBudget(tx, call.channel, set, call.person.user, clock.now()),
  );
  feed.wake();
  await call.answer(budgetSetMessage(savedBudget, call.person.user), 'channel');
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
  const channel = ChannelId.safeParse(value).data;
  if (!channel) return call.answer(unknownButtonMessage());
  const person = await services.resolvePerson(call.person.user, channel);
  if (!hasRoleAtLeast(person.role, 'admin'))
    return call.answer(notAllowedMessage(person, 'admin', { mayAsk: false }));
  const { store, credits, clock, feed } = services;
  const isNew = await store.transact((tx) => credits.confirmBudget(tx, channel, person.user, clock.now()));
  if (!isNew) return call.answer(budgetConfirmedAlreadyMessage(channel));
  feed.wake();
}

export const confirmBudgetAction: ActionRoute = {
  id: actionIds.budgetConfirm,
  // `confirmBudget` checks whether the person is an admin of the value's channel.
  needs: 'viewer',
  run: confirmBudget,
};
