import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { describeMarketplaceFailure } from '../../src/slack/kit/words/marketplace-failure.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { firstSign } from './as-read.ts';
import { noticesIn } from './notices.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101 });
  world.marketplace.addFilter({ id: 102 });
  await world.gig('web', 'subscribe filter 101');
  await world.gig('web', 'subscribe filter 102');
  await world.gig('data', 'subscribe filter 101');
  await world.pass(30 * SECOND);
});
afterEach(() => world.stop());

function publishSome(count: number): string[] {
  return Array.from({ length: count }, () => world.marketplace.publishProject([101, 102]).ciphertext);
}

function heard(channel: string): string[] {
  const mine = world.slack
    .messages(channel)
    .filter((it) => it.byBot && !it.metadata?.event_payload['post']?.toString().startsWith('card:'));
  return mine.map(wordsOf);
}

it('a pause after a 429 is what the status begins with, until it is over', async () => {
  const refusal = world.marketplace.injectFault(
    { path: '/filters/*/projects' },
    presetFaults.rateLimited('40'),
  );
  await world.until('a refused poll', () => refusal.hits() > 0);
  await world.pass(10 * SECOND);
  const status = await world.gig('web', 'status');
  expect(status.split('\n')[0]).toMatch(/\b(?:2\d|30|31) s/u);
  expect(firstSign(status)).not.toBe('white_check_mark');
  await world.pass(3 * MINUTE);
  const well = await world.gig('web', 'status');
  expect(firstSign(well)).toBe('white_check_mark');
  expect(well.split('\n')[0]).toMatch(/\b2\b/u);
});

describe('every fault of the marketplace', () => {
  const projects = { path: '/filters/*/projects' };
  const cases = [
    ['429 with Retry-After', () => world.marketplace.injectFault(projects, presetFaults.rateLimited('7'), 3)],
    ['429 without Retry-After', () => world.marketplace.injectFault(projects, presetFaults.rateLimited(), 3)],
    ['5xx', () => world.marketplace.injectFault(projects, presetFaults.status(503), 5)],
    ['a gateway’s page', () => world.marketplace.injectFault(projects, presetFaults.html(), 4)],
    ['JSON of another shape', () => world.marketplace.injectFault(projects, presetFaults.wrongJson(), 2)],
    [
      'a server error after the effect',
      () => world.marketplace.injectFault(projects, presetFaults.errorAfterEffect(), 2),
    ],
    ['a broken body', () => world.marketplace.injectFault(projects, { kind: 'break-body' }, 3)],
    [
      'a huge body',
      () => world.marketplace.injectFault(projects, { kind: 'huge-body', bytes: 9 * 2 ** 20 }, 2),
    ],
    [
      'a connection dropped before',
      () => world.marketplace.injectFault(projects, { kind: 'drop', when: 'before' }, 4),
    ],
    [
      'a connection dropped after',
      () => world.marketplace.injectFault(projects, { kind: 'drop', when: 'after' }, 4),
    ],
    ['slow headers', () => world.marketplace.injectFault(projects, { kind: 'hold-headers', ms: 4_000 }, 2)],
    ['a slow body', () => world.marketplace.injectFault(projects, { kind: 'hold-body', ms: 4_000 }, 2)],
    ['latest_published_ts ignored', () => world.marketplace.setModes({ ignoreLatestPublishedTs: true })],
    ['limit refused', () => world.marketplace.setModes({ refuseLimit: true })],
    ['extra fields', () => world.marketplace.setModes({ extraFields: true })],
    ['missing fields', () => world.marketplace.setModes({ missingFields: true })],
    ['null fields', () => world.marketplace.setModes({ nullFields: true })],
    ['oldest first', () => world.marketplace.setModes({ oldestFirst: true })],
    ['skills as an array', () => world.marketplace.setModes({ skillsAsArray: true })],
  ] as const;

  it.each(cases)('%s: every project arrives once', async (_, order) => {
    order();
    const told = publishSome(5);
    await world.until('the first', () => world.told('data').length === 5, 10 * MINUTE);
    told.push(...publishSome(2));
    await world.until('the others', () => world.told('data').length === 7, 5 * MINUTE);
    await world.pass(MINUTE);
    expect(world.told('web').toSorted()).toEqual(told.toSorted());
    expect(world.told('data').toSorted()).toEqual(told.toSorted());
    expect(world.marketplace.maxRequestsInAnyMinute()).toBeLessThanOrEqual(30);
    expect(world.slack.failedCalls()).toEqual([]);
  });

  it('urls that are redirects with a pid: every project arrives once', async () => {
    world.marketplace.setModes({ redirectUrls: true });
    const published = publishSome(5);
    await world.pass(5 * MINUTE);
    expect(world.told('web')).toHaveLength(published.length);
    expect(new Set(world.told('web')).size).toBe(published.length);
  });
});

