/** Claims on a project's other cards, in words. Pure. */
import type { PostId } from '../../../outbox/posts.ts';
import type { PlacedClaim } from '../../../sources/claims.ts';
import { channelLink, formatDate, formatMention } from '../mrkdwn.ts';

/** Names the person and the channel only where anyone may know them. mrkdwn. */
export function claimElsewhereText({ by, at, channel, isPublic }: PlacedClaim): string {
  return isPublic
    ? `Claimed by ${formatMention(by)} in ${channelLink(channel)}, ${formatDate(at)}`
    : 'Claimed in another channel';
}

/** @param here the card that shows them: its own claim has its own line */
export function otherClaimLines(claims: readonly PlacedClaim[] = [], here: PostId): readonly string[] {
  const others = claims.filter(({ post }) => post !== here).map(claimElsewhereText);
  return [...new Set(others)].map((text) => `:raised_hand: ${text}`);
}
