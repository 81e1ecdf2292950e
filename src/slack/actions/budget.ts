/** An admin gives a channel that spends from the pool the default budget to itself. */
import { hasRoleAtLeast } from '../../access/roles.ts';
import { ChannelId } from '../../ids.ts';
import { actionIds } from '../blocks/ids.ts';
import { budgetConfirmedAlreadyMessage } from '../messages/budget.ts';
import { notAllowedMessage, unknownButtonMessage } from '../messages/request-errors.ts';
import type { ActionCall, ActionRoute } from '../routes.ts';

/** The channel that is named decides, wherever the notice was pressed; the notice itself tells who confirmed. */
async function run(call: ActionCall): Promise<void> {
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
  // Whether somebody is an admin of the channel that the value names is looked up by `run`.
  needs: 'viewer',
  run,
};
