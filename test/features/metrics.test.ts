/** `/metrics` and `/readyz` agree with Slack, the books, and the marketplace's own counts. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { MARKETPLACE_ENDPOINTS } from '../../src/metrics/event-counters.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { type MetricsPage, readMetrics } from './read-metrics.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101 });
  world.marketplace.addFilter({ id: 102 });
});
afterEach(() => world.stop());

function look(): Promise<MetricsPage> {
  return readMetrics(world.address());
}

async function readiness(): Promise<readonly [number, string]> {
  const answer = await globalThis.fetch(`${world.address()}/readyz`);
  return [answer.status, await answer.text()];
}

function idOf(name: string): string {
  return world.slack.channel(name).id;
}

async function work(): Promise<void> {
  await world.gig('web', 'subscribe filter 101');
  await world.gig('data', 'subscribe filter 102');
  await world.gig('data', 'budget off');
  await world.pass(30 * SECOND);
  for (let count = 0; count < 4; count++) world.marketplace.publishProject(101);
  const wanted = world.marketplace.publishProject([101, 102]);
  await world.until('all cards', () => world.told('web').length === 5 && world.told('data').length === 1);
  await world.gig('web', `lookup ${wanted.ciphertext}`);
  await world.pass(MINUTE);
}

describe('after some work', () => {
  beforeEach(work);

  it('requests by endpoint are those that the marketplace has seen, and none is nameless', async () => {
    const page = await look();
    const seen = world.marketplace.requests();
    expect(page.sum('gigdesk_marketplace_requests_total')).toBe(seen.length);
    expect(page.sum('gigdesk_marketplace_requests_total', { endpoint: '/projects/lookup' })).toBe(1);
    const told = page.all('gigdesk_marketplace_requests_total').map(({ labels }) => labels['endpoint']);
    expect(MARKETPLACE_ENDPOINTS).toEqual(expect.arrayContaining(told));
  });

  it('credits of each channel and of the account are those of the marketplace', async () => {
    const page = await look();
    const total = world.marketplace.consumedCredits().total;
    expect(total).toBeGreaterThan(4);
    expect(page.sum('gigdesk_channel_credits_settled')).toBe(total);
    expect(page.value('gigdesk_account_credits_by_channels')).toBe(total);
    expect(page.value('gigdesk_account_credits_outside')).toBe(0);
    expect(page.value('gigdesk_account_credits_remaining')).toBe(world.marketplace.creditsRemaining());
    expect(page.value('gigdesk_account_reset_timestamp_seconds') * SECOND).toBe(
      world.marketplace.creditsResetAt(),
    );
    expect(page.sum('gigdesk_channel_credits_reserved')).toBe(0);
    expect(page.value('gigdesk_channel_credits_limit', { channel: idOf('web') })).toBe(500);
    expect(page.value('gigdesk_channel_credits_limit', { channel: idOf('data') })).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  it('posted messages are those that stand in the channels, and nothing waits', async () => {
    const page = await look();
    const standing = ['web', 'data'].flatMap((name) =>
      world.slack.messages(name).filter((it) => it.metadata),
    );
    expect(page.value('gigdesk_deliveries_total', { outcome: 'posted' })).toBe(standing.length);
    expect(page.value('gigdesk_deliveries_total', { outcome: 'failed' })).toBe(0);
    expect(page.value('gigdesk_deliveries_waiting')).toBe(0);
    expect(page.value('gigdesk_deliveries_waiting_seconds')).toBe(0);
  });

  it('each command was acknowledged at once', async () => {
    const page = await look();
    expect(page.value('gigdesk_acknowledgement_seconds_count', { kind: 'command' })).toBe(4);
    expect(page.value('gigdesk_acknowledgement_seconds_sum', { kind: 'command' })).toBe(0);
    expect(page.sum('gigdesk_failures_total')).toBe(0);
  });

  it('an update of a card counts as one', async () => {
    const before = await look();
    const [card] = world.cards('web');
    if (!card) throw new Error('no card');
    await world.slack.press({ user: 'ben', message: card, actionId: actionIds.claim });
    await world.pass(10 * SECOND);
    const updated = (page: MetricsPage) => page.value('gigdesk_deliveries_total', { outcome: 'updated' });
    expect(updated(await look()) - updated(before)).toBe(1);
  });

  it('a look asks nobody and leaves the store as it is', async () => {
    const requests = world.marketplace.requests().length;
    const calls = world.slack.apiCalls().length;
    await Promise.all(Array.from({ length: 20 }, look));
    expect(world.marketplace.requests()).toHaveLength(requests);
    expect(world.slack.apiCalls()).toHaveLength(calls);
  });
});

describe('trouble', () => {
  beforeEach(async () => {
    await world.gig('web', 'subscribe filter 101');
    await world.pass(30 * SECOND);
  });

  it('the lag grows while the marketplace is down, ends after it, and skips paused channels', async () => {
    expect((await look()).value('gigdesk_feed_lag_seconds', { filter: '101' })).toBeLessThan(31);
    world.marketplace.injectFault(
      { path: '/filters/*/projects' },
      presetFaults.status(503),
      Number.POSITIVE_INFINITY,
    );
    await world.pass(20 * MINUTE);
    const down = await look();
    expect(down.value('gigdesk_feed_lag_seconds', { filter: '101' })).toBeGreaterThanOrEqual(20 * 60);
    expect(down.value('gigdesk_feed_filters_failing')).toBe(1);
    expect(down.sum('gigdesk_marketplace_requests_total', { outcome: 'server' })).toBeGreaterThan(3);
    expect(down.value('gigdesk_log_lines_total', { level: 'warn' })).toBeGreaterThan(3);
    world.marketplace.clearFaults();
    await world.pass(5 * MINUTE);
    const up = await look();
    expect(up.value('gigdesk_feed_filters_failing')).toBe(0);
    expect(up.value('gigdesk_feed_lag_seconds', { filter: '101' })).toBeLessThan(5 * 60);
    await world.gig('web', 'pause');
    await world.pass(HOUR);
    expect((await look()).all('gigdesk_feed_lag_seconds')).toEqual([]);
  });

  it('a 429 shows in the window and in the pause', async () => {
    world.marketplace.injectFault({ path: '/filters/*/projects' }, presetFaults.rateLimited('90'));
    await world.until('the pause', () => world.logLines.some((line) => line.includes('rate-limited')));
    const page = await look();
    expect(page.value('gigdesk_marketplace_pause_seconds')).toBeGreaterThan(80);
    expect(page.sum('gigdesk_marketplace_requests_total', { outcome: 'rate-limited' })).toBe(1);
  });

  it('messages that Slack refuses wait, and are told with how long', async () => {
    world.slack.injectFault(
      'chat.postMessage',
      { kind: 'error', error: 'invalid_auth' },
      Number.POSITIVE_INFINITY,
    );
    world.marketplace.publishProject(101);
    await world.pass(10 * MINUTE);
    const page = await look();
    expect(page.value('gigdesk_deliveries_waiting')).toBeGreaterThan(0);
    expect(page.value('gigdesk_deliveries_waiting_seconds')).toBeGreaterThan(8 * 60);
    expect(page.value('gigdesk_deliveries_total', { outcome: 'refused' })).toBeGreaterThan(0);
  });

  it('a failure that somebody is told of is counted with its code', async () => {
    world.room.full = true;
    await world.gig('web', 'budget 300');
    await world.pass(MINUTE);
    expect((await look()).value('gigdesk_failures_total', { kind: 'command', code: 'full' })).toBe(1);
    expect((await look()).value('gigdesk_store_writable')).toBe(0);
    world.room.full = false;
    await world.pass(MINUTE);
    expect((await look()).value('gigdesk_store_writable')).toBe(1);
  });
});

