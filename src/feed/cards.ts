/** Putting a card on record, and its post with it. */
import type { Instant } from '../clock.ts';
import type { ProjectKey, TeamId } from '../ids.ts';
import { cardPostId, enqueuePost, touchPost } from '../outbox/outbox.ts';
import { scan, type Transaction } from '../storage/store.ts';
import { sameValue } from './merge-project.ts';
import { type Card, cardKey, cards } from './records.ts';

/**
 * Stores a card as it is now, where it differs from `before`. A card that becomes `told` gets its post in the same
 * transaction; one that was told already is shown anew.
 * @param order where its post stands among the channel's: when the project was published.
 */
export async function putCard(
  tx: Transaction,
  card: Card,
  before: Card | undefined,
  order: number,
  at: Instant,
): Promise<void> {
  if (before && sameValue(card, before)) return;
  const { team, channel, project } = card;
  await tx.put(cards, cardKey(team, channel, project), card);
  if (card.state !== 'told') return;
  const id = cardPostId(channel, project);
  const isNew = await enqueuePost(tx, {
    team,
    id,
    channel,
    content: { kind: 'card', project },
    order,
    at,
  });
  if (!isNew) await touchPost(tx, team, id);
}

/** Shows a project anew wherever it stands. */
export async function touchCards(tx: Transaction, team: TeamId, project: ProjectKey): Promise<void> {
  for await (const { value } of scan(tx, cards, { index: 'byProject', prefix: [team, project] })) {
    if (value.state === 'told') await touchPost(tx, team, cardPostId(value.channel, project));
  }
}
