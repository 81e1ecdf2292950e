import { describe, expect, it } from 'vitest';
import { bids } from '../../src/bidding/records.ts';
import { DAY, type Instant, MINUTE } from '../../src/clock.ts';
import type { FilterTuningFacts } from '../../src/digests/facts.ts';
import { gatherFilterTuningFacts, isTuningNoteUseful } from '../../src/digests/gather-tuning.ts';
import {
  type Card,
  type ChannelSettings,
  cardKey,
  cards,
  seenProjectKey,
  seenProjects,
} from '../../src/feed/records.ts';
import { ProjectKey } from '../../src/ids.ts';
import type { ListedProject } from '../../src/marketplace/schema.ts';
import { cardPostId, enqueuePost } from '../../src/outbox/outbox.ts';
import type { Transaction } from '../../src/storage/store.ts';
import { createMemoryStore } from '../memory-store.ts';
import { bid } from '../slack/bids/bidding-samples.ts';
import { ANA, BEN, CHANNEL, listed, NODE, NOW, REACT, TEAM } from '../slack/samples.ts';

const WEEK = { channel: CHANNEL, from: NOW - 7 * DAY, to: NOW, timezone: 'Europe/Berlin' };

async function enqueueCard(tx: Transaction, project: ProjectKey, at: Instant): Promise<void> {
  const post = { team: TEAM, id: cardPostId(CHANNEL, project), channel: CHANNEL, order: at, at };
  await enqueuePost(tx, { ...post, content: { kind: 'card', project } });
}

function startWeek(mutes: ChannelSettings['mutes'] = []) {
  const store = createMemoryStore();
  let last = 0;
  const subscription = (filter: typeof REACT, rules: string) => ({
    filter,
    subscription: {
      team: TEAM,
      channel: CHANNEL,
      filter: filter.id,
      rules,
      by: ANA,
      createdAt: 0,
      startsAt: 0,
    },
    state: { kind: 'live' as const },
  });
  return {
    store,
    async add(change: Partial<Card> = {}, project: Partial<ListedProject> = {}): Promise<ProjectKey> {
      const key = ProjectKey.parse(`~0${++last}`);
      const filters = change.filters ?? [REACT.id];
      await store.transact(async (tx) => {
        const plain = { ...listed(), ...project, key };
        await tx.put(seenProjects, seenProjectKey(TEAM, key), {
          team: TEAM,
          project: plain,
          filters,
          firstSeenAt: NOW,
        });
        const card: Card = {
          team: TEAM,
          channel: CHANNEL,
          project: key,
          filters,
          foundAt: NOW - last * MINUTE,
          state: 'posted',
          ...change,
        };
        await tx.put(cards, cardKey(TEAM, CHANNEL, key), card);
        if (card.state === 'posted') await enqueueCard(tx, key, card.foundAt);
      });
      return key;
    },
    /** Posts a deferred card. */
    tell: (key: ProjectKey, at: Instant) =>
      store.transact(async (tx) => {
        const card = await tx.get(cards, cardKey(TEAM, CHANNEL, key));
        if (!card) return expect.fail('no card');
        const told: Card = { ...card, state: 'posted' };
        await tx.put(cards, cardKey(TEAM, CHANNEL, key), told);
        await enqueueCard(tx, key, at);
      }),
    gather: (when = WEEK) =>
      gatherFilterTuningFacts(
        {
          store,
          team: TEAM,
          feed: {
            listSubscriptions: async () => [subscription(NODE, ''), subscription(REACT, 'type:fixed')],
            readChannelSettings: async () => ({ team: TEAM, channel: CHANNEL, density: 'full', mutes }),
          },
        },
        when,
      ),
  };
}

const toldBy = ({ filters }: FilterTuningFacts) => filters.find(({ filter }) => filter === REACT.id)?.told;

const skip = (reason: NonNullable<Card['skip']>['reason']) => ({ skip: { by: BEN, at: NOW, reason } });
const claim = { claim: { by: ANA, at: NOW } };

