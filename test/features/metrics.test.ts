/** `/metrics` and `/readyz` agree with Slack, the books, and the marketplace's own counts. */
import { describe, expect } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { type Desk, FILTER, PATHS } from '../kit/start-desk.ts';
import { readMetrics } from './read-metrics.ts';

const always = Number.POSITIVE_INFINITY;
const look = ({ app }: Desk) => readMetrics(app.address());

async function readiness({ app }: Desk): Promise<readonly [number, string]> {
  const answer = await globalThis.fetch(`${app.address()}/readyz`);
  return [answer.status, await answer.text()];
}

describe('after some work', () => {
  appTest(
    'the counts are those of Slack and the marketplace, and a look asks nobody',
    async ({ desk, ada, ben }) => {
      const { market, slack, pass } = desk;
      const { service } = market;
      service.addFilter({ id: 102 });
      await ada.type('/gig subscribe filter 102', 'data');
      await ada.type('/gig budget off', 'data');
      for (let count = 0; count < 4; count++) market.publish({});
      const wanted = market.publish({}, [101, 102]);
      const card = await wanted.cardIn('data');
      await ada.type(`/gig lookup ${wanted.project.ciphertext}`);
      await pass(MINUTE);
      const calls = slack.apiCalls().length;
      const page = await look(desk);
      const [one, sum] = [page.value, page.sum];
      const requests = page.all('gigdesk_marketplace_requests_total');
      expect(sum('gigdesk_marketplace_requests_total')).toBe(service.requests().length);
      expect(sum('gigdesk_marketplace_requests_total', { endpoint: PATHS.lookup })).toBe(1);
      for (const { labels } of requests) expect(labels['endpoint']).toMatch(/^\//u);
      const { total } = service.consumedCredits();
      expect(total).toBeGreaterThan(4);
      expect(sum('gigdesk_channel_credits_settled')).toBe(total);
      expect(sum('gigdesk_channel_credits_reserved')).toBe(0);
      expect(one('gigdesk_account_credits_by_channels')).toBe(total);
      expect(one('gigdesk_account_credits_outside')).toBe(0);
      expect(one('gigdesk_account_credits_remaining')).toBe(service.creditsRemaining());
      expect(one('gigdesk_account_reset_timestamp_seconds') * SECOND).toBe(service.creditsResetAt());
      expect(one('gigdesk_channel_credits_limit', { channel: slack.channel('web').id })).toBe(500);
      expect(one('gigdesk_channel_credits_limit', { channel: slack.channel('data').id })).toBe(always);
      const standing = ['web', 'data'].flatMap((name) => slack.messages(name).filter((it) => it.metadata));
      expect(one('gigdesk_deliveries_total', { outcome: 'posted' })).toBe(standing.length);
      expect(one('gigdesk_deliveries_total', { outcome: 'failed' })).toBe(0);
      expect(one('gigdesk_deliveries_waiting')).toBe(0);
      expect(one('gigdesk_deliveries_waiting_seconds')).toBe(0);
      const commands = slack.sentRequests().filter(({ type }) => type === 'slash_commands');
      expect(one('gigdesk_acknowledgement_seconds_count', { kind: 'command' })).toBe(commands.length);
      expect(one('gigdesk_acknowledgement_seconds_sum', { kind: 'command' })).toBe(0);
      expect(sum('gigdesk_failures_total')).toBe(0);
      const asked = service.requests().length;
      await Promise.all(Array.from({ length: 20 }, () => look(desk)));
      expect(service.requests()).toHaveLength(asked);
      expect(slack.apiCalls()).toHaveLength(calls);
      await ben.press(card, 'Claim');
      const updated = { outcome: 'updated' };
      const after = (await look(desk)).value('gigdesk_deliveries_total', updated);
      // Its cards in both channels.
      expect(after - one('gigdesk_deliveries_total', updated)).toBe(2);
    },
  );
});

describe('trouble', () => {
  appTest(
    'of the marketplace shows in lag and counts, and ends',
    async ({ desk, app, market, ada, pass }) => {
      const lag = { filter: String(FILTER.id) };
      expect((await look(desk)).value('gigdesk_feed_lag_seconds', lag)).toBeLessThan(31);
      market.fail(PATHS.projects, presetFaults.status(503), always);
      await pass(20 * MINUTE);
      const down = await look(desk);
      expect(down.value('gigdesk_feed_lag_seconds', lag)).toBeGreaterThanOrEqual(20 * 60);
      expect(down.value('gigdesk_feed_filters_failing')).toBe(1);
      expect(down.sum('gigdesk_marketplace_requests_total', { outcome: 'server' })).toBeGreaterThan(3);
      expect(down.value('gigdesk_log_lines_total', { level: 'warn' })).toBeGreaterThan(3);
      market.service.clearFaults();
      await pass(5 * MINUTE);
      const up = await look(desk);
      expect(up.value('gigdesk_feed_filters_failing')).toBe(0);
      expect(up.value('gigdesk_feed_lag_seconds', lag)).toBeLessThan(5 * 60);
      market.fail(PATHS.projects, presetFaults.rateLimited('90'));
      await app.until('the pause', () => app.logLines.some((line) => line.includes('rate-limited')));
      const limited = await look(desk);
      expect(limited.value('gigdesk_marketplace_pause_seconds')).toBeGreaterThan(80);
      expect(limited.sum('gigdesk_marketplace_requests_total', { outcome: 'rate-limited' })).toBe(1);
      await ada.type('/gig pause');
      await pass(HOUR);
      expect((await look(desk)).all('gigdesk_feed_lag_seconds')).toEqual([]);
    },
  );

  appTest('of Slack and of the disk shows, too', async ({ desk, app, slack, market, ada, pass }) => {
    app.room.full = true;
    await ada.type('/gig budget 300');
    await pass(MINUTE);
    const full = await look(desk);
    expect(full.value('gigdesk_failures_total', { kind: 'command', code: 'full' })).toBe(1);
    expect(full.value('gigdesk_store_writable')).toBe(0);
    app.room.full = false;
    await pass(MINUTE);
    expect((await look(desk)).value('gigdesk_store_writable')).toBe(1);
    slack.injectFault('chat.postMessage', { kind: 'error', error: 'invalid_auth' }, always);
    market.publish();
    await pass(10 * MINUTE);
    const page = await look(desk);
    expect(page.value('gigdesk_deliveries_waiting')).toBeGreaterThan(0);
    expect(page.value('gigdesk_deliveries_waiting_seconds')).toBeGreaterThan(8 * 60);
    expect(page.value('gigdesk_deliveries_total', { outcome: 'refused' })).toBeGreaterThan(0);
  });
});

describe('whether it is ready', () => {
  appTest(
    'is answered by the connection to Slack; it is alive all the time',
    async ({ desk, app, slack, pass }) => {
      expect(await readiness(desk)).toEqual([200, 'ready\n']);
      const page = await look(desk);
      expect(page.value('gigdesk_ready')).toBe(1);
      expect(page.value('gigdesk_slack_connected')).toBe(1);
      expect(page.value('gigdesk_feed_filters')).toBe(1);
      slack.refuseSockets('internal_error');
      slack.cutSockets();
      await pass(SECOND);
      expect(await readiness(desk)).toEqual([503, 'not ready: Slack is not connected\n']);
      expect((await look(desk)).value('gigdesk_ready')).toBe(0);
      expect((await globalThis.fetch(`${app.address()}/healthz`)).status).toBe(200);
      slack.refuseSockets(undefined);
      await pass(MINUTE);
      expect(await readiness(desk)).toEqual([200, 'ready\n']);
    },
  );

  appTestWith({ mode: 'http', empty: true })('is answered in HTTP mode, too', async ({ desk }) => {
    expect(await readiness(desk)).toEqual([200, 'ready\n']);
    expect((await look(desk)).value('gigdesk_slack_connected')).toBe(1);
  });
});
