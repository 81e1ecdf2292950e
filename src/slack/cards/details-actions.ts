/** The Details button: posts a card's details in its thread, and pays for them, once. */

import { z } from 'zod';
import { DAY, type Instant, isRecent, MINUTE } from '../../clock.ts';
import type { CardData } from '../../feed/feed.ts';
import { ChannelId, MessageTs, TeamId, UserId } from '../../ids.ts';
import { parseProjectReference } from '../../marketplace/project-key.ts';
import { deleteOldRecords } from '../../storage/delete-old-records.ts';
import type { Collection, Key, Transaction } from '../../storage/store.ts';
import { CARD_GONE, findPressedCard } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, Message } from '../core/routes.ts';
import { DETAILS_REQUEST_LABEL } from '../core/slow-reply.ts';
import { actionIds } from '../kit/ids.ts';
import { escapeMrkdwn } from '../kit/mrkdwn.ts';
import { projectDetailsMessage } from '../kit/project/project-details.ts';
import { projectNotFoundMessage } from '../kit/project/project-lines.ts';
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

/** Key: [team, channel, ts of the card's message]. */
const DetailsThread = z.object({
  team: TeamId,
  channel: ChannelId,
  card: MessageTs,
  by: UserId,
  at: z.number(),
  /** The message with the details; missing while they are being fetched. */
  ts: MessageTs.optional(),
});
export type DetailsThread = z.infer<typeof DetailsThread>;

export const detailsThreads: Collection<DetailsThread> = {
  name: 'details',
  schema: DetailsThread,
  indexes: {
    /** [team, when]: for deleting old records. */
    byAge: (it) => [it.team, it.at],
  },
};

function keyOf(it: Pick<DetailsThread, 'team' | 'channel' | 'card'>): Key {
  return [it.team, it.channel, it.card];
}

/** As long as cards are kept. */
const KEPT_MS = 90 * DAY;
/** More than the one added, so that old records run out. */
const CLEARED_AT_ONCE = 5;
/** Longer than any lookup takes: an older claim was interrupted by a crash. */
const GIVEN_UP_AFTER_MS = 2 * MINUTE;

/** 'ours' if the caller should post the details; else the record of the press that did or will. */
export async function claimDetailsThread(
  tx: Transaction,
  thread: Omit<DetailsThread, 'ts'>,
): Promise<'ours' | DetailsThread> {
  const there = await tx.get(detailsThreads, keyOf(thread));
  if (there && (there.ts !== undefined || isRecent(there.at, GIVEN_UP_AFTER_MS, thread.at))) return there;
  await deleteOldRecords(tx, detailsThreads, {
    index: 'byAge',
    prefix: [thread.team],
    at: thread.at,
    keptMs: KEPT_MS,
    limit: CLEARED_AT_ONCE,
  });
  await tx.put(detailsThreads, keyOf(thread), thread);
  return 'ours';
}

export async function recordDetailsPosted(
  tx: Transaction,
  thread: DetailsThread,
  ts: MessageTs,
  at: Instant,
) {
  await tx.put(detailsThreads, keyOf(thread), { ...thread, ts, at });
}

/** Nothing was posted: the next press starts over. */
export async function releaseDetailsThread(tx: Transaction, thread: DetailsThread): Promise<void> {
  await tx.delete(detailsThreads, keyOf(thread));
}
