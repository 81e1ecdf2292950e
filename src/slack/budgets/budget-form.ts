/** The form that sets a channel's budget, and the button that opens it. The channel's own admins decide. */
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { hasRoleAtLeast } from '../../access/access.ts';
import type { BudgetState } from '../../credits/credits.ts';
import { ChannelId } from '../../ids.ts';
import { membershipRefusal, notAllowedMessage } from '../core/request-errors.ts';
import type { ActionCall, ActionRoute, Person, ViewRoute, ViewSubmissionCall } from '../core/routes.ts';
import { checkChannelVisibility } from '../core/user-channels.ts';
import { noticeView, plainTextObject, sectionBlock } from '../kit/block-builders.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { textInput } from '../kit/inputs.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { parseBudgetLimit, setChannelBudget } from './budget-command.ts';
import { budgetUsageText } from './budget-messages.ts';

const TITLE = 'Channel Budget';
const BUDGET_FIELD = 'budget';
const INPUT_ERROR =
  'Enter a whole number of credits from 0 (spend nothing) to 1,000,000, or off for no limit.';
const OUTDATED = 'This window is out of date, so nothing changed. Open it again.';

/** Untrusted input: the person's role in this channel is checked before anything is done. */
const Place = z
  .string()
  .regex(/^[CDG][A-Z0-9]{1,30}$/u)
  .pipe(ChannelId);

/** @param callbackId the route that saves it */
export function budgetModal(budget: BudgetState, callbackId: string): ModalView {
  const { channel, limit } = budget;
  return {
    type: 'modal',
    callback_id: callbackId,
    private_metadata: channel,
    title: plainTextObject(TITLE),
    submit: plainTextObject('Set'),
    close: plainTextObject('Cancel'),
    blocks: [
      sectionBlock(`*${channelLink(channel)}*\n${budgetUsageText(budget)}`),
      textInput({
        id: BUDGET_FIELD,
        label: 'Credits per billing period',
        hint: 'With fewer than 10 credits left, new projects wait. Enter “off” to remove the channel limit.',
        initial: limit === 'unlimited' ? 'off' : String(limit),
        maxLength: 20,
      }),
    ],
  };
}

/**
 * The form's route.
 * @param save runs for admins of the form's channel, after the window closed
 */
export function createBudgetView(
  id: string,
  save: (call: ViewSubmissionCall, limit: number | 'unlimited') => Promise<void>,
): ViewRoute {
  return {
    id,
    needs: 'admin',
    async submit({ view }) {
      const channel = Place.safeParse(view.privateMetadata).data;
      if (!channel) return { kind: 'update', view: noticeView(TITLE, OUTDATED) };
      const limit = parseBudgetLimit((view.values.get(BUDGET_FIELD)?.text ?? '').trim());
      if (limit === undefined) return { kind: 'errors', errors: { [BUDGET_FIELD]: INPUT_ERROR } };
      return { kind: 'close', channel, after: (call) => save(call, limit) };
    },
  };
}

/** Why the person may not see the channel now, as safe mrkdwn; undefined: they may. */
async function refusalOf(
  { services }: Pick<ActionCall, 'services'>,
  person: Person,
  { here, channel }: { readonly here: ChannelId; readonly channel: ChannelId },
): Promise<string | undefined> {
  const sight = await checkChannelVisibility({ services, person, channel: here }, channel);
  return membershipRefusal(sight === 'open' ? 'in' : sight === 'closed' ? 'out' : 'unsure');
}

async function openForm(call: ActionCall): Promise<void> {
  const { services, triggerId, channel: here } = call;
  const channel = Place.safeParse(call.value).data ?? here;
  const isHere = channel === here;
  const person = isHere ? call.person : await services.resolvePerson(call.person.user, channel);
  if (!hasRoleAtLeast(person.role, 'admin'))
    return call.answer(notAllowedMessage(person, 'admin', isHere ? {} : { mayAsk: false }));
  const refusal = await refusalOf(call, person, { here, channel });
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
  const { person, channel } = call;
  const here = ChannelId.parse(person.user);
  const refusal = await refusalOf(call, person, { here, channel });
  if (refusal !== undefined) return call.answer({ text: refusal });
  await setChannelBudget(call, limit);
});
