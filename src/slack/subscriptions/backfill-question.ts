/** Asks before a large backfill, which may fill a channel and spend its credits. */
import { z } from 'zod';
import { MIN_PROJECTS_PAGE_SIZE } from '../../credits/credits.ts';
import type { NamedFilter } from '../../feed/feed.ts';
import { MAX_BACKFILL_PROJECTS } from '../../feed/subscribe.ts';
import { FilterId } from '../../ids.ts';
import { createPersonalWindows, personalWindowShape, readPersonalRecord } from '../core/personal-records.ts';
import type { ActionCall, ActionRoute, CommandCall, Message } from '../core/routes.ts';
import { actionsBlock, buttonElement, joinLines, textMessage } from '../kit/block-builders.ts';
import { actionIds, SLASH_COMMAND } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { filterName } from '../kit/words/filters.ts';
import { subscribeToFilter, wantedText } from './subscribe-to-filter.ts';

/** How many past projects are requested without a question. */
export const MAX_UNASKED_BACKFILL = 20;

const BackfillQuestion = z.object({
  ...personalWindowShape,
  filter: FilterId,
  rules: z.string(),
  backfill: z.number().int().min(1).max(MAX_BACKFILL_PROJECTS),
});

export const backfillQuestions = createPersonalWindows('backfill-questions', BackfillQuestion);

interface AskedBackfill {
  readonly filter: NamedFilter;
  /** In the query language, normalized. */
  readonly rules: string;
  readonly backfill: number;
}

function backfillQuestionMessage({ filter, rules, backfill }: AskedBackfill, id: string): Message {
  const projects = formatCount(backfill, 'past project');
  // The last page has at least the smallest size, even if a single project is missing.
  const mostCredits = backfill + MIN_PROJECTS_PAGE_SIZE - 1;
  const text = joinLines(
    `Subscribe this channel to ${wantedText(filterName(filter), rules)}, and post up to ${projects} now?`,
    `The past projects can cost up to ${formatCount(mostCredits, 'credit')}. ` +
      `For none or fewer, enter ${codeText(`${SLASH_COMMAND} subscribe ${filter.id}`)} again with another ` +
      'backfill.',
  );
  const button = buttonElement({ id: actionIds.backfillConfirm, label: 'Subscribe and Post', value: id });
  return textMessage(text, actionsBlock([button]));
}

/** Nothing changes until the person confirms. */
export async function askAboutBackfill(call: CommandCall, asked: AskedBackfill): Promise<void> {
  const { id } = await backfillQuestions.save(call, { ...asked, filter: asked.filter.id });
  await call.answer(backfillQuestionMessage(asked, id));
}

/** Takes the question, so that a second press requests nothing. */
function takeQuestion({ services, person, channel, value }: ActionCall) {
  const { collection } = backfillQuestions;
  return services.store.transact(async (tx) => {
    const found = await readPersonalRecord(tx, collection, { user: person.user }, value);
    if (found?.channel !== channel) return undefined;
    await tx.delete(collection, [found.user, found.id]);
    return found;
  });
}

export const confirmBackfillAction: ActionRoute = {
  id: actionIds.backfillConfirm,
  needs: 'viewer',
  pendingLabel: '“Subscribe and Post”',
  hasSideEffects: true,
  async run(call) {
    const question = await takeQuestion(call);
    if (!question)
      return call.answer({
        text: 'You already answered this, or it expired. To get past projects, enter the command again.',
      });
    if (await subscribeToFilter(call, question))
      await call.replace({ text: 'Subscribed. A message in the channel has the details.' });
  },
};
