/** Putting a card on record, and its post with it. */
import type { Instant } from '../clock.ts';
import type { ProjectKey, TeamId } from '../ids.ts';
import { cardPostId, enqueuePost, touchPost } from '../outbox/outbox.ts';
import { scan, type Transaction } from '../storage/store.ts';
import { enqueueDetails } from './card-details.ts';
import { asJudgedBy } from './filter-verdicts.ts';
import { mentionOf } from './mentions.ts';
import { sameValue } from './merge-project.ts';
import { quietUntil } from './quiet-hours.ts';
import { enqueueQuietly } from './quiet-posts.ts';
import {
  type Card,
  type ChannelSettings,
  cardKey,
  cards,
  projectRecordKey,
  seenProjects,
} from './records.ts';

/** Where a card is told, and how it is there. */
interface Telling {
  /** Where its post stands among the channel's: when the project was published. */
  readonly order: number;
  readonly at: Instant;
  readonly settings: ChannelSettings;
  /** Holds where the channel has none. */
  readonly timezone: string;
}

async function withMention(tx: Transaction, card: Card, { mentions = [] }: ChannelSettings): Promise<Card> {
  const seen = mentions.length > 0 && (await tx.get(seenProjects, projectRecordKey(card.team, card.project)));
  const mention = seen ? mentionOf(mentions, asJudgedBy(seen, card.filters)) : undefined;
  return mention ? { ...card, mention } : card;
}

/** Puts the post of a card on record: to be sent, or, in quiet hours, within their summary. @returns whether it is new. */
async function enqueueCard(tx: Transaction, card: Card, telling: Telling): Promise<boolean> {
  const { team, channel, project } = card;
  const { order, at, settings, timezone } = telling;
  const id = cardPostId(channel, project);
  const post = { team, id, channel, content: { kind: 'card', project }, order, at } as const;
  if (quietUntil(settings, timezone, at) !== undefined) return enqueueQuietly(tx, post);
  const isNew = await enqueuePost(tx, post);
  if (isNew) await enqueueDetails(tx, { team, channel, project, order }, settings, at);
  return isNew;
}

/**
 * Stores a card as it is now, where it differs from `before`. A card that becomes `told` gets its post in the same
 * transaction, and whom it calls is decided; one that was told already is shown anew.
 */
export async function putCard(
  tx: Transaction,
  card: Card,
  before: Card | undefined,
  telling: Telling,
): Promise<void> {
  if (before && sameValue(card, before)) return;
  const { team, channel, project } = card;
  const isNews = card.state === 'told' && before?.state !== 'told';
  const put = isNews ? await withMention(tx, card, telling.settings) : card;
  await tx.put(cards, cardKey(team, channel, project), put);
  if (card.state !== 'told') return;
  const isNew = isNews && (await enqueueCard(tx, card, telling));
  if (!isNew) await touchPost(tx, team, cardPostId(channel, project));
}

/** Shows a project anew wherever it stands. */
export async function touchCards(tx: Transaction, team: TeamId, project: ProjectKey): Promise<void> {
  for await (const { value } of scan(tx, cards, { index: 'byProject', prefix: [team, project] })) {
    if (value.state === 'told') await touchPost(tx, team, cardPostId(value.channel, project));
  }
}
