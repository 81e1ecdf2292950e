/** Stores cards together with their posts. */
import { isDeepEqual } from '../base/is-deep-equal.ts';
import type { Instant } from '../clock.ts';
import type { ProjectKey } from '../ids.ts';
import { cardPostId, enqueuePost, markPostChanged } from '../outbox/outbox.ts';
import { type CardPost, noteCardChange } from '../sources/card-changes.ts';
import type { PlacedClaim } from '../sources/claims.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { enqueueCardDetails } from './card-details.ts';
import { resolveMentions } from './decide-card.ts';
import { listProjectCards } from './find-project.ts';
import { assessFit } from './fit.ts';
import type { FitHistory } from './fit-history.ts';
import { withFilterVerdict } from './merge-project.ts';
import { enqueueInQuietHoursSummary, findQuietHoursEnd } from './quiet-hours.ts';
import { type Card, type ChannelSettings, cards, type SeenProject } from './records.ts';

interface CardPosting {
  /** The post's order in the channel: when the project was published. */
  readonly order: number;
  readonly at: Instant;
  readonly settings: ChannelSettings;
  /** For channels without their own time zone. */
  readonly timezone: string;
  /** The card's project; undefined if it was deleted. */
  readonly seen: SeenProject | undefined;
  /** The project has changed since the card was stored. */
  readonly isChanged?: boolean;
  /** What the channel's team did with earlier projects; missing: unknown. */
  readonly history?: FitHistory | undefined;
}

function withMentionAndTimes(card: Card, { at, seen, settings: { mentions = [] } }: CardPosting): Card {
  const mention = seen && resolveMentions(mentions, withFilterVerdict(seen, card.filters));
  // When the team could see the project, and since when others could.
  const publishedAt = seen?.project.publishedAt ?? card.publishedAt;
  return { ...card, mention: mention ?? card.mention, postedAt: at, publishedAt };
}

function withFit(card: Card, { seen, history }: CardPosting): Card {
  if (!seen) return card;
  const fit = assessFit({
    project: withFilterVerdict(seen, card.filters),
    filters: (card.passed ?? card.filters).length,
    isMentioned: card.mention !== undefined,
    history,
  });
  return { ...card, fit };
}

/** @returns whether it is new */
async function enqueueCard(tx: Transaction, card: Card, telling: CardPosting): Promise<boolean> {
  const { channel, project } = card;
  const { order, at, settings, timezone } = telling;
  const id = cardPostId(channel, project);
  const post = { id, channel, content: { kind: 'card', project }, order, at } as const;
  if (findQuietHoursEnd(settings, timezone, at) !== undefined) return enqueueInQuietHoursSummary(tx, post);
  const isNew = await enqueuePost(tx, post);
  if (isNew) await enqueueCardDetails(tx, { channel, project, order }, settings, at);
  return isNew;
}

/**
 * Stores a card if it differs from `before`. When its state becomes `posted`, the same transaction decides
 * its mentions and its fit, and enqueues its post. The post of a card that was `posted` before is updated.
 */
export async function saveCardAndPost(
  tx: Transaction,
  card: Card,
  before: Card | undefined,
  telling: CardPosting,
): Promise<void> {
  const { channel, project } = card;
  const isNews = card.state === 'posted' && before?.state !== 'posted';
  const isAssessed = isNews || (card.state === 'posted' && telling.isChanged === true);
  const called = isNews ? withMentionAndTimes(card, telling) : card;
  const put = isAssessed ? withFit(called, telling) : called;
  if (before && isDeepEqual(put, before)) return;
  await tx.put(cards, put);
  if (card.state !== 'posted') return;
  const isNew = isNews && (await enqueueCard(tx, card, telling));
  const post = cardPostId(channel, project);
  if (isNew) await noteCardChange(tx, { channel, post, at: telling.at });
  else await markPostChanged(tx, post);
}

/** The claims on a project's cards. */
export async function listCardClaims(tx: ReadTransaction, project: ProjectKey): Promise<PlacedClaim[]> {
  return (await listProjectCards(tx, project)).flatMap(({ channel, claim, state }) =>
    claim && state === 'posted' ? [{ ...claim, channel, post: cardPostId(channel, project) }] : [],
  );
}

/** Updates a project's cards in all channels. @returns their posts */
export async function markCardsChanged(tx: Transaction, project: ProjectKey): Promise<readonly CardPost[]> {
  const marked = (await listProjectCards(tx, project)).flatMap(({ channel, state }) =>
    state === 'posted' ? [{ channel, post: cardPostId(channel, project) }] : [],
  );
  for (const { post } of marked) await markPostChanged(tx, post);
  return marked;
}