describe('429 storms', () => {
  it('with a real limit of 5 a minute: nothing is lost, and the limit is found', async () => {
    world.marketplace.setRequestsPerMinute(5);
    const told = publishSome(4);
    await world.pass(20 * MINUTE);
    told.push(...publishSome(3));
    await world.pass(10 * MINUTE);
    expect(world.told('web').toSorted()).toEqual(told.toSorted());
    const late = world.marketplace.requests().filter((it) => it.at > world.clock.now() - 9 * MINUTE);
    expect(late.filter((it) => it.status === 429).length).toBeLessThanOrEqual(1);
  });
});

describe('what can’t be helped by waiting a moment', () => {
  it.each([
    [
      'the API down',
      () => world.marketplace.injectFault({}, presetFaults.status(500), Number.POSITIVE_INFINITY),
      'server',
    ],
    [
      'a token refused',
      () => world.marketplace.injectFault({}, presetFaults.status(401), Number.POSITIVE_INFINITY),
      'unauthorised',
    ],
    ['an inactive subscription', () => world.marketplace.setInactive(true), 'subscription-inactive'],
  ] as const)(
    '%s: each channel hears it once, status shows it, and the feed resumes by itself',
    async (_, order, code) => {
      const before = { web: heard('web').length, data: heard('data').length };
      order();
      const told = publishSome(2);
      await world.pass(30 * MINUTE);
      const news = heard('web').slice(before.web);
      expect(news).toHaveLength(1);
      expect(news[0]).toContain(describeMarketplaceFailure(code).what);
      expect(heard('data').slice(before.data)).toHaveLength(1);
      expect(await world.gig('web', 'status')).toContain(describeMarketplaceFailure(code).what);

      world.marketplace.clearFaults();
      world.marketplace.setInactive(false);
      told.push(...publishSome(1));
      await world.pass(10 * MINUTE);
      expect(world.told('web').toSorted()).toEqual(told.toSorted());
      expect(heard('web').slice(before.web)).toHaveLength(2);
    },
  );

  it('no account credits: each channel gets one notice, and the feed resumes after a top-up', async () => {
    const before = heard('web').length;
    world.marketplace.setCredits(0);
    const told = publishSome(3);
    await world.pass(30 * MINUTE);
    expect(await noticesIn(world, 'account-credits-spent')).toHaveLength(1);
    expect(heard('web')).toHaveLength(before + 1);
    expect(firstSign(await world.gig('web', 'status'))).not.toBe('white_check_mark');
    world.marketplace.topUpCredits(500);
    await world.until('the backlog', () => world.told('web').length === told.length, 2 * HOUR);
    expect(world.told('web').toSorted()).toEqual(told.toSorted());
  });
});

describe('secrets', () => {
  it('stand in no log line, whatever went wrong', async () => {
    world.marketplace.injectFault({}, presetFaults.status(401), 2);
    world.marketplace.injectFault({}, { kind: 'drop', when: 'after' }, 2);
    world.slack.injectFault('chat.*', { kind: 'status', status: 500, when: 'before' }, 2);
    publishSome(3);
    await world.pass(10 * MINUTE);
    const log = world.logLines.join('\n');
    for (const secret of [world.marketplace.token, world.slack.botToken, world.slack.appToken])
      expect(log).not.toContain(secret);
    expect(log).not.toMatch(/hooks\.slack|response_url":"http/);
  });
});
