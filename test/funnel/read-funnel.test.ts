/** What no play reaches of the funnel's reads: other names, bids from anywhere, and never too much. */
import { describe, expect, it } from 'vitest';
import { projectAliases } from '../../src/aliases/project-aliases.ts';
import { type Bid, bids, type Job, jobs } from '../../src/bidding/records.ts';
import { DAY, MINUTE } from '../../src/clock.ts';
import { type Card, cards, seenProjects, subscriptions } from '../../src/feed/records.ts';
import { createFunnelService, MOST_TRIED } from '../../src/funnel/funnel.ts';
import { BidId, ChannelId, FilterId, JobId, ProjectKey, SetupId, UserId } from '../../src/ids.ts';
import { PostId } from '../../src/outbox/posts.ts';
import type { Transaction } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { bareProject } from '../feed/projects.ts';
import { createMemoryStore } from '../memory-store.ts';

const [web, data] = [ChannelId.parse('C1'), ChannelId.parse('C2')];
const NOW = Date.UTC(2026, 10, 20);
const filter = FilterId.parse(1);
const user = UserId.parse('U1');
const key = (n: number | string) => ProjectKey.parse(`~${n}`);

function start() {
  const store = createMemoryStore();
  const clock = new ManualClock(NOW);
  const feed = { listStoredFilters: async () => [{ id: filter, name: 'React work' }] };
  return { store, funnel: createFunnelService({ store, clock, feed }) };
}

async function putCard(tx: Transaction, channel: ChannelId, change: Partial<Card> = {}): Promise<void> {
  const project = change.project ?? key(1);
  const card: Card = {
    channel,
    project,
    filters: [filter],
    passed: [filter],
    foundAt: NOW - DAY,
    state: 'posted',
    ...change,
  };
  await tx.put(cards, card);
}

function putSubscription(tx: Transaction): Promise<void> {
  const rest = { rules: '', by: user, createdAt: 0, startsAt: 0 };
  return tx.put(subscriptions, { channel: web, filter, ...rest });
}

function bidOf(change: Partial<Bid> = {}): Bid {
  const project = change.project ?? key(1);
  return {
    id: BidId.parse(`7:${project}`),
    project,
    title: 'A shop',
    channel: web,
    home: PostId.parse('card:1'),
    by: user,
    at: NOW - MINUTE,
    request: { setup: SetupId.parse(7), marketplaceJobId: project },
    attempt: 1,
    state: 'created',
    audit: [],
    ...change,
  };
}

function jobOf(change: Partial<Job> = {}): Job {
  return {
    id: JobId.parse(12),
    channel: web,
    home: PostId.parse('card:1'),
    status: 'completed',
    readAt: NOW,
    knownAt: NOW - MINUTE,
    follow: { state: 'settled', at: NOW },
    told: 0,
    ...change,
  };
}

const proposal = {
  id: 5,
  viewed: true,
  interviewed: false,
  hired: false,
  withdrawn: false,
  boostOutbid: false,
};

const month = { from: NOW - 30 * DAY, to: NOW + 1, by: 'channel' } as const;

describe('the funnel', () => {
  it('finds a bid under another name of the project', async () => {
    const { store, funnel } = start();
    await store.transact(async (tx) => {
      await putCard(tx, web);
      await tx.put(projectAliases, { uid: 'u1', project: key(1), at: NOW });
      const bid = bidOf({ project: ProjectKey.parse('uid:u1'), job: JobId.parse(12) });
      await tx.put(bids, bid);
      await tx.put(jobs, jobOf({ bid: bid.id, proposal }));
    });
    const { all } = await funnel.readFunnel({ ...month, channels: [web] });
    expect(all.reached).toMatchObject({ found: 1, bid: 1, viewed: 1, interviewed: 0 });
  });

  it('counts a bid where it was made, and one from a direct message wherever the project is', async () => {
    const { store, funnel } = start();
    const direct = ChannelId.parse('D1');
    await store.transact(async (tx) => {
      for (const channel of [web, data]) {
        await putCard(tx, channel);
        await putCard(tx, channel, { project: key(2) });
      }
      const inWeb = bidOf();
      await tx.put(bids, inWeb);
      const inDirect = bidOf({ project: key(2), channel: direct });
      await tx.put(bids, inDirect);
    });
    const of = async (channel: ChannelId) => (await funnel.readFunnel({ ...month, channels: [channel] })).all;
    expect((await of(web)).reached.bid).toBe(2);
    expect((await of(data)).reached.bid).toBe(1);
    expect([...(await of(data)).lost.posted]).toEqual([['bid-elsewhere', 1]]);
    const both = await funnel.readFunnel({ ...month, channels: [web, data] });
    expect(both.all.reached).toMatchObject({ found: 2, bid: 2 });
    expect(both.groups.map(({ key: of }) => of)).toHaveLength(2);
  });

  it('counts jobs that were created elsewhere', async () => {
    const { store, funnel } = start();
    await store.transact(async (tx) => {
      await putCard(tx, web);
      await tx.put(jobs, jobOf({ project: key(1), proposal }));
    });
    const { all } = await funnel.readFunnel({ ...month, channels: [web] });
    expect(all.reached).toMatchObject({ found: 1, claimed: 1, viewed: 1 });
  });
});

describe('tried rules', () => {
  it('look at no more than 2,000 projects, the newest, and say so', async () => {
    const { store, funnel } = start();
    await store.transact(async (tx) => {
      for (let n = 0; n < MOST_TRIED + 5; n++) {
        const isOld = n < 5;
        const project = bareProject({ key: key(n), title: isOld ? 'Old one' : 'A shop' });
        const at = NOW - DAY + n;
        const seen = { project, filters: [filter], firstSeenAt: at };
        await tx.put(seenProjects, seen);
        await putCard(tx, web, { project: key(n), foundAt: at });
      }
      await putSubscription(tx);
    });
    const tried = await funnel.tryRules({ channel: web, filter, rules: '-old' });
    expect(tried).toMatchObject({ isCut: true, counts: { known: MOST_TRIED, hidden: 0 } });
  });

  it('leave out what was published before the subscription', async () => {
    const { store, funnel } = start();
    await store.transact(async (tx) => {
      await putSubscription(tx);
      for (const n of [1, 2]) {
        const seen = {
          project: bareProject({ key: key(n) }),
          filters: [filter],
          firstSeenAt: NOW - DAY,
        };
        await tx.put(seenProjects, seen);
      }
      await putCard(tx, web);
      await putCard(tx, web, { project: key(2), state: 'suppressed', because: 'past' });
    });
    const tried = await funnel.tryRules({ channel: web, filter, rules: '' });
    expect(tried).toMatchObject({ counts: { known: 1, shown: 1 }, isCut: false });
  });
});
