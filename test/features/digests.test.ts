import { afterEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import type { SlackMessage } from '../../src/workbench/slack/simulated-slack.ts';
import { asRead } from './as-read.ts';
import { onlyJob, openBid, press, startBidWorld, submitBid, viewOf, wordsOfView } from './bidder.ts';
import { posted, startWorld, type World, type WorldOptions, wordsOf } from './world.ts';

let world: World;
afterEach(() => world.stop());

const HALF_HOUR = 30 * MINUTE;

const at = (iso: string) => Date.parse(`${iso}Z`);

async function begin(start: string, options: WorldOptions = {}): Promise<World> {
  world = await startWorld({ start: at(start), ...options });
  return world;
}

function postOf(message: {
  readonly metadata?: { readonly event_payload: Record<string, unknown> } | undefined;
}) {
  const post = message.metadata?.event_payload['post'];
  return typeof post === 'string' ? post : '';
}

/** A channel's digests. */
function digests(channel: string) {
  return world.slack.messages(channel).filter((message) => postOf(message).startsWith('digest:'));
}

/** A digest as people read it. */
function read(digest: SlackMessage | undefined): string {
  return asRead(world, wordsOf(digest ?? expect.fail('no digest')));
}

/** Their times, to the minute. */
function cameAt(channel: string): string[] {
  return digests(channel).map(({ ts }) => new Date(Number(ts) * 1_000).toISOString().slice(0, 16));
}

/** Days with digests only, at full and half hours: jumps over the minutes between. */
async function passDays(days: number): Promise<void> {
  const end = world.clock.now() + days * DAY;
  while (world.clock.now() < end) {
    const next = Math.ceil((world.clock.now() + 1) / HALF_HOUR) * HALF_HOUR;
    world.clock.moveTo(next - SECOND);
    // From just before the half hour to a while after it, so that due digests are posted.
    await world.pass(10 * SECOND);
  }
}

/** Jumps to a time; nothing runs until then. */
async function beDown(until: string): Promise<void> {
  await world.crash();
  world.clock.moveTo(at(until));
  await world.restart();
  await world.pass(MINUTE);
}

function isHealthy(): void {
  expect(world.slack.failedCalls()).toEqual([]);
  expect(world.logLines.filter((line) => line.includes('"level":50'))).toEqual([]);
}

describe('changes of the clocks in Berlin', () => {
  it('to summer time: a digest at the skipped 2:30 comes after the change, and none is lost', async () => {
    await begin('2026-03-27T20:00:00');
    await world.gig('web', 'digest at 02:30 Europe/Berlin daily');
    await world.gig('data', 'digest at 09:00 Europe/Berlin daily');
    await passDays(3);
    expect(cameAt('web')).toEqual(['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30']);
    expect(cameAt('data')).toEqual(['2026-03-28T08:00', '2026-03-29T07:00', '2026-03-30T07:00']);
    isHealthy();
  });

  it('to winter time: a digest at half past two, which comes twice, comes once', async () => {
    await begin('2026-10-23T20:00:00');
    await world.gig('web', 'digest at 02:30 Europe/Berlin daily');
    await world.gig('data', 'digest at 09:00 Europe/Berlin daily');
    await passDays(3);
    expect(cameAt('web')).toEqual(['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']);
    expect(cameAt('data')).toEqual(['2026-10-24T07:00', '2026-10-25T08:00', '2026-10-26T08:00']);
    isHealthy();
  });

  it('a kill in the hour that comes twice doubles none', async () => {
    await begin('2026-10-24T23:00:00');
    await world.gig('web', 'digest at 02:30 Europe/Berlin daily');
    await world.pass(100 * MINUTE);
    await beDown('2026-10-25T01:30:00');
    await world.pass(HOUR);
    expect(cameAt('web')).toEqual(['2026-10-25T00:30']);
  });
});

describe('downtime', () => {
  it('over the hour of a digest: it comes once, late, and says so', async () => {
    await begin('2026-11-19T12:00:00');
    await world.gig('web', 'digest at 09:00 Europe/Berlin');
    await world.pass(HOUR);
    await beDown('2026-11-20T09:30:00');
    expect(cameAt('web')).toEqual(['2026-11-20T09:30']);
    expect(read(digests('web')[0])).toMatchSnapshot();
    await world.crash();
    await world.restart();
    await world.pass(HOUR);
    expect(digests('web')).toHaveLength(1);
    await beDown('2026-11-23T07:59:00');
    await world.pass(5 * MINUTE);
    expect(cameAt('web')).toEqual(['2026-11-20T09:30', '2026-11-23T08:00']);
    expect(read(digests('web')[1])).toMatchSnapshot();
  });

  it('over three days: one digest covers what nobody got', async () => {
    await begin('2026-11-16T07:30:00');
    await world.gig('web', 'digest at 09:00 Europe/Berlin');
    await world.pass(HOUR);
    await beDown('2026-11-19T12:00:00');
    expect(cameAt('web')).toEqual(['2026-11-16T08:00', '2026-11-19T12:00']);
    expect(read(digests('web')[1])).toMatch(/\b2\b/u);
    expect(read(digests('web')[1])).toMatchSnapshot();
    await passDays(1);
    expect(cameAt('web').at(-1)).toBe('2026-11-20T08:00');
    expect(digests('web')).toHaveLength(3);
  });
});

it('two channels have their digests at nine, each by its own clock', async () => {
  await begin('2026-11-18T12:00:00');
  await world.gig('web', 'digest at 09:00 Europe/Berlin');
  await world.gig('data', 'digest at 09:00 America/New_York');
  await passDays(2);
  expect(cameAt('web')).toEqual(['2026-11-19T08:00', '2026-11-20T08:00']);
  expect(cameAt('data')).toEqual(['2026-11-18T14:00', '2026-11-19T14:00']);
  await world.gig('web', 'digest off');
  await passDays(4);
  expect(digests('web')).toHaveLength(2);
  expect(cameAt('data')).toEqual([
    '2026-11-18T14:00',
    '2026-11-19T14:00',
    '2026-11-20T14:00',
    '2026-11-23T14:00',
  ]);
});

it('a day on which nothing happened is one line, with nothing below it', async () => {
  await begin('2026-11-20T07:30:00');
  await world.gig('web', 'digest at 09:00 Europe/Berlin');
  await world.pass(HOUR);
  const [digest] = digests('web');
  expect(read(digest)).toMatchSnapshot();
  expect(digest?.text).not.toContain('\n');
  expect(digest?.blocks ?? []).toEqual([]);
  expect(world.slack.thread('web', digest?.ts ?? '')).toHaveLength(1);
});

describe('an outage of the marketplace', () => {
  /** Text of a digest requested now. */
  async function askedNow(): Promise<string> {
    await world.gig('web', 'digest now');
    await world.pass(MINUTE);
    return read(digests('web').at(-1));
  }

  it.each([401, 500])('(%i) is said to last while it does, and to be over when it is', async (status) => {
    await begin('2026-11-20T08:50:00');
    world.marketplace.addFilter({ id: 101 });
    await world.gig('web', 'subscribe filter 101');
    await world.pass(MINUTE);
    const outage = world.marketplace.injectFault({}, presetFaults.status(status), Number.POSITIVE_INFINITY);
    await world.pass(HALF_HOUR);
    const during = await askedNow();
    expect(during).toContain('8:51 AM');
    outage.cancel();
    await world.pass(HALF_HOUR);
    const after = await askedNow();
    expect(after).toContain('8:51 AM');
    expect([during, after]).toMatchSnapshot();
  });

  it('in which the channel is paused is not said to be over', async () => {
    await begin('2026-11-20T08:50:00');
    world.marketplace.addFilter({ id: 101 });
    await world.gig('web', 'subscribe filter 101');
    await world.pass(MINUTE);
    world.marketplace.injectFault({}, presetFaults.status(401), Number.POSITIVE_INFINITY);
    await world.pass(HALF_HOUR);
    await world.gig('web', 'pause');
    expect(await askedNow()).toMatchSnapshot();
  });
});

describe('a day with news', () => {
  async function beginDay(options: WorldOptions = {}): Promise<void> {
    await begin('2026-11-20T07:50:00', { env: { DEFAULT_CHANNEL_BUDGET: '5000' }, ...options });
    world.marketplace.addFilter({ id: 101, name: 'React work' });
    await world.gig('web', 'subscribe filter 101');
    await world.gig('web', 'digest at 09:00 Europe/Berlin');
    await world.pass(MINUTE);
  }

  /** The thread of the newest digest. */
  const below = () => world.slack.thread('web', digests('web').at(-1)?.ts ?? '').slice(1);

  it('beyond Slack’s limits: one screen in the channel, unclaimed in its thread, all valid', async () => {
    await beginDay();
    const hostile = '<!channel> *[x](https://evil.example)* '.repeat(20);
    for (let number = 0; number < 180; number += 1) {
      const title = `Project ${number} ${hostile}`;
      world.marketplace.publishProject(101, { title, description: 'x'.repeat(5_000) });
      // A page has at most a hundred items of the same second.
      if (number % 60 === 59) await world.pass(MINUTE);
    }
    await world.pass(10 * MINUTE);
    const [digest] = digests('web');
    expect(digests('web')).toHaveLength(1);
    expect(wordsOf(digest ?? expect.fail('no digest'))).toMatch(/\b180\b/u);
    expect(digest?.blocks?.length).toBeLessThan(15);
    const parts = below().filter((message) => postOf(message).includes(':more:'));
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.map(wordsOf).join('\n')).toContain('Project 17');
    expect(JSON.stringify([digest, ...parts])).not.toContain('<!channel>');
    isHealthy();
  });

  it('reflects claims made by then; below it are charts, whose text has the same numbers', async () => {
    await beginDay();
    world.marketplace.publishProject(101, { title: 'Rebuild our checkout' });
    world.marketplace.publishProject(101, { title: 'A dashboard' });
    await world.pass(MINUTE);
    const card = world.cards('web')[0] ?? expect.fail('no card');
    await world.slack.press({ user: 'ada', message: card, actionId: 'card_claim' });
    await world.pass(10 * MINUTE);
    expect(read(digests('web')[0])).toMatch(/\b1 of 2\b/u);
    expect(read(digests('web')[0])).toMatchSnapshot();
    const charts = below().filter(({ blocks }) => blocks.some(({ type }) => type === 'data_visualization'));
    expect(charts.map(({ text, blocks }) => [text, blocks.map(({ type }) => type)])).toMatchSnapshot();
    isHealthy();
  });

  it('names the best five with budget and a link to the card, and opens what needs an answer', async () => {
    await beginDay();
    world.marketplace.addProfile({ id: 31, label: 'Ada Webb' });
    await world.gig('web', 'subscribe invitations 31');
    await world.pass(MINUTE);
    world.marketplace.addInvitation({ profileId: 31, title: 'Photo shop' });
    for (let number = 1; number <= 7; number += 1) {
      const client = { paymentMethodVerified: true, rating: 4 + number / 10, reviews: 30, totalHires: 9 };
      const budget = { type: 'fixed', fixedAmount: 1_000 * number, hourlyMin: 0, hourlyMax: 0 } as const;
      world.marketplace.publishProject(101, { title: `Project no. ${number}.`, client, budget });
    }
    await world.pass(9 * MINUTE);
    const digest = digests('web')[0] ?? expect.fail('no digest');
    const linkTo = (message: SlackMessage | undefined) => {
      const place = `archives/${digest.channel}/p${(message?.ts ?? '').replace('.', '')}`;
      return `https://${world.slack.team.domain}.slack.com/${place}`;
    };
    const cardOf = (title: string) => world.cards('web').find((it) => wordsOf(it).includes(title));
    for (const number of [5, 6, 7])
      expect(wordsOf(digest)).toMatch(
        new RegExp(
          `Project no. ${number}\\..*\\$${number},000.*${linkTo(cardOf(`Project no. ${number}.`))}`,
          'u',
        ),
      );
    expect(wordsOf(digest)).not.toMatch(/^6\. /mu);
    expect(wordsOf(digest)).toContain(linkTo(posted(world, 'invitation')[0]));
    expect(world.slack.apiCalls('chat.getPermalink')).toEqual([]);
    await press(world, 'Details', { message: digest }, 'ben');
    await world.pass(SECOND);
    await press(world, 'Claim', { view: viewOf(world, 'ben') }, 'ben');
    await world.pass(5 * SECOND);
    const ben = `<@${world.slack.user('ben').id}>`;
    expect(posted(world, 'invitation').map((it) => wordsOf(it).includes(ben))).toEqual([true]);
    isHealthy();
  });

  it('where Slack refuses charts, their text replaces them', async () => {
    await beginDay();
    world.slack.refuseBlocks(['data_visualization']);
    world.marketplace.publishProject(101, { title: 'A dashboard' });
    await world.pass(25 * MINUTE);
    expect(digests('web')).toHaveLength(1);
    const types = below().flatMap(({ blocks }) => blocks.map(({ type }) => type));
    expect(types).not.toContain('data_visualization');
    expect(below().map(wordsOf).join('\n')).toMatch(/Fri: 1 · Sat: 0/u);
  });

  it('a kill while Slack has taken the digest but not answered: it stands once', async () => {
    await beginDay();
    world.marketplace.publishProject(101, { title: 'A dashboard' });
    await world.pass(5 * MINUTE);
    const isDigest = (method: string, args: Readonly<Record<string, unknown>>) =>
      method === 'chat.postMessage' && JSON.stringify(args).includes('digest:');
    const held = world.slack.injectFault(isDigest, { kind: 'hold', when: 'after' });
    await world.until('the digest to be under way', () => held.held > 0, 30 * MINUTE);
    await world.crash();
    held.release();
    await world.restart();
    await world.pass(5 * MINUTE);
    expect(digests('web')).toHaveLength(1);
    expect(below().length).toBeGreaterThan(0);
  });

  it('Slack away over the hour: the digest comes once when it is back', async () => {
    await beginDay();
    world.marketplace.publishProject(101, { title: 'A dashboard' });
    await world.pass(5 * MINUTE);
    const away = world.slack.injectFault('*', { kind: 'status', status: 503 }, Number.POSITIVE_INFINITY);
    await world.pass(20 * MINUTE);
    expect(digests('web')).toEqual([]);
    away.cancel();
    await world.pass(20 * MINUTE);
    expect(digests('web')).toHaveLength(1);
  });

  it('asked for now, it comes now, besides the one by the hour', async () => {
    await beginDay();
    world.marketplace.publishProject(101, { title: 'A dashboard' });
    await world.pass(MINUTE);
    await world.gig('web', 'digest now');
    await world.pass(MINUTE);
    expect(wordsOf(digests('web')[0] ?? expect.fail('no digest'))).toContain(
      `<@${world.slack.user('ada').id}>`,
    );
    await world.pass(10 * MINUTE);
    expect(digests('web')).toHaveLength(2);
  });
});

describe('a bid that waits for approval', () => {
  it('is reviewed and approved from the digest, by those who may approve it', async () => {
    const bid = await startBidWorld({ reviews: true });
    ({ world } = bid);
    await openBid(world, bid.project);
    await submitBid(world);
    await world.pass(MINUTE);
    world.slack.addUser({ name: 'cem' });
    world.slack.invite('web', 'cem');
    await world.gig('web', 'digest now');
    await world.pass(2 * MINUTE);
    const digest = digests('web')[0] ?? expect.fail('no digest');
    for (const user of ['cem', 'ben']) {
      await press(world, 'Review', { message: digest }, user);
      await world.pass(SECOND);
      expect(wordsOfView(viewOf(world, user))).toContain('Rebuild our checkout');
      expect(viewOf(world, user).submit === undefined).toBe(user === 'cem');
    }
    expect(wordsOfView(viewOf(world, 'cem'))).toContain('Only bidders and admins');
    await world.slack.submitView({ user: 'ben', values: {} });
    await world.pass(5 * SECOND);
    expect(onlyJob(world).status).not.toBe('pending_review');
  });
});
