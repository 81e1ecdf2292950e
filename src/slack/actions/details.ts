import type { CardView } from '../../feed/feed.ts';
import type { MessageTs } from '../../ids.ts';
import { readProjectReference } from '../../marketplace/project-key.ts';
import { actionIds } from '../blocks/ids.ts';
import { escapeMrkdwn } from '../blocks/mrkdwn.ts';
import { abandonDetails, beginDetails, type DetailsThread, finishDetails } from '../details-threads.ts';
import { costText } from '../messages/cost-text.ts';
import { noSuchProject } from '../messages/no-such-project.ts';
import { notBoughtText } from '../messages/not-bought.ts';
import { projectInFull } from '../messages/project-in-full.ts';
import { ASKED_BY_DETAILS } from '../messages/waiting.ts';
import type { ActionCall, ActionRoute, Message } from '../routes.ts';
import { CARD_GONE, findCard } from './find-card.ts';

/** What goes into the thread, or what the person alone is told because nothing could be bought. */
export type Details = { readonly kind: 'thread' | 'person'; readonly message: Message };

const NO_ID =
  "Couldn't look up this project: its link has no `~ID`. This is everything in the list. For the rest, use `/gig lookup` with the `~ID`.";

async function fetchDetails(call: ActionCall, { seen }: CardView): Promise<Details> {
  const { services, channel, person } = call;
  const known = (why: string): Message => projectInFull(seen.project, why);
  const reference = readProjectReference(seen.project.url);
  if (!reference) return { kind: 'thread', message: known(NO_ID) };
  const outcome = await services.projects.lookUp({ channel, user: person.user }, reference);
  switch (outcome.kind) {
    case 'found': {
      const { verdict } = seen.project;
      const project = { ...outcome.project, ...(verdict ? { verdict } : {}) };
      return { kind: 'thread', message: projectInFull(project, costText(outcome)) };
    }
    case 'failed':
      if (outcome.error.code === 'not-found')
        return { kind: 'person', message: noSuchProject(outcome.askedAt) };
      throw outcome.error;
    case 'no-budget':
    case 'account-spent':
      return { kind: 'person', message: known(`${notBoughtText(outcome)} This is everything in the list.`) };
  }
}

async function postDetails(
  call: ActionCall,
  thread: DetailsThread,
  fetch: () => Promise<Details>,
): Promise<void> {
  const { store, slack, clock } = call.services;
  let posted: MessageTs | undefined;
  try {
    const { kind, message } = await fetch();
    if (kind === 'thread') posted = await slack.post(call.channel, message, thread.card);
    else await call.answer(message);
  } finally {
    await store.transact((tx) =>
      posted === undefined ? abandonDetails(tx, thread) : finishDetails(tx, thread, posted, clock.now()),
    );
  }
}

async function pointToThread(call: ActionCall, thread: DetailsThread): Promise<void> {
  if (thread.ts === undefined)
    return call.answer({ text: "Loading the details. They'll appear in this card's thread." });
  const link = await call.services.slack.permalink(call.channel, thread.ts);
  const place = link ? `<${escapeMrkdwn(link)}|in this card's thread>` : "in this card's thread";
  await call.answer({ text: `The details are already ${place}.` });
}

/** What `fetch` finds, into the thread of the pressed message: once a message, whoever presses and however often. */
export async function giveDetails(
  call: ActionCall,
  card: MessageTs,
  fetch: () => Promise<Details>,
): Promise<void> {
  const { services, channel, person } = call;
  const thread = { team: services.team, channel, card, by: person.user, at: services.clock.now() };
  const begun = await services.store.transact((tx) => beginDetails(tx, thread));
  if (begun === 'ours') return postDetails(call, thread, fetch);
  await pointToThread(call, begun);
}

/** The project in full, into the card's thread: once a card, for one credit at the most. */
export const details: ActionRoute = {
  id: actionIds.details,
  needs: 'viewer',
  asked: ASKED_BY_DETAILS,
  async run(call) {
    const card = call.message?.ts;
    const view = await findCard(call, card);
    if (!view || card === undefined) return call.answer(CARD_GONE);
    await giveDetails(call, card, () => fetchDetails(call, view));
  },
};
