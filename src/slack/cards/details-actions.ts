/** Posts an invitation's details in its thread, and pays for them, once. */

import { z } from 'zod';
import { DAY, type Instant, isRecent, MINUTE } from '../../clock.ts';
import { ChannelId, MessageTs, TeamId, UserId } from '../../ids.ts';
import { deleteOldRecords } from '../../storage/delete-old-records.ts';
import type { Collection, Key, Transaction } from '../../storage/store.ts';
import type { ActionCall, Message } from '../core/routes.ts';
import { escapeMrkdwn } from '../kit/mrkdwn.ts';

/** A message for the thread, or an ephemeral one when nothing could be bought. */
export type DetailsReply = { readonly kind: 'thread' | 'person'; readonly message: Message };

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
