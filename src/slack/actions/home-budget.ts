/** The budget of a channel, sent from a Home: what `/gig budget <credits>` does there. */
import { viewIds } from '../blocks/ids.ts';
import { readLimit, setBudget } from '../commands/budget.ts';
import { isIn } from '../home/places.ts';
import { showAfterPress } from '../home/show-home.ts';
import { HOME_OUTDATED, NOT_IN_CHANNEL, PLACE_UNSURE } from '../messages/home-answers.ts';
import type { SubmissionAnswer, ViewCall, ViewPlace, ViewRoute } from '../routes.ts';
import { BUDGET_FIELD, BUDGET_MISTAKE, readBudgetPlace } from '../views/home-budget.ts';
import { noticeView } from '../views/plain-view.ts';

async function save(call: ViewCall, limit: number | 'unlimited'): Promise<void> {
  const { services, person, channel } = call;
  const place = await isIn(services, person.user, channel);
  if (place === 'in') await setBudget(call, limit);
  const refusal = place === 'out' ? NOT_IN_CHANNEL : PLACE_UNSURE;
  await showAfterPress(services, person.user, place === 'in' ? undefined : refusal);
}

async function submit({ view }: ViewPlace): Promise<SubmissionAnswer> {
  const channel = readBudgetPlace(view.privateMetadata);
  if (!channel) return { kind: 'update', view: noticeView('Channel Budget', HOME_OUTDATED) };
  const limit = readLimit((view.values.get(BUDGET_FIELD)?.text ?? '').trim());
  if (limit === undefined) return { kind: 'errors', errors: { [BUDGET_FIELD]: BUDGET_MISTAKE } };
  return { kind: 'close', channel, after: (call) => save(call, limit) };
}

export const homeBudgetView: ViewRoute = { id: viewIds.homeBudget, needs: 'admin', submit };
