/** What a team does with a card: claim it, skip it, or assign it to a colleague. */
import type { ChannelId, ProjectKey, UserId } from '../ids.ts';
import { cardPostId, enqueuePost } from '../outbox/outbox.ts';
import { PostId } from '../outbox/posts.ts';
import {
  type CardPlace,
  type Claim,
  type Claimer,
  type ClaimOutcome,
  type ClaimsContext,
  changePostedCard,
  claimCard,
  findClaimElsewhere,
  type PlacedClaim,
  releaseCard,
} from '../sources/claims.ts';
import { type Card, cards, type SkipReason } from './records.ts';

export function placeOfCard(channel: ChannelId, project: ProjectKey): CardPlace<Card> {
  return {
    collection: cards,
    key: [channel, project],
    channel,
    post: cardPostId(channel, project),
    findProject: async () => project,
  };
}

/** A claim undoes a skip. @throws StorageError */
export function claimProject(
  context: ClaimsContext,
  channel: ChannelId,
  project: ProjectKey,
  claimer: Claimer,
): Promise<ClaimOutcome> {
  const place = placeOfCard(channel, project);
  return claimCard(context, place, claimer, (card, claim) => ({ ...card, skip: undefined, claim }));
}

/** @throws StorageError */
export function releaseProjectClaim(
  context: ClaimsContext,
  channel: ChannelId,
  project: ProjectKey,
  by: UserId,
  mayReleaseOthers: boolean,
): Promise<ClaimOutcome> {
  return releaseCard(context, placeOfCard(channel, project), { by, mayReleaseOthers });
}

/** `held`: another person claimed it meanwhile, so it isn't skipped. */
type SkipOutcome = { readonly kind: 'done' | 'no-card' } | ({ readonly kind: 'held' } & Claim);

/** Skipping again changes the reason. What someone else claimed isn't skipped. @throws StorageError */
export async function skipCard(
  context: ClaimsContext,
  channel: ChannelId,
  project: ProjectKey,
  by: UserId,
  reason: SkipReason,
): Promise<SkipOutcome> {
  const place = placeOfCard(channel, project);
  const outcome = await changePostedCard<Card, SkipOutcome>(context, place, (card, at) => {
    const { claim } = card;
    if (claim && claim.by !== by) return { outcome: { kind: 'held', ...claim } };
    return { card: { ...card, skip: { by, at, reason } }, outcome: { kind: 'done' } };
  });
  return outcome ?? { kind: 'no-card' };
}

/** @returns false if there is no such card; undoing twice succeeds. @throws StorageError */
export async function undoCardSkip(context: ClaimsContext, channel: ChannelId, project: ProjectKey) {
  const done = await changePostedCard<Card, true>(context, placeOfCard(channel, project), (card) => {
    return { card: card.skip && { ...card, skip: undefined }, outcome: true };
  });
  return done ?? false;
}

type AssignOutcome =
  | Exclude<ClaimOutcome, { readonly kind: 'released' | 'free' | 'claimed' | 'elsewhere' }>
  /** `elsewhere`: someone else has claimed the project in another channel. */
  | { readonly kind: 'assigned'; readonly elsewhere?: PlacedClaim | undefined }
  /** This person has it already; nothing changed. */
  | { readonly kind: 'same' };

interface CardAssignment {
  readonly to: UserId;
  readonly by: UserId;
  readonly isPublic?: boolean | undefined;
  /** `by` may take it from the person who claimed it. */
  readonly mayReassign: boolean;
  /** For the direct message: the project's title (untrusted text), and a link to the card. */
  readonly title: string;
  readonly link?: string | undefined;
}

/**
 * Claims a posted card for a colleague, who gets one direct message about it. Undoes a skip. Assigning to
 * oneself sends no message.
 * @throws StorageError
 */
export async function assignCard(
  context: ClaimsContext,
  channel: ChannelId,
  project: ProjectKey,
  { to, by, isPublic, mayReassign, title, link }: CardAssignment,
): Promise<AssignOutcome> {
  const place = placeOfCard(channel, project);
  const outcome = await changePostedCard<Card, AssignOutcome>(context, place, async (card, at, tx) => {
    const { claim } = card;
    if (claim?.by === to) return { outcome: { kind: 'same' } };
    const isOurs = claim?.by === by || claim?.assignedBy === by;
    if (claim && !isOurs && !mayReassign) return { outcome: { kind: 'held', ...claim } };
    const content = { kind: 'card-assigned', channel, project, title, by, link } as const;
    const id = PostId.parse(`assigned:${to}:${channel}:${project}:${at}`);
    if (to !== by) await enqueuePost(tx, { id, channel: to, content, order: at, at });
    const assigned = { by: to, at, isPublic, assignedBy: to === by ? undefined : by };
    return {
      card: { ...card, skip: undefined, claim: assigned },
      outcome: { kind: 'assigned', elsewhere: await findClaimElsewhere(context, tx, place, to) },
    };
  });
  return outcome ?? { kind: 'no-card' };
}
