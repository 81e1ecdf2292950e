/** Sets a channel's budget from the Home tab, as `/gig budget <credits>` does in the channel. */

import { parseBudgetLimit, setChannelBudget } from '../budgets/budgets.ts';
import { CHANNEL_MEMBERSHIP_UNKNOWN, NOT_IN_CHANNEL } from '../core/request-errors.ts';
import type { SubmissionResponse, ViewInteraction, ViewRoute, ViewSubmissionCall } from '../core/routes.ts';
import { checkChannelMembership } from '../core/user-channels.ts';
import { viewIds } from '../kit/ids.ts';
import { noticeView } from '../kit/notice-view.ts';
import { HOME_ITEM_OUTDATED_NOTICE } from './home-answers.ts';
import { BUDGET_FIELD, BUDGET_INPUT_ERROR, parseBudgetModalChannel } from './home-budget-view.ts';
import { publishHomeAfterPress } from './show-home.ts';

async function save(call: ViewSubmissionCall, limit: number | 'unlimited'): Promise<void> {
  const { services, person, channel } = call;
  const place = await checkChannelMembership(services, person.user, channel);
  if (place === 'in') await setChannelBudget(call, limit);
  const refusal = place === 'out' ? NOT_IN_CHANNEL : CHANNEL_MEMBERSHIP_UNKNOWN;
  await publishHomeAfterPress(services, person.user, place === 'in' ? undefined : refusal);
}

async function submit({ view }: ViewInteraction): Promise<SubmissionResponse> {
  const channel = parseBudgetModalChannel(view.privateMetadata);
  if (!channel) return { kind: 'update', view: noticeView('Channel Budget', HOME_ITEM_OUTDATED_NOTICE) };
  const limit = parseBudgetLimit((view.values.get(BUDGET_FIELD)?.text ?? '').trim());
  if (limit === undefined) return { kind: 'errors', errors: { [BUDGET_FIELD]: BUDGET_INPUT_ERROR } };
  return { kind: 'close', channel, after: (call) => save(call, limit) };
}

export const homeBudgetView: ViewRoute = { id: viewIds.homeBudget, needs: 'admin', submit };
