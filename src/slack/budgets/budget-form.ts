/** The form that sets a channel's budget, and the button that opens it. The channel's own admins decide. */
import type { ModalView } from '@slack/types';
import { hasRoleAtLeast } from '../../access/access.ts';
import type { BudgetState } from '../../credits/credits.ts';
import { notAllowedMessage } from '../core/request-errors.ts';
import type { ActionCall, ActionRoute, ViewRoute, ViewSubmissionCall } from '../core/routes.ts';
import { findVisibilityRefusal } from '../core/user-channels.ts';
import { formView, noticeView, sectionBlock } from '../kit/block-builders.ts';
import { ConversationValue } from '../kit/button-values.ts';
import { actionIds, viewIds } from '../kit/ids.ts';
import { textInput } from '../kit/inputs.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { BUDGET_INPUT_ERROR, parseBudgetLimit, setChannelBudget } from './budget-command.ts';
import { budgetUsageText } from './budget-messages.ts';

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
    return call.answer(notAllowedMessage(person, 'admin', isHere ? {} : { mayAsk: false }));
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
