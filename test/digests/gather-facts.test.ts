import { describe, expect, it } from 'vitest';
import { type Bid, bidId, bidKey, bids, type Job, jobKey, jobs } from '../../src/bidding/records.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { channelLedgerRecords } from '../../src/credits/records.ts';
import { isInvitationAnswered } from '../../src/digests/gather-bids.ts';
import { listSetupsNearDailyLimit } from '../../src/digests/gather-facts.ts';
import {
  channelSettings,
  defaultChannelSettings,
  type Subscription,
  subscriptionKey,
  subscriptions,
} from '../../src/feed/records.ts';
import { FilterId, InvitationUid, JobId, ProposalId, SetupId, UserId } from '../../src/ids.ts';
import {
  type InvitationCard,
  type InvitationRecord,
  invitationCardKey,
  invitationCards,
  invitationKey,
  invitationPostId,
  invitationRecords,
} from '../../src/invitations/records.ts';
import { enqueuePost } from '../../src/outbox/outbox.ts';
import { PostId } from '../../src/outbox/posts.ts';
import { profileFeedKey, profileFeeds } from '../../src/profiles/records.ts';
import { plainProposal } from '../plain-proposal.ts';
import { ANA, CHANNEL, TEAM } from '../slack/samples.ts';
import { DigestWorld, FRIDAY, PROFILE } from './digest-world.ts';

/** Since yesterday's digest at nine. */
async function tellingFacts(
  fill: (world: DigestWorld) => Promise<void>,
  world = new DigestWorld(FRIDAY - 2 * HOUR),
) {
  await fill(world);
  await world.pass(FRIDAY - world.clock.now());
  await world.digests.postDigestNow(CHANNEL, ANA, 'p');
  return (await world.newest()).facts;
}

const claim = { by: ANA, at: FRIDAY - HOUR };
const home = PostId.parse('home');
const FILTER = FilterId.parse(101);
const pausedSettings = { ...defaultChannelSettings(TEAM, CHANNEL), paused: { by: ANA, at: FRIDAY - HOUR } };
const subscription: Subscription = {
  team: TEAM,
  channel: CHANNEL,
  filter: FILTER,
  rules: '',
  by: ANA,
  createdAt: 0,
  startsAt: 0,
};

function bid(number: number, change: Partial<Bid> = {}): Bid {
  const setup = SetupId.parse(7);
  const id = bidId(`~${number}`, setup);
  return {
    team: TEAM,
    id,
    project: `~${number}` as Bid['project'],
    title: `Project ${number}`,
    channel: CHANNEL,
    home,
    by: ANA,
    at: FRIDAY - HOUR,
    request: { setup, marketplaceJobId: `~${number}` },
    setupName: 'Night shift',
    attempt: 1,
    state: 'created',
    audit: [],
    ...change,
  };
}

function job(number: number, change: Partial<Job> = {}): Job {
  return {
    team: TEAM,
    id: JobId.parse(number),
    channel: CHANNEL,
    home,
    status: 'pending_review',
    statusTitle: 'Pending review',
    readAt: FRIDAY - HOUR,
    knownAt: FRIDAY - HOUR,
    follow: { state: 'following', since: FRIDAY - HOUR, step: 1, dueAt: FRIDAY + HOUR },
    told: 0,
    ...change,
  };
}

const putBid = (world: DigestWorld, it: Bid) => world.put((tx) => tx.put(bids, bidKey(TEAM, it.id), it));
const putJob = (world: DigestWorld, it: Job) => world.put((tx) => tx.put(jobs, jobKey(TEAM, it.id), it));

