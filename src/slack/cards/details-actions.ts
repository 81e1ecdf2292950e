import type { CardData } from '../../feed/feed.ts';
import type { MessageTs } from '../../ids.ts';
import { parseProjectReference } from '../../marketplace/project-key.ts';
import {
  claimDetailsThread,
  type DetailsThread,
  recordDetailsPosted,
  releaseDetailsThread,
} from '../core/details-threads.ts';
import { CARD_GONE, findPressedCard } from '../core/find-pressed-card.ts';
import type { ActionCall, ActionRoute, Message } from '../core/routes.ts';
import { DETAILS_REQUEST_LABEL } from '../core/slow-reply.ts';
import { actionIds } from '../kit/ids.ts';
import { escapeMrkdwn } from '../kit/mrkdwn.ts';
import { projectNotFoundMessage } from '../kit/project/no-such-project.ts';
import { projectDetailsMessage } from '../kit/project/project-details.ts';
import { chargedCreditsText, insufficientCreditsText } from '../kit/words/credits-text.ts';

/** A message for the thread, or an ephemeral one when nothing could be bought. */
export type DetailsReply = { readonly kind: 'thread' | 'person'; readonly message: Message };

const NO_ID =
  "Couldn't look up this project: its link has no `~ID`. This is everything in the list. " +
  'For the rest, use `/gig lookup` with the `~ID`.';

async function fetchDetails(call: ActionCall, { seen }: CardData): Promise<DetailsReply> {
  const { services, channel, person } = call;
  const known = (why: string): Message => projectDetailsMessage(seen.project, why);
  const reference = parseProjectReference(seen.project.url);
  if (!reference) return { kind: 'thread', message: known(NO_ID) };
  const outcome = await services.projects.lookUp({ channel, user: person.user }, reference);
  switch (outcome.kind) {
    case 'found': {
      const { verdict } = seen.project;
      const project = { ...outcome.project, ...(verdict ? { verdict } : {}) };
      return { kind: 'thread', message: projectDetailsMessage(project, chargedCreditsText(outcome)) };
    }
    case 'failed':
      if (outcome.error.code === 'not-found')
        return { kind: 'person', message: projectNotFoundMessage(outcome.askedAt) };
      throw outcome.error;
    case 'no-budget':
    case 'account-spent':
      return {
        kind: 'person',
        message: known(`${insufficientCreditsText(outcome)} This is everything in the list.`),
      };
  }
}

async function postDetails(
  call: ActionCall,
  thread: DetailsThread,
  fetch: () => Promise<DetailsReply>,
): Promise<void> {
  const { store, slack, clock } = call.services;
  let posted: MessageTs | undefined;
  try {
    const { kind, message } = await fetch();
    if (kind === 'thread') posted = await slack.post(call.channel, message, thread.card);
    else await call.answer(message);
  } finally {
    await store.transact((tx) =>
      posted === undefined
        ? releaseDetailsThread(tx, thread)
        : recordDetailsPosted(tx, thread, posted, clock.now()),
    );
  }
}

async function pointToThread(call: ActionCall, thread: DetailsThread): Promise<void> {
  if (thread.ts === undefined)
    return call.answer({ text: "Loading the details. They'll appear in this card's thread." });
  const link = await call.services.slack.fetchPermalink(call.channel, thread.ts);
  const place = link ? `<${escapeMrkdwn(link)}|in this card's thread>` : "in this card's thread";
  await call.answer({ text: `The details are already ${place}.` });
}

/**
 * Posts the result of `fetch` to the pressed message's thread: once per message, for any number of presses.
 */
export async function postDetailsOnce(
  call: ActionCall,
  card: MessageTs,
  fetch: () => Promise<DetailsReply>,
): Promise<void> {
  const { services, channel, person } = call;
  const thread = { team: services.team, channel, card, by: person.user, at: services.clock.now() };
  const begun = await services.store.transact((tx) => claimDetailsThread(tx, thread));
  if (begun === 'ours') return postDetails(call, thread, fetch);
  await pointToThread(call, begun);
}

/** Posts the full project to the card's thread: once per card, for at most 1 credit. */
export const detailsAction: ActionRoute = {
  id: actionIds.details,
  needs: 'viewer',
  pendingLabel: DETAILS_REQUEST_LABEL,
  async run(call) {
    const card = call.message?.ts;
    const view = await findPressedCard(call, card);
    if (!view || card === undefined) return call.answer(CARD_GONE);
    await postDetailsOnce(call, card, () => fetchDetails(call, view));
  },
};
