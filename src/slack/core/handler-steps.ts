/**
 * Steps that handlers share: find the record of a pressed message, since nothing in the press itself is
 * trusted; answer a claim; update an open view; describe a failure; post a result for all in the channel.
 */
import type { ModalView } from '@slack/types';
import type { Instant } from '../../clock.ts';
import { asError } from '../../errors.ts';
import { type ChannelId, type MessageTs, type ProjectKey, randomId, type UserId } from '../../ids.ts';
import { claimInvitation } from '../../invitations/invitations.ts';
import { cardPostId, enqueuePost, findPostByMessage, readPost } from '../../outbox/outbox.ts';
import { type Post, PostId } from '../../outbox/posts.ts';
import type { ClaimOutcome } from '../../sources/claims.ts';
import { buttonElement } from '../kit/block-builders.ts';
import { messageWithButtons } from '../kit/command-button.ts';
import { actionIds } from '../kit/ids.ts';
import { claimElsewhereText } from '../kit/words/labels.ts';
import { SlackCallError } from './errors.ts';
import { createErrorReference, failureMessage } from './failures.ts';
import type { ActionCall, Message, Services } from './routes.ts';
import { checkChannelVisibility, readClaimer } from './user-channels.ts';

type Where = Pick<ActionCall, 'services' | 'channel'>;

/** What a card says when a claim isn't made or released. */
export interface ClaimWords {
  /** Someone else has it. */
  readonly held: (by: UserId, at: Instant) => Message;
  readonly free: Message;
  readonly gone: Message;
}

/** The card itself shows success; failures are ephemeral messages. */
export async function answerClaim(call: ActionCall, outcome: ClaimOutcome, words: ClaimWords): Promise<void> {
  switch (outcome.kind) {
    case 'claimed':
    case 'released':
      return;
    case 'held':
      return call.answer(words.held(outcome.by, outcome.at));
    case 'free':
      return call.answer(words.free);
    case 'no-card':
      return call.answer(words.gone);
    case 'elsewhere': {
      const { claim, here } = outcome;
      const isPublic = (await checkChannelVisibility(call, claim.channel)) === 'open';
      const text = `${claimElsewhereText({ ...claim, isPublic })}. Claim it here, too?`;
      const anyway = { id: actionIds.claimAnyway, label: 'Claim Anyway', value: here };
      return call.answer(messageWithButtons(text, buttonElement(anyway)));
    }
  }
}

/** Claims the card or the invitation that a post of the channel shows. @param anyway as in `Claimer` */
export async function claimByPost(
  call: ActionCall,
  channel: ChannelId,
  post: Post | undefined,
  anyway = false,
): Promise<ClaimOutcome> {
  const { services } = call;
  const claimer = { ...(await readClaimer(call, channel)), anyway };
  if (post?.content.kind === 'card')
    return services.feed.claimProject(channel, post.content.project, claimer);
  if (post?.content.kind === 'invitation')
    return claimInvitation(services, channel, post.content.invitation, claimer);
  return { kind: 'no-card' };
}

/** The record of this message in this channel. A new message may be pressed before it exists. */
export async function findPressedPost(where: Where, ts: MessageTs): Promise<Post | undefined> {
  const { store, clock } = where.services;
  for (let tried = 1; ; tried++) {
    const post = await store.read((tx) => findPostByMessage(tx, where.channel, ts));
    if (post || tried === 3) return post;
    await clock.sleep(700);
  }
}

/** The card of this message in this channel; undefined if there is none (anymore). */
export async function findPressedCard(where: Where, ts: MessageTs | undefined) {
  const post = ts === undefined ? undefined : await findPressedPost(where, ts);
  if (post?.content.kind !== 'card') return undefined;
  const { project } = post.content;
  return where.services.store.read((tx) => where.services.feed.readCardData(tx, where.channel, project));
}

/** A link to the project's card in a channel; undefined if there is none, or Slack doesn't give it. */
export async function findPostLink({ store, slack, log }: Services, channel: ChannelId, project: ProjectKey) {
  const post = await store.read((tx) => readPost(tx, cardPostId(channel, project)));
  if (post?.ts === undefined) return undefined;
  try {
    return await slack.fetchPermalink(channel, post.ts);
  } catch (thrown) {
    log.warn("could not get a card's link", { channel, error: asError(thrown) });
    return undefined;
  }
}

/** The card was deleted, or is only just being posted. */
export const CARD_GONE: Message = {
  text: "Couldn't find this card. It may be too old. If it was just posted, try again in a moment.",
};

/** Logs a failure in full, and returns a message for the person. */
export function logAndDescribeFailure({ log, random, clock }: Services, what: string, thrown: unknown) {
  const ref = createErrorReference(random);
  log.error(what, { ref, error: thrown instanceof Error ? thrown : String(thrown) });
  return failureMessage(thrown, ref, clock.now());
}

/** @returns false when the person has closed it. */
export async function updateViewIfOpen({ slack }: Services, viewId: string, view: ModalView) {
  try {
    await slack.updateView(viewId, view);
    return true;
  } catch (thrown) {
    if (thrown instanceof SlackCallError && thrown.code === 'not_found') return false;
    throw thrown;
  }
}

/** Whether it has no more than its text and buttons, as `postResultToChannel` posts it. */
export function isAnnouncement({ text, blocks = [] }: Message): boolean {
  return blocks.every(
    (block) =>
      block.type === 'actions' || (block.type === 'section' && block.text?.text === text && !block.accessory),
  );
}

/**
 * Tells the channel what a person changed. Delivery sends it exactly once, also after Slack's rate limit and
 * after a crash; until then it waits.
 * @param message its text and its buttons are posted
 * @throws StorageError
 */
export async function postResultToChannel({ services, channel }: Where, { text, blocks = [] }: Message) {
  const { store, clock, random } = services;
  const at = clock.now();
  const id = PostId.parse(`announcement:${channel}:${at}:${randomId(random)}`);
  const buttons = blocks
    .flatMap((block) => (block.type === 'actions' ? block.elements : []))
    .flatMap((it) =>
      it.type === 'button' ? [{ id: it.action_id ?? '', label: it.text.text, value: it.value ?? '' }] : [],
    );
  const content = { kind: 'announcement', text, buttons } as const;
  await store.transact((tx) => enqueuePost(tx, { id, channel, content, order: at, at }));
}
