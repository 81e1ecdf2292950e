/** Claims and releases posted cards. One transaction decides, so that only one of two people wins. */
import type { Clock, Instant } from '../clock.ts';
import type { TeamId, UserId } from '../ids.ts';
import { markPostChanged } from '../outbox/outbox.ts';
import type { PostId } from '../outbox/posts.ts';
import type { Collection, Key, Store, Transaction } from '../storage/store.ts';

export interface Claim {
  readonly by: UserId;
  readonly at: Instant;
  /** A colleague gave it to `by`. */
  readonly assignedBy?: UserId | undefined;
}

interface ClaimableCard {
  readonly state: string;
  readonly claim?: Claim | undefined;
}

/** Where a card and its post are stored. */
export interface CardPlace<C extends ClaimableCard> {
  readonly collection: Collection<C>;
  readonly key: Key;
  readonly post: PostId;
}

export type ClaimOutcome =
  | { readonly kind: 'claimed' | 'released' }
  /** `held`: another person has claimed it; `free`: it isn't claimed. */
  | ({ readonly kind: 'held' } & Claim)
  | { readonly kind: 'free' }
  | { readonly kind: 'no-card' };

interface ClaimsContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly clock: Clock;
}

/** Changes a posted card. @returns undefined if there is none */
export function changePostedCard<C extends ClaimableCard, T>(
  { team, store, clock }: ClaimsContext,
  { collection, key, post }: CardPlace<C>,
  change: (
    card: C,
    at: Instant,
  ) => {
    readonly card?: C;
    readonly outcome: T;
    /** What else the change stores, in the same transaction. */
    readonly also?: (tx: Transaction) => Promise<unknown>;
  },
): Promise<T | undefined> {
  return store.transact(async (tx) => {
    const before = await tx.get(collection, key);
    if (before?.state !== 'posted') return undefined;
    const { card, outcome, also } = change(before, clock.now());
    if (card) {
      await tx.put(collection, key, card);
      await markPostChanged(tx, team, post);
    }
    await also?.(tx);
    return outcome;
  });
}

/** Claiming a card again succeeds. @throws StorageError */
export async function claimCard<C extends ClaimableCard>(
  context: ClaimsContext,
  place: CardPlace<C>,
  by: UserId,
  withClaim: (card: C, claim: Claim) => C,
): Promise<ClaimOutcome> {
  const outcome = await changePostedCard<C, ClaimOutcome>(context, place, (card, at) => {
    const { claim } = card;
    if (!claim) return { card: withClaim(card, { by, at }), outcome: { kind: 'claimed' } };
    return { outcome: claim.by === by ? { kind: 'claimed' } : { kind: 'held', ...claim } };
  });
  return outcome ?? { kind: 'no-card' };
}

/** @throws StorageError */
export async function releaseCard<C extends ClaimableCard>(
  context: ClaimsContext,
  place: CardPlace<C>,
  { by, mayReleaseOthers }: { readonly by: UserId; readonly mayReleaseOthers: boolean },
  withoutClaim: (card: C) => C,
): Promise<ClaimOutcome> {
  const outcome = await changePostedCard<C, ClaimOutcome>(context, place, (card) => {
    const { claim } = card;
    if (!claim) return { outcome: { kind: 'free' } };
    if (claim.by !== by && !mayReleaseOthers) return { outcome: { kind: 'held', ...claim } };
    return { card: withoutClaim(card), outcome: { kind: 'released' } };
  });
  return outcome ?? { kind: 'no-card' };
}
