/** Claims, releases and skips projects. */
import type { ChannelId, ProjectKey, UserId } from '../ids.ts';
import { cardPostId } from '../outbox/outbox.ts';
import {
  type CardPlace,
  type ClaimOutcome,
  changePostedCard,
  claimCard,
  releaseCard,
} from '../sources/claims.ts';
import type { FeedContext } from './feed.ts';
import { type Card, cardKey, cards, type SkipReason } from './records.ts';

function placeOf({ team }: FeedContext, channel: ChannelId, project: ProjectKey): CardPlace<Card> {
  return { collection: cards, key: cardKey(team, channel, project), post: cardPostId(channel, project) };
}

/** Claiming a project again succeeds. A claim undoes a skip. */
export function claimProject(
  context: FeedContext,
  channel: ChannelId,
  project: ProjectKey,
  by: UserId,
): Promise<ClaimOutcome> {
  const place = placeOf(context, channel, project);
  return claimCard(context, place, by, ({ skip: _, ...card }, claim) => ({ ...card, claim }));
}

export function releaseProjectClaim(
  context: FeedContext,
  channel: ChannelId,
  project: ProjectKey,
  by: UserId,
  mayReleaseOthers: boolean,
): Promise<ClaimOutcome> {
  const place = placeOf(context, channel, project);
  return releaseCard(context, place, { by, mayReleaseOthers }, ({ claim: _, ...card }) => card);
}

/** `undefined` undoes the skip. */
export async function setProjectSkipReason(
  context: FeedContext,
  channel: ChannelId,
  project: ProjectKey,
  by: UserId,
  reason: SkipReason | undefined,
): Promise<boolean> {
  const done = await changePostedCard(context, placeOf(context, channel, project), (card, at) => {
    const { skip: before, ...rest } = card;
    if (reason !== undefined) return { card: { ...rest, skip: { by, at, reason } }, outcome: true };
    return before ? { card: rest, outcome: true } : { outcome: true };
  });
  return done ?? false;
}
