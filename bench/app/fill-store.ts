/** A busy team's store: projects, cards with their messages, subscriptions, a followed profile. */
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { type Card, cards, type SeenProject, seenProjects, subscriptions } from '../../src/feed/records.ts';
import { type ChannelId, FilterId, MessageTs, ProjectKey, UserId } from '../../src/ids.ts';
import { type Post, PostId, posts } from '../../src/outbox/posts.ts';
import { type ProfileFeed, profileFeeds } from '../../src/profiles/records.ts';
import type { Store, Transaction } from '../../src/storage/store.ts';
import { CARDS_EACH, cardTs, channels, FILTERS_EACH, holder, profile } from './place.ts';

/** Texts of `words` words. */
type Writer = (words: number) => string;

const AT_ONCE = 500;
const ada = UserId.parse('U0PERSON0');
/** Most descriptions are long: about 1.3 kB. */
const DESCRIPTION_WORDS = 200;

function keyOf(number: number): ProjectKey {
  return ProjectKey.parse(`~0219${String(number).padStart(17, '0')}`);
}

function filterOf(number: number): FilterId {
  return FilterId.parse(1 + (number % (channels.length * FILTERS_EACH)));
}

function makeSeen(number: number, now: number, write: Writer): SeenProject {
  const key = keyOf(number);
  const publishedAt = now - HOUR - number * MINUTE;
  return {
    filters: [filterOf(number)],
    firstSeenAt: publishedAt + MINUTE,
    project: {
      key,
      title: `Project ${number}: a shop with a booking calendar`,
      url: `https://www.marketplace.example/jobs/${key}`,
      description: write(DESCRIPTION_WORDS),
      skills: ['React', 'TypeScript', 'Node.js', 'PostgreSQL', 'Stripe'],
      categories: ['Full Stack Development'],
      questions: ['What have you built that is like this?'],
      publishedAt,
      site: 'marketplace',
      budget: { type: 'Fixed', amount: '$4,500' },
      client: {
        verified: true,
        country: 'Germany',
        totalSpent: 84_000,
        totalHires: 31,
        hireRate: 0.7,
        rating: 4.9,
        reviews: 22,
      },
    },
  };
}

function makeCard(channel: ChannelId, number: number, now: number): { card: Card; post: Post } {
  const project = keyOf(number);
  const foundAt = now - HOUR - number * MINUTE;
  const card: Card = {
    channel,
    project,
    filters: [filterOf(number)],
    foundAt,
    state: 'posted',
    claim: { by: holder, at: foundAt },
  };
  const post: Post = {
    id: PostId.parse(`card:${channel}:${project}`),
    channel,
    content: { kind: 'card', project },
    state: 'posted',
    order: foundAt,
    enqueuedAt: foundAt,
    ts: MessageTs.parse(cardTs(number)),
    revision: 0,
    shown: 0,
  };
  return { card, post };
}

export const outcomesFeed: ProfileFeed = {
  channel: channels[0] ?? missing(),
  kind: 'outcomes',
  profile,
  by: ada,
  createdAt: 0,
  startsAt: 0,
};

function missing(): never {
  throw new RangeError('no channel');
}

async function putFollowed(tx: Transaction, now: number): Promise<void> {
  await tx.put(profileFeeds, outcomesFeed);
  for (const [at, channel] of channels.entries())
    for (let each = 0; each < FILTERS_EACH; each++) {
      const filter = FilterId.parse(1 + at * FILTERS_EACH + each);
      const startsAt = now - 60 * DAY;
      const subscription = {
        channel,
        filter,
        rules: 'budget:>500 -wordpress',
        by: ada,
        createdAt: startsAt,
        startsAt,
      };
      await tx.put(subscriptions, subscription);
    }
}

/** @param seen number of projects; the newest are cards in each channel */
export async function fillStore(store: Store, seen: number, now: number, write: Writer): Promise<void> {
  await store.transact((tx) => putFollowed(tx, now));
  for (let from = 0; from < seen; from += AT_ONCE)
    await store.transact(async (tx) => {
      for (let number = from; number < Math.min(seen, from + AT_ONCE); number++)
        await tx.put(seenProjects, makeSeen(number, now, write));
    });
  for (const channel of channels)
    await store.transact(async (tx) => {
      for (let number = 0; number < Math.min(seen, CARDS_EACH); number++) {
        const { card, post } = makeCard(channel, number, now);
        await tx.put(cards, card);
        await tx.put(posts, post);
      }
    });
}
