/** Sets a channel's budget from the Home tab, as `/gig budget <credits>` does in the channel. */

import { viewIds } from '../blocks/ids.ts';
import { parseBudgetLimit, setChannelBudget } from '../commands/budget.ts';
import { publishHomeAfterPress } from '../home/show-home.ts';
import { checkChannelMembership } from '../home/user-channels.ts';
import { HOME_ITEM_OUTDATED_NOTICE } from '../messages/home-answers.ts';
import { CHANNEL_MEMBERSHIP_UNKNOWN, NOT_IN_CHANNEL } from '../messages/request-errors.ts';
import type { SubmissionResponse, ViewInteraction, ViewRoute, ViewSubmissionCall } from '../routes.ts';
import { BUDGET_FIELD, BUDGET_INPUT_ERROR, parseBudgetModalChannel } from '../views/home-budget.ts';
import { noticeView } from '../views/notice-view.ts';

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
