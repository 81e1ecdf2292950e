import { readFileSync } from 'node:fs';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { ChannelId, FilterId, toCredits } from '../../src/ids.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import {
  createEventCounters,
  MARKETPLACE_ENDPOINTS,
  normalizeEndpoint,
} from '../../src/metrics/event-counters.ts';
import { MAX_LABEL_VALUES, PROCESS_GAUGES, WORKSPACE_GAUGES } from '../../src/metrics/gauges.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { judgeReadiness, type WorkspaceSnapshot } from '../../src/metrics/metrics-snapshot.ts';
import { SlackCallError } from '../../src/slack/core/errors.ts';

const { metricNames } = createMetrics();
const GAUGES = [...PROCESS_GAUGES, ...WORKSPACE_GAUGES];

describe('the names', () => {
  it('say whose they are and their unit, and are explained', () => {
    for (const name of metricNames) expect(name).toMatch(/^gigdesk_[a-z0-9_]+$/);
    for (const { help } of GAUGES) expect(help).toMatch(/^[A-Z01].{15,}\.$/);
  });

  it.each(['docs/operations.md', 'docs/scale.md'])('are those that the alerts of %s use', (page) => {
    const used = readFileSync(page, 'utf8').match(/\bgigdesk_\w+/gu) ?? [];
    const known = metricNames.flatMap((name) => [name, `${name}_bucket`]);
    expect(used.length).toBeGreaterThan(3);
    expect(used.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('endpoints', () => {
  it('cover every path that the client asks for', () => {
    const client = readFileSync('src/marketplace/http-client.ts', 'utf8');
    const paths = [...client.matchAll(/(?:(?:get|getOnce|post)\(|path: )[`'](\/[^`']+)[`']/g)].map(
      ([, path = '']) => path.replaceAll(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '7'),
    );
    expect(paths.length).toBeGreaterThan(12);
    expect(paths.filter((path) => path !== '/7' && normalizeEndpoint(path) === 'other')).toEqual([]);
  });

  it('tell a list, one of it and an action apart', () => {
    expect(normalizeEndpoint('/proposals')).toBe('/proposals');
    expect(normalizeEndpoint('/proposals/77')).toBe('/proposals/{id}');
    expect(normalizeEndpoint('/proposals/by-uid/a%2Fb')).toBe('/proposals/by-uid/{uid}');
    expect(normalizeEndpoint('/auto-bidding/jobs/create')).toBe('/auto-bidding/jobs/create');
    expect(normalizeEndpoint('/something/else')).toBe('other');
    expect(new Set(MARKETPLACE_ENDPOINTS).size).toBe(MARKETPLACE_ENDPOINTS.length);
  });
});

function samplesOf(name: string, facts: Partial<WorkspaceSnapshot>) {
  const row = WORKSPACE_GAUGES.find((it) => it.name === name);
  if (!row) throw new Error(`no ${name}`);
  return row.samples(facts as WorkspaceSnapshot);
}

describe('however many there are', () => {
  it('filters have a line for the hundred that lag most', () => {
    const lags = Array.from({ length: 1_000 }, (_, index) => ({
      filter: FilterId.parse(index + 1),
      lagMs: index * 1_000,
      isFailing: false,
    }));
    const samples = samplesOf('gigdesk_feed_lag_seconds', { lags });
    expect(samples).toHaveLength(MAX_LABEL_VALUES);
    expect(samples[0]).toEqual({ value: 999, labels: { filter: '1000' } });
    expect(samplesOf('gigdesk_feed_filters', { lags })).toEqual([{ value: 1_000 }]);
  });

  it('channels get a line for each of the top hundred spenders and one for the rest, so sums match', () => {
    const budgets = Array.from({ length: 250 }, (_, index) => ({
      channel: ChannelId.parse(`C${index}`),
      limit: toCredits(500),
      settled: index,
      reserved: 0,
      available: 0,
      period: { startsAt: 0, resetsAt: 1, confirmed: true },
    }));
    const samples = samplesOf('gigdesk_channel_credits_settled', { budgets });
    expect(samples).toHaveLength(MAX_LABEL_VALUES + 1);
    expect(samples.at(-1)?.labels).toEqual({ channel: 'other' });
    expect(samples.reduce((sum, { value }) => sum + value, 0)).toBe((249 * 250) / 2);
    expect(samplesOf('gigdesk_channel_credits_limit', { budgets })).toHaveLength(MAX_LABEL_VALUES);
  });
});

describe('counts', () => {
  it('name no view, no path and no code that others choose: their lines are bounded', async () => {
    const registry = new Registry();
    const counts = createEventCounters(registry);
    counts.failed('view form-5', new Error('of ~0123'));
    counts.failed('something new', new MarketplaceError('server', 'unknown', 'down'));
    counts.failed('command', new SlackCallError('code_of_next_year', 'refused'));
    counts.countRequest({ path: '/a/b/c/d', outcome: 'ok' });
    const lines = (await registry.metrics()).split('\n');
    expect(lines.filter((line) => line.startsWith('gigdesk_failures_total'))).toEqual([
      'gigdesk_failures_total{kind="view",code="fault"} 1',
      'gigdesk_failures_total{kind="other",code="server"} 1',
      'gigdesk_failures_total{kind="command",code="slack"} 1',
    ]);
    expect(lines).toContain('gigdesk_marketplace_requests_total{endpoint="other",outcome="ok"} 1');
  });

  it('of lines of the log leave the log as it is', async () => {
    const registry = new Registry();
    const told: string[] = [];
    const write = (message: string) => void told.push(message);
    const log = createEventCounters(registry).countLogLines({
      debug: write,
      info: write,
      warn: write,
      error: write,
    });
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    log.error('e');
    expect(told).toEqual(['a', 'b', 'c', 'd', 'e']);
    const text = await registry.metrics();
    expect(text).toContain(
      'gigdesk_log_lines_total{level="warn"} 1\ngigdesk_log_lines_total{level="error"} 2',
    );
  });
});

describe('readiness', () => {
  const well = {
    isStopping: false,
    isStoreOpen: true,
    isSlackConnected: true,
    isFeedRunning: true,
    isClockRight: true,
  };

  it('is there when nothing is missing', () => {
    expect(judgeReadiness(well)).toEqual({ isReady: true, message: 'ready' });
  });

  it('names all that is missing at once', () => {
    const ill = {
      isStopping: true,
      isStoreOpen: false,
      isSlackConnected: false,
      isFeedRunning: false,
      isClockRight: false,
    };
    const judged = judgeReadiness(ill);
    expect(judged.isReady).toBe(false);
    expect(judged.message.split('; ')).toHaveLength(5);
    expect(judged.message).toMatchSnapshot();
    expect(judgeReadiness({ ...well, isStoreOpen: false }).message.split('; ')).toHaveLength(1);
  });
});