function invite(
  world: DigestWorld,
  name: string,
  card: Partial<InvitationCard>,
  told: Partial<InvitationRecord> = {},
  toldAt?: number,
) {
  const uid = InvitationUid.parse(name);
  const at = world.clock.now();
  const record = {
    team: TEAM,
    uid,
    title: name,
    letter: '',
    letterLength: 0,
    foundAt: at,
    statusChanges: 0,
    ...told,
  };
  const shown: InvitationCard = { team: TEAM, channel: CHANNEL, uid, state: 'posted', foundAt: at, ...card };
  return world.put(async (tx) => {
    await tx.put(invitationRecords, invitationKey(TEAM, uid), record);
    await tx.put(invitationCards, invitationCardKey(TEAM, CHANNEL, uid), shown);
    if (shown.state === 'past') return;
    const post = { team: TEAM, id: invitationPostId(CHANNEL, uid), channel: CHANNEL, order: at };
    const content = { kind: 'invitation', invitation: uid } as const;
    await enqueuePost(tx, { ...post, content, at: toldAt ?? shown.foundAt });
  });
}

describe('what a digest tells', () => {
  it('of projects: those posted since the last one, the best ones, and those nobody touched', async () => {
    const facts = await tellingFacts(async (world) => {
      await world.tell('claimed', {}, { claim });
      await world.tell('skipped', {}, { skip: { ...claim, reason: 'client' } });
      await world.tell('bid-on');
      await putBid(world, bid(1, { project: '~bid-on' as Bid['project'] }));
      await world.tell('left', {}, { filters: [FilterId.parse(101), FilterId.parse(102)] });
      await world.tell('turned down', { verdict: { decision: 'disqualified', other: {} } });
    });
    const { told, best, unclaimed, unclaimedList } = facts.projects;
    expect(told).toBe(5);
    expect(best.map(({ title }) => title).sort()).toEqual(['bid-on', 'claimed', 'left']);
    expect(best[0]?.title).toBe('left');
    expect([unclaimed, unclaimedList.map(({ title }) => title).sort()]).toEqual([2, ['left', 'turned down']]);
  });

  it('begins where the last one ended: what that one told comes in no other', async () => {
    const world = new DigestWorld(FRIDAY - HOUR);
    await world.plan();
    await world.tell('before');
    await world.ringUntil(FRIDAY);
    expect((await world.newest()).facts.projects.told).toBe(1);
    await world.deliver();
    await world.pass(1);
    await world.tell('after');
    await world.ringUntil(FRIDAY + DAY);
    expect((await world.newest()).facts.projects.unclaimedList.map(({ title }) => title)).toEqual(['after']);
  });

  it('of many projects: all are counted, and as many listed as somebody reads', async () => {
    const facts = await tellingFacts(async (world) => {
      for (let number = 0; number < 450; number += 1) await world.tell(`p${number}`);
    });
    expect(facts.projects).toMatchObject({ told: 450, unclaimed: 450 });
    expect(facts.projects.best).toHaveLength(5);
    expect(facts.projects.unclaimedList).toHaveLength(120);
  });

  it('of invitations: how many came, and which wait for an answer', async () => {
    const facts = await tellingFacts(async (world) => {
      await invite(world, 'waits', {}, { status: 'Pending', profile: { id: PROFILE, label: 'Web studio' } });
      await invite(world, 'claimed', { claim });
      await invite(world, 'declined', {}, { status: 'Declined' });
      await invite(world, 'of the past', { state: 'past' });
      await invite(world, 'old but open', { foundAt: FRIDAY - 20 * DAY });
      await invite(world, 'forgotten', { foundAt: FRIDAY - 70 * DAY });
      await invite(world, 'bid-on', {}, { jobPostingUid: '~77' });
      await putBid(world, bid(77));
    });
    expect(facts.invitations).toMatchObject({ came: 4, waiting: 2 });
    expect(facts.invitations.list).toEqual([
      { uid: 'waits', title: 'waits', profile: 'Web studio', post: 'invitation:C0WEB:waits' },
      { uid: 'old but open', title: 'old but open', post: 'invitation:C0WEB:old but open' },
    ]);
  });

  it('of invitations: one that is being read at digest time counts in the next one only', async () => {
    const world = new DigestWorld(FRIDAY - HOUR);
    await world.plan();
    await world.ringUntil(FRIDAY);
    await world.deliver();
    const readFrom = { foundAt: FRIDAY - SECOND };
    await invite(world, 'under way', readFrom, {}, FRIDAY + SECOND);
    await world.ringUntil(FRIDAY + DAY);
    await world.deliver();
    // Like an undated one that the marketplace sends for months.
    await invite(world, 'under way', { foundAt: FRIDAY + DAY + HOUR });
    await world.ringUntil(FRIDAY + 2 * DAY);
    const came = (await world.records()).map(({ facts }) => facts.invitations.came);
    expect(came).toEqual([0, 1, 0]);
  });

  it('of bids: those made, and those whose end is open, with how they stand', async () => {
    const facts = await tellingFacts(async (world) => {
      await putBid(world, bid(1, { job: JobId.parse(12) }));
      await putJob(world, job(12, { bid: bid(1).id }));
      await putBid(world, bid(2, { state: 'refused', at: FRIDAY - 3 * HOUR, job: JobId.parse(12) }));
      await putBid(world, bid(3, { state: 'unknown', at: FRIDAY - 3 * DAY }));
      await putBid(world, bid(4, { state: 'refused', at: FRIDAY - 3 * DAY }));
      await putBid(world, bid(5, { channel: 'C0OTHER' as Bid['channel'] }));
      await putJob(
        world,
        job(13, {
          title: 'From the dashboard',
          status: 'scheduled',
          statusTitle: 'Scheduled',
          knownAt: FRIDAY - 9 * DAY,
        }),
      );
      await putJob(world, job(14, { follow: { state: 'settled', at: FRIDAY - HOUR } }));
    });
    const pending = {
      state: 'pending_review',
      statusTitle: 'Pending review',
      waitsForApproval: true,
      sent: false,
    };
    const shown = { by: ANA, setupName: 'Night shift', post: 'home' };
    const none = { waitsForApproval: false, sent: false };
    expect(facts.bids).toEqual({
      made: 2,
      open: 2,
      list: [
        { title: 'Project 1', bid: bid(1).id, ...shown, job: 12, ...pending },
        { title: 'Project 2', bid: bid(2).id, ...shown, state: 'refused', ...none },
        { title: 'Project 3', bid: bid(3).id, ...shown, state: 'unknown', ...none },
        {
          title: 'From the dashboard',
          post: 'home',
          job: 13,
          state: 'scheduled',
          statusTitle: 'Scheduled',
          ...none,
        },
      ],
    });
  });

  it('of many bids: all are counted, and none that is open is left out of the list', async () => {
    const facts = await tellingFacts(async (world) => {
      for (let number = 1; number <= 50; number += 1) await putBid(world, bid(number, { state: 'refused' }));
      const older = { state: 'unknown', at: FRIDAY - 3 * DAY } as const;
      for (let number = 51; number <= 70; number += 1) await putBid(world, bid(number, older));
    });
    const { made, open, list } = facts.bids;
    expect([made, open, list.length]).toEqual([50, 20, 60]);
    expect(list.map(({ state }) => state)).toEqual([
      ...Array(40).fill('refused'),
      ...Array(20).fill('unknown'),
    ]);
  });

  it('of outcomes: what threads and messages told, the weightiest first', async () => {
    const facts = await tellingFacts(async (world) => {
      await putJob(world, job(12, { title: 'Booking site', follow: { state: 'settled', at: FRIDAY } }));
      const news = (id: number, outcomes: ('viewed' | 'hired')[], title: string) =>
        world.enqueue(`o${id}`, {
          kind: 'outcome',
          news: { proposal: ProposalId.parse(id), outcomes, title, freelancer: 'Ana Lund' },
        });
      await news(1, ['viewed'], 'Photo shop');
      await news(2, ['viewed', 'hired'], 'Garden planner');
      const about = {
        about: 'proposal-outcome',
        job: JobId.parse(12),
        proposal: 3,
        outcomes: ['interviewed'],
      } as const;
      await world.enqueue('b', { kind: 'bid-news', news: { ...about, outcomes: [...about.outcomes] } });
      await world.enqueue('r', {
        kind: 'outcomes-rest',
        rest: { proposals: 7, counts: [{ outcome: 'viewed', count: 7 }] },
      });
    });
    expect(facts.outcomes.counts).toEqual([
      { outcome: 'hired', count: 1 },
      { outcome: 'interviewed', count: 1 },
      { outcome: 'viewed', count: 9 },
    ]);
    expect(facts.outcomes.list.map(({ outcome, title }) => `${outcome} ${title}`)).toEqual([
      'hired Garden planner',
      'interviewed Booking site',
      'viewed Garden planner',
      'viewed Photo shop',
    ]);
  });

  it('of an hourly list: what came since the last one, and a hire told twice counts once', async () => {
    const facts = await tellingFacts(async (world) => {
      await putJob(world, job(12, { title: 'Booking site', follow: { state: 'settled', at: FRIDAY } }));
      const news = (id: number, outcomes: ('viewed' | 'hired')[]) => ({
        proposal: ProposalId.parse(id),
        outcomes,
        title: `Sent ${id}`,
      });
      const begun = FRIDAY - DAY - MINUTE;
      const entries = [
        { at: begun, news: news(1, ['viewed']) },
        { at: begun + 2 * MINUTE, news: news(2, ['viewed']) },
      ];
      await world.enqueue('h', { kind: 'outcome-list', list: { of: 'hour', entries } }, begun);
      await world.enqueue('o', { kind: 'outcome', news: news(3, ['hired']) });
      const about = { about: 'proposal-outcome', job: JobId.parse(12), proposal: 3 } as const;
      await world.enqueue('b', { kind: 'bid-news', news: { ...about, outcomes: ['hired'] } });
    });
    expect(facts.outcomes.counts).toEqual([
      { outcome: 'hired', count: 1 },
      { outcome: 'viewed', count: 1 },
    ]);
    expect(facts.outcomes.list.map(({ outcome }) => outcome)).toEqual(['hired', 'viewed']);
    expect(facts.outcomes.list[1]?.title).toBe('Sent 2');
  });

  it('of connects: those of the followed profiles’ proposals; without any profile nothing', async () => {
    const proposals = [
      plainProposal(4, { submittedAt: FRIDAY - MINUTE, profile: { id: PROFILE }, connects: 16, boost: 10 }),
      plainProposal(3, { submittedAt: FRIDAY - HOUR, profile: { id: PROFILE }, connects: 8 }),
      plainProposal(2, { submittedAt: FRIDAY - HOUR, connects: 50 }),
      plainProposal(1, { submittedAt: FRIDAY - 2 * DAY, profile: { id: PROFILE }, connects: 12 }),
    ];
    const facts = await tellingFacts(async (world) => {
      world.proposals = proposals;
      await world.followProfile();
    });
    expect(facts.connects).toEqual({ proposals: 2, priced: 2, spent: 24, boost: 10 });
    const none = await tellingFacts(async (world) => {
      world.proposals = proposals;
    });
    expect(none.connects).toBeUndefined();
  });

  it('of connects: of how many proposals the marketplace tells the price', async () => {
    const facts = await tellingFacts(async (world) => {
      const sent = { submittedAt: FRIDAY - HOUR, profile: { id: PROFILE } };
      const { connects: _, boost: __, ...unpriced } = plainProposal(2, sent);
      world.proposals = [unpriced, plainProposal(1, { ...sent, connects: 8 })];
      await world.followProfile();
    });
    expect(facts.connects).toMatchObject({ proposals: 2, priced: 1, spent: 8 });
  });

  it('of connects: a proposal the marketplace reports after the digest is in the next one', async () => {
    const world = new DigestWorld(FRIDAY - HOUR);
    await world.followProfile();
    await world.plan();
    await world.ringUntil(FRIDAY);
    await world.deliver();
    const sent = { profile: { id: PROFILE }, submittedAt: FRIDAY - 2 * MINUTE, connects: 16 };
    world.proposals = [plainProposal(900, sent)];
    await world.ringUntil(FRIDAY + DAY);
    expect((await world.newest()).facts.connects).toEqual({ proposals: 1, priced: 1, spent: 16, boost: 0 });
    await world.deliver();
    await world.ringUntil(FRIDAY + 2 * DAY);
    expect((await world.newest()).facts.connects).toEqual({ proposals: 0, priced: 0, spent: 0, boost: 0 });
  });

  it('of credits: what this channel paid since, of its share alone', async () => {
    const facts = await tellingFacts(async (world) => {
      const purchase = { endpoint: 'lookup', subject: '~1' } as const;
      const other = UserId.parse('U0BEN');
      for (const [order, at] of [FRIDAY - 2 * DAY, FRIDAY - DAY, FRIDAY - HOUR, FRIDAY].entries()) {
        const shares = [
          { channel: CHANNEL, credits: 3 },
          { channel: 'C0OTHER' as typeof CHANNEL, credits: 4 },
        ];
        const entry = { at, order, period: 1, purchase, credits: 7, shares, user: other };
        await world.put((tx) => tx.put(channelLedgerRecords, [TEAM, CHANNEL, at, order], entry));
      }
    });
    expect(facts.credits).toMatchObject({ spent: 6, limit: 500, confirmed: false });
  });

  it('of feeds: what failed since, once, and what is wrong now', async () => {
    const facts = await tellingFacts(async (world) => {
      const failing = { about: 'feed-failing', code: 'server', since: FRIDAY - 2 * HOUR } as const;
      const filters = [{ id: FilterId.parse(101), name: 'React work' }];
      await world.enqueue('n1', { kind: 'notice', notice: { ...failing, filters } });
      await world.enqueue('n2', { kind: 'notice', notice: { ...failing, code: 'timeout', filters } });
      await world.enqueue('n3', { kind: 'notice', notice: { ...failing, filters: [] } });
      await world.pass(MINUTE);
      const recovered = { about: 'feed-recovered', since: FRIDAY - 2 * HOUR } as const;
      await world.enqueue('n4', { kind: 'notice', notice: { ...recovered, filters } });
      await world.enqueue('n5', { kind: 'notice', notice: { ...recovered, filters: [] } });
      await world.followProfile({ at: FRIDAY - HOUR, error: 'is_archived' });
    });
    expect(facts.feeds).toEqual([
      { feed: 'outcomes', id: 301, state: 'stopped', code: 'is_archived', since: FRIDAY - HOUR },
      {
        feed: 'filter',
        id: 101,
        name: 'React work',
        state: 'failed',
        code: 'server',
        since: FRIDAY - 2 * HOUR,
      },
      { feed: 'all', state: 'failed', code: 'server', since: FRIDAY - 2 * HOUR },
    ]);
  });

  it.each<[string, (world: DigestWorld) => Promise<void>]>([
    ['unsubscribed', async () => {}],
    ['paused', (world) => world.put((tx) => tx.put(channelSettings, [TEAM, CHANNEL], pausedSettings))],
    [
      'stopped',
      (world) =>
        world.put((tx) =>
          tx.put(subscriptions, subscriptionKey(TEAM, CHANNEL, FILTER), {
            ...subscription,
            stopped: { at: FRIDAY - HOUR, error: 'is_archived' },
          }),
        ),
    ],
  ])('of feeds: what failed and was then %s is not said to be well again', async (_, change) => {
    const facts = await tellingFacts(async (world) => {
      const failing = { about: 'feed-failing', code: 'server', since: FRIDAY - 2 * HOUR } as const;
      await world.enqueue('n1', { kind: 'notice', notice: { ...failing, filters: [{ id: FILTER }] } });
      await world.enqueue('n2', { kind: 'notice', notice: { ...failing, filters: [] } });
      await change(world);
    });
    expect(facts.feeds.filter(({ state }) => state === 'failed')).toEqual([]);
  });

  it('of feeds: one that recovered, failed again, and still fails isn’t called recovered', async () => {
    const profile = { feed: 'outcomes', profile: { id: PROFILE } } as const;
    const tell = (
      world: DigestWorld,
      id: string,
      about: 'profile-failing' | 'profile-recovered',
      at: number,
    ) =>
      world.enqueue(
        id,
        { kind: 'notice', notice: { about, ...profile, code: 'server', since: FRIDAY - 2 * HOUR } },
        FRIDAY - at,
      );
    const facts = await tellingFacts(async (world) => {
      await tell(world, 'n1', 'profile-failing', HOUR);
      await tell(world, 'n2', 'profile-recovered', 40 * MINUTE);
      await tell(world, 'n3', 'profile-failing', 20 * MINUTE);
    });
    expect(facts.feeds).toEqual([]);
  });

  it('of a pause: listed if it holds anything up, even just invitations, with other trouble', async () => {
    const pausedUntil = (until: number, kind: 'invitations' | 'outcomes') =>
      tellingFacts(async (world) => {
        const paused = { by: ANA, at: FRIDAY - HOUR, until };
        const feed = {
          team: TEAM,
          channel: CHANNEL,
          kind,
          profile: PROFILE,
          by: ANA,
          createdAt: 0,
          startsAt: 0,
        };
        await world.put(async (tx) => {
          await tx.put(channelSettings, [TEAM, CHANNEL], {
            ...defaultChannelSettings(TEAM, CHANNEL),
            paused,
          });
          await tx.put(profileFeeds, profileFeedKey(feed), feed);
        });
        const failing = { about: 'feed-failing', code: 'server', since: FRIDAY - HOUR } as const;
        await world.enqueue('n1', { kind: 'notice', notice: { ...failing, filters: [] } });
        const recovered = { about: 'feed-recovered', since: FRIDAY - HOUR } as const;
        await world.enqueue('n2', { kind: 'notice', notice: { ...recovered, filters: [] } });
      });
    const failed = { feed: 'all', state: 'failed', code: 'server', since: FRIDAY - HOUR };
    expect((await pausedUntil(FRIDAY + HOUR, 'invitations')).feeds).toEqual([
      { feed: 'all', state: 'paused', since: FRIDAY - HOUR },
      failed,
    ]);
    expect((await pausedUntil(FRIDAY - MINUTE, 'invitations')).feeds).toEqual([failed]);
    expect((await pausedUntil(FRIDAY + HOUR, 'outcomes')).feeds).toEqual([failed]);
  });

  it('of setups: those that have used four fifths of their day', async () => {
    const setup = (id: number, sentToday?: number, dailyLimit?: number) => ({
      id: SetupId.parse(id),
      name: `Setup ${id}`,
      status: 'active',
      ...(sentToday === undefined ? {} : { sentToday }),
      ...(dailyLimit === undefined ? {} : { dailyLimit }),
    });
    const facts = await tellingFacts(async (world) => {
      world.setups = [
        setup(1, 15, 20),
        setup(2, 16, 20),
        setup(3, 20, 20),
        setup(4, 5),
        setup(5, 0, 0),
        setup(6),
      ];
    });
    expect(facts.setups.map(({ id }) => id)).toEqual([3, 2]);
    expect(listSetupsNearDailyLimit([])).toEqual([]);
  });
});

it.each([
  ['Pending', false],
  ['Invited to interview', false],
  ['Unanswered', false],
  [undefined, false],
  ['Accepted', true],
  ['DECLINED', true],
  ['Expired', true],
  ['Invitation withdrawn', true],
])('an invitation whose status is %s is answered: %s', (status, expected) => {
  expect(isInvitationAnswered(status)).toBe(expected);
});