describe('a week of a channel', () => {
  it('counts what became of each filter’s projects', async () => {
    const week = startWeek();
    await week.add(claim);
    await week.add(skip('client'));
    await week.add(skip('client'));
    await week.add(skip('too-late'));
    await week.add();
    await week.add({ filters: [REACT.id, NODE.id] });
    expect(await week.gather()).toEqual({
      ...WEEK,
      filters: [
        {
          filter: REACT.id,
          name: 'React work',
          rules: 'type:fixed',
          told: 6,
          claimed: 1,
          bid: 0,
          skipped: { client: 2, 'too-late': 1 },
          left: 2,
          muted: 0,
        },
        {
          filter: NODE.id,
          name: 'Node work',
          rules: '',
          told: 1,
          claimed: 0,
          bid: 0,
          skipped: {},
          left: 1,
          muted: 0,
        },
      ],
      mutes: [],
    });
  });

  it('leaves out what is older, what is still owed, and filters that are followed no more', async () => {
    const week = startWeek();
    await week.add({ foundAt: NOW - 8 * DAY });
    await week.add({ state: 'deferred' });
    await week.add({ state: 'suppressed', because: 'no-match' });
    const { filters } = await week.gather();
    expect(filters.map(({ told, left }) => told + left)).toEqual([0, 0]);
  });

  it('counts a card that was owed in the week in which it is told, and in no other', async () => {
    const week = startWeek();
    const key = await week.add({ state: 'deferred', foundAt: NOW - DAY });
    const first = await week.gather();
    await week.tell(key, NOW + DAY);
    const again = await week.gather();
    const next = await week.gather({ ...WEEK, from: NOW, to: NOW + 7 * DAY });
    expect([first, again, next].map(toldBy)).toEqual([0, 0, 1]);
  });

  it('counts a bid, also on a project that was skipped', async () => {
    const week = startWeek();
    const key = await week.add(skip('other'));
    await week.store.transact(async (tx) => {
      const made = bid({ project: key });
      await tx.put(bids, [TEAM, made.id], made);
    });
    expect((await week.gather()).filters[0]).toMatchObject({ told: 1, bid: 1, skipped: {}, left: 0 });
  });

  it('tells which mute kept how many away', async () => {
    const mute = { by: ANA, at: 0 };
    const week = startWeek([
      { kind: 'country', value: 'Norway', ...mute },
      { kind: 'word', value: 'checkout', ...mute },
      { kind: 'word', value: 'nothing', ...mute },
    ]);
    const muted = { state: 'suppressed', because: 'muted' } as const;
    await week.add(muted);
    await week.add(muted, { title: 'Plain', description: 'work' });
    const facts = await week.gather();
    expect(facts.mutes).toEqual([
      { what: 'country', value: 'Norway', kept: 2 },
      { what: 'word', value: 'checkout', kept: 1 },
    ]);
    expect(facts.filters[0]).toMatchObject({ filter: REACT.id, told: 0, muted: 2 });
  });

  it('of many cards is read to the last, with the rule that they advise', async () => {
    const week = startWeek();
    for (let card = 0; card < 150; card++)
      await week.add(skip('budget-too-low'), { budget: { amount: '$40' } });
    for (let card = 0; card < 100; card++) await week.add(claim, { budget: { amount: '$700' } });
    const [react] = (await week.gather()).filters;
    expect(react).toMatchObject({
      told: 250,
      skipped: { 'budget-too-low': 150 },
      advice: { rule: 'budget:>=50', skippedWithout: 150, skipped: 150, wantedLost: 0 },
    });
  });
});

describe('a week is worth a note', () => {
  const filter: FilterTuningFacts['filters'][number] = {
    filter: REACT.id,
    rules: '',
    told: 12,
    claimed: 12,
    bid: 0,
    skipped: {},
    left: 0,
    muted: 0,
  };
  const week = (change: Partial<typeof filter>): FilterTuningFacts => ({
    ...WEEK,
    filters: [{ ...filter, ...change }],
    mutes: [],
  });

  it.each<[boolean, string, Partial<typeof filter>]>([
    [true, 'enough came, and some was left', { claimed: 11, left: 1 }],
    [true, 'enough came, and some was skipped', { skipped: { client: 1 } }],
    [true, 'mutes kept much away', { told: 0, claimed: 0, muted: 10 }],
    [
      true,
      'there is an advice',
      { told: 7, advice: { rule: 'verified:yes', skippedWithout: 5, skipped: 5, wantedLost: 0 } },
    ],
    [false, 'all was wanted', {}],
    [false, 'too little came', { told: 9, claimed: 0, left: 9 }],
    [false, 'nothing came', { told: 0, claimed: 0 }],
  ])('%s: %s', (worth, _, change) => {
    expect(isTuningNoteUseful(week(change))).toBe(worth);
  });
});