describe('whether it is ready', () => {
  it('while all is connected', async () => {
    expect(await readiness()).toEqual([200, 'ready\n']);
    const page = await look();
    expect(page.value('gigdesk_ready')).toBe(1);
    expect(page.value('gigdesk_slack_connected')).toBe(1);
    expect(page.value('gigdesk_feed_filters')).toBe(0);
  });

  it('without a connection to Slack it is not, and says so; it is alive all the time', async () => {
    world.slack.refuseSockets('internal_error');
    world.slack.cutSockets();
    await world.pass(SECOND);
    const [status, words] = await readiness();
    expect(status).toBe(503);
    expect(words).toMatchSnapshot();
    expect((await look()).value('gigdesk_ready')).toBe(0);
    expect((await globalThis.fetch(`${world.address()}/healthz`)).status).toBe(200);
    world.slack.refuseSockets(undefined);
    await world.pass(MINUTE);
    expect(await readiness()).toEqual([200, 'ready\n']);
  });
});

it('both are answered in HTTP mode, too', async () => {
  const other = await startWorld({ mode: 'http' });
  expect((await globalThis.fetch(`${other.address()}/readyz`)).status).toBe(200);
  expect((await readMetrics(other.address())).value('gigdesk_slack_connected')).toBe(1);
  await other.stop();
});
