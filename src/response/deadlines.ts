/**
 * What a card shows of its clock. Every moment is fixed until the card changes: Slack shows how much time is
 * left, so no message is edited because time passes.
 */
import { type Instant, MINUTE } from '../clock.ts';
import type { Card } from '../feed/records.ts';
import { ChannelId } from '../ids.ts';
import type { Post, PostId } from '../outbox/posts.ts';
import type { ReadTransaction } from '../storage/store.ts';
import { phaseOf } from './clocks.ts';
import { type ClockContext, readClockRules } from './post-stages.ts';
import { responseClockKey, responseClocks } from './records.ts';
import type { CardDeadlines } from './response.ts';
import { findClaimExpiry, findClockStart } from './stages.ts';
import { findPostedAt } from './watched-cards.ts';
import { addWorkingTime } from './working-time.ts';

export type DeadlineCard = Partial<
  Pick<Card, 'claim' | 'firstClaim' | 'skip' | 'sharedBy' | 'publishedAt' | 'postedAt'>
>;

/** An extended claim counts from its extension. */
async function claimedSince(
  tx: ReadTransaction,
  { channel, post }: { readonly channel: ChannelId; readonly post: PostId },
  claim: NonNullable<DeadlineCard['claim']>,
): Promise<Instant> {
  const clock = await tx.get(responseClocks, responseClockKey(channel, post));
  return clock && clock.phase === phaseOf({ claim }) && clock.extended > 0 ? clock.since : claim.at;
}

/**
 * @param card of an invitation, with its arrival as `publishedAt`
 * @returns undefined if the channel's clock is off, or the card never has one
 */
export async function readDeadlines(
  tx: ReadTransaction,
  context: ClockContext,
  shown: Post,
  card: DeadlineCard,
): Promise<CardDeadlines | undefined> {
  const { claim, firstClaim, publishedAt, postedAt } = card;
  if (card.skip !== undefined || card.sharedBy !== undefined) return undefined;
  const place = { channel: ChannelId.parse(shown.channel), post: shown.id };
  // The moment doesn't matter: neither do pauses, for a deadline.
  const rules = await readClockRules(tx, context, place.channel, 0);
  if (!rules) return undefined;
  const { plan, work } = rules;
  // Targets are for cards that were posted on their own at once, not for those of a summary.
  const hasTargets = postedAt !== undefined && shown.bundle === undefined;
  const start = hasTargets ? findClockStart(publishedAt, findPostedAt(shown, postedAt)) : undefined;
  const dueBy = (minutes: number) =>
    start === undefined ? undefined : addWorkingTime(start, minutes * MINUTE, work);
  if (claim) {
    const since = await claimedSince(tx, place, claim);
    const bidBy = dueBy(plan.bidTarget);
    return {
      bidBy: bidBy !== undefined && bidBy > claim.at ? bidBy : undefined,
      claimExpiresAt: findClaimExpiry(since, plan, work),
    };
  }
  // A card that comes back has no target: its first one is over.
  return { claimBy: firstClaim ? undefined : dueBy(plan.claimTarget) };
}
