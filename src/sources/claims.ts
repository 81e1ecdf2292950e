/** Claims and releases posted cards. One transaction decides, so that only one of two people wins. */
import type { Instant } from '../clock.ts';
import type { ChannelId, ProjectKey, UserId } from '../ids.ts';
import { markPostChanged } from '../outbox/outbox.ts';
import type { PostId } from '../outbox/posts.ts';
import type { Collection, Key, ReadTransaction, Transaction } from '../storage/store.ts';
import type { Workspace } from '../workspace.ts';
import { noteCardChange } from './card-changes.ts';

export interface Claim {
  readonly by: UserId;
  readonly at: Instant;
  /** A colleague gave it to `by`. */
  readonly assignedBy?: UserId | undefined;
  /** Other channels may show whose claim it is. */
  readonly isPublic?: boolean | undefined;
}

/** A claim on one of a project's cards. */
export interface PlacedClaim extends Claim {
  readonly channel: ChannelId;
  readonly post: PostId;
}

/** A project's claims: it may have a card in several channels, and one for each invitation. */
export interface ProjectClaims {
  list(tx: ReadTransaction, project: ProjectKey): Promise<readonly PlacedClaim[]>;
  /** Updates all its cards. */
  markChanged(tx: Transaction, project: ProjectKey): Promise<void>;
}

/** `anyway`: the person knows that someone claimed the project in another channel. */
export type Claimer = Pick<Claim, 'by' | 'isPublic'> & { readonly anyway?: boolean };

interface ClaimableCard {
  readonly state: string;
  readonly claim?: Claim | undefined;
  /** Stays after a release: how fast the team was. */
  readonly firstClaim?: Pick<Claim, 'by' | 'at'> | undefined;
}

/** Where a card and its post are stored. */
export interface CardPlace<C extends ClaimableCard> {
  readonly collection: Collection<C>;
  readonly key: Key;
  readonly channel: ChannelId;
  readonly post: PostId;
  /** undefined: unknown, so its other cards are, too. */
  findProject(tx: ReadTransaction): Promise<ProjectKey | undefined>;
}

export type ClaimOutcome =
  | { readonly kind: 'claimed' | 'released' }
  /** `held`: another person has claimed it; `free`: it isn't claimed. */
  | ({ readonly kind: 'held' } & Claim)
  | { readonly kind: 'free' }
  /** Another person has claimed the project in another channel. */
  | { readonly kind: 'elsewhere'; readonly claim: PlacedClaim; readonly here: PostId }
  | { readonly kind: 'no-card' };

export interface ClaimsContext extends Pick<Workspace, 'store' | 'clock'> {
  /** Missing: a project has one card only. */
  readonly projectClaims?: ProjectClaims;
}

interface CardChange<C, T> {
  readonly card?: C;
  readonly outcome: T;
}

/** Stores a changed card, whose message follows. */
export async function putChangedCard<C extends ClaimableCard>(
  tx: Transaction,
  { collection, post }: Pick<CardPlace<C>, 'collection' | 'post'>,
  card: C,
): Promise<void> {
  const { claim, firstClaim } = card;
  const isFirst = claim && !firstClaim;
  await tx.put(collection, isFirst ? { ...card, firstClaim: { by: claim.by, at: claim.at } } : card);
  await markPostChanged(tx, post);
}

/** Changes a posted card; `change` may store more in the transaction. @returns undefined if there is none */
export function changePostedCard<C extends ClaimableCard, T>(
  { store, clock, projectClaims }: ClaimsContext,
  place: CardPlace<C>,
  change: (card: C, at: Instant, tx: Transaction) => CardChange<C, T> | Promise<CardChange<C, T>>,
): Promise<T | undefined> {
  return store.transact(async (tx) => {
    const before = await tx.get(place.collection, place.key);
    if (before?.state !== 'posted') return undefined;
    const at = clock.now();
    const { card, outcome } = await change(before, at, tx);
    if (card) {
      const { channel, post } = place;
      await putChangedCard(tx, place, card);
      await noteCardChange(tx, { channel, post, at });
      const project = card.claim?.by === before.claim?.by ? undefined : await place.findProject(tx);
      if (project) await projectClaims?.markChanged(tx, project);
    }
    return outcome;
  });
}

/** Another person's claim on another card of the place's project. */
export async function findClaimElsewhere<C extends ClaimableCard>(
  { projectClaims }: ClaimsContext,
  tx: ReadTransaction,
  place: CardPlace<C>,
  by: UserId,
): Promise<PlacedClaim | undefined> {
  const project = await place.findProject(tx);
  const claims = project ? await projectClaims?.list(tx, project) : undefined;
  return claims?.find((claim) => claim.post !== place.post && claim.by !== by);
}

/** Claiming a card again succeeds. A claim in another channel must be known first. @throws StorageError */
export async function claimCard<C extends ClaimableCard>(
  context: ClaimsContext,
  place: CardPlace<C>,
  { by, isPublic, anyway }: Claimer,
  withClaim: (card: C, claim: Claim) => C,
): Promise<ClaimOutcome> {
  const outcome = await changePostedCard<C, ClaimOutcome>(context, place, async (card, at, tx) => {
    const { claim } = card;
    if (claim) return { outcome: claim.by === by ? { kind: 'claimed' } : { kind: 'held', ...claim } };
    const elsewhere = anyway ? undefined : await findClaimElsewhere(context, tx, place, by);
    if (elsewhere) return { outcome: { kind: 'elsewhere', claim: elsewhere, here: place.post } };
    return { card: withClaim(card, { by, at, isPublic }), outcome: { kind: 'claimed' } };
  });
  return outcome ?? { kind: 'no-card' };
}

/** @throws StorageError */
export async function releaseCard<C extends ClaimableCard>(
  context: ClaimsContext,
  place: CardPlace<C>,
  { by, mayReleaseOthers }: { readonly by: UserId; readonly mayReleaseOthers: boolean },
): Promise<ClaimOutcome> {
  const outcome = await changePostedCard<C, ClaimOutcome>(context, place, (card) => {
    const { claim } = card;
    if (!claim) return { outcome: { kind: 'free' } };
    if (claim.by !== by && !mayReleaseOthers) return { outcome: { kind: 'held', ...claim } };
    return { card: { ...card, claim: undefined }, outcome: { kind: 'released' } };
  });
  return outcome ?? { kind: 'no-card' };
}
