/** Claims and releases projects. One transaction decides, so that only one of two people wins. */
import type { Instant } from '../clock.ts';
import type { ChannelId, ProjectKey, UserId } from '../ids.ts';
import { cardPostId, markPostChanged } from '../outbox/outbox.ts';
import type { Transaction } from '../storage/store.ts';
import type { FeedContext, ProjectClaimOutcome } from './feed.ts';
import { type Card, cardKey, cards, type SkipReason } from './records.ts';

/** Changes a posted card; undefined if there is none. */
function changeCard<T>(
  context: FeedContext,
  channel: ChannelId,
  project: ProjectKey,
  change: (card: Card, at: Instant) => { readonly card?: Card; readonly outcome: T },
): Promise<T | undefined> {
  const { store, team, clock } = context;
  return store.transact(async (tx: Transaction) => {
    const key = cardKey(team, channel, project);
    const before = await tx.get(cards, key);
    if (before?.state !== 'posted') return undefined;
    const { card, outcome } = change(before, clock.now());
    if (card) {
      await tx.put(cards, key, card);
      await markPostChanged(tx, team, cardPostId(channel, project));
    }
    return outcome;
  });
}

/** Claiming a project again succeeds. A claim undoes a skip. */
export async function claimProject(
  context: FeedContext,
  channel: ChannelId,
  project: ProjectKey,
  by: UserId,
): Promise<ProjectClaimOutcome> {
  const outcome = await changeCard<ProjectClaimOutcome>(context, channel, project, (card, at) => {
    if (card.claim) {
      return { outcome: card.claim.by === by ? { kind: 'claimed' } : { kind: 'held', ...card.claim } };
    }
    const { skip: _, ...rest } = card;
    return { card: { ...rest, claim: { by, at } }, outcome: { kind: 'claimed' } };
  });
  return outcome ?? { kind: 'no-card' };
}

export async function releaseProjectClaim(
  context: FeedContext,
  channel: ChannelId,
  project: ProjectKey,
  by: UserId,
  mayReleaseOthers: boolean,
): Promise<ProjectClaimOutcome> {
  const outcome = await changeCard<ProjectClaimOutcome>(context, channel, project, (card) => {
    const { claim: held, ...rest } = card;
    if (!held) return { outcome: { kind: 'free' } };
    if (held.by !== by && !mayReleaseOthers) return { outcome: { kind: 'held', ...held } };
    return { card: rest, outcome: { kind: 'released' } };
  });
  return outcome ?? { kind: 'no-card' };
}

/** `undefined` undoes the skip. */
export async function setProjectSkipReason(
  context: FeedContext,
  channel: ChannelId,
  project: ProjectKey,
  by: UserId,
  reason: SkipReason | undefined,
): Promise<boolean> {
  const done = await changeCard(context, channel, project, (card, at) => {
    const { skip: before, ...rest } = card;
    if (reason !== undefined) return { card: { ...rest, skip: { by, at, reason } }, outcome: true };
    return before ? { card: rest, outcome: true } : { outcome: true };
  });
  return done ?? false;
}
