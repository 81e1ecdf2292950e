/** An admin confirms the default budget as the channel's own; until then it spends from the shared pool. */
import { hasRoleAtLeast } from '../../access/roles.ts';
import { ChannelId } from '../../ids.ts';
import { notAllowedMessage, unknownButtonMessage } from '../core/request-errors.ts';
import type { ActionCall, ActionRoute } from '../core/routes.ts';
import { actionIds } from '../kit/ids.ts';
import { budgetConfirmedAlreadyMessage } from './budget-messages.ts';

/** The named channel decides, wherever the notice was pressed; the updated notice names who confirmed. */
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
  // `run` checks whether the person is an admin of the value's channel.
  needs: 'viewer',
  run,
};
