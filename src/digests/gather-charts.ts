/** The data of a digest's charts. Empty charts are left out. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { DAY, HOUR } from '../clock.ts';
import { channelLedgerRecords } from '../credits/records.ts';
import { resolveTimezone } from '../feed/quiet-hours.ts';
import { cards, seenProjectKey, seenProjects } from '../feed/records.ts';
import type {
  BurnChartData,
  ChartData,
  FunnelChartData,
  HoursChartData,
} from '../pictures/chart-renderer.ts';
import { localTime } from '../schedule/local-time.ts';
import { countFunnel } from '../statistics/funnel.ts';
import { scanRecordsInPages } from '../storage/store.ts';
import type { DigestsContext } from './digests.ts';
import type { DigestFacts } from './facts.ts';
import { findCreditsPaidByChannel, followedProposals } from './gather-facts.ts';

type Context = Pick<DigestsContext, 'team' | 'store' | 'credits' | 'profiles' | 'mirror' | 'timezone'>;
type Facts = Pick<DigestFacts, 'channel' | 'to' | 'timezone'>;

const DAYS = 30;
/** Purchases within an hour are one point: at most about 700 points per billing period. */
const POINT_MS = HOUR;

async function gatherBurn(
  { team, store, credits }: Context,
  { channel, to, timezone }: Facts,
): Promise<BurnChartData | undefined> {
  const { period, limit, runsOutAt } = await store.read((tx) => credits.readBudgetState(tx, channel, to));
  const { startsAt, resetsAt } = period;
  const spent: { at: number; total: number }[] = [];
  let total = 0;
  const range = { prefix: [team, channel] as const, from: [startsAt], to: [to + 1] };
  await scanRecordsInPages(store, channelLedgerRecords, range, async (_, page) => {
    for (const entry of page) {
      total += findCreditsPaidByChannel(entry, channel);
      const last = spent.at(-1);
      if (last && Math.floor(last.at / POINT_MS) === Math.floor(entry.at / POINT_MS)) spent.pop();
      spent.push({ at: entry.at, total });
    }
  });
  if (total === 0) return undefined;
  const budget = limit === 'unlimited' ? undefined : limit;
  return {
    kind: 'burn',
    timezone,
    startsAt,
    resetsAt,
    now: to,
    spent,
    ...omitUndefined({ limit: budget, runsOutAt }),
  };
}

async function gatherFunnel(
  { profiles, mirror }: Context,
  { channel, to }: Facts,
): Promise<FunnelChartData | undefined> {
  const followed = new Set((await profiles.listChannelProfileFeeds(channel)).map(({ feed }) => feed.profile));
  if (followed.size === 0) return undefined;
  const proposals = followedProposals(mirror.listNewestFirst(), followed);
  const { own, invited } = countFunnel(proposals, { from: to - DAYS * DAY, to });
  return own.sent === 0 ? undefined : { kind: 'funnel', days: DAYS, ...own, invited };
}

async function gatherHours(
  { team, store, timezone: fallback }: Context,
  { channel, to, timezone: chosen }: Facts,
): Promise<HoursChartData | undefined> {
  const timezone = resolveTimezone({ timezone: chosen }, fallback);
  const counts = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  let all = 0;
  const since = { from: [to - DAYS * DAY], to: [to] };
  const range = { index: 'byChannel', prefix: [team, channel] as const, ...since };
  await scanRecordsInPages(store, cards, range, async (tx, page) => {
    for (const card of page.filter(({ state }) => state !== 'suppressed')) {
      const seen = await tx.get(seenProjects, seenProjectKey(team, card.project));
      const at = seen?.project.publishedAt;
      if (at === undefined) continue;
      const { weekday, minute } = localTime(at, timezone);
      const hour = Math.floor(minute / 60);
      const row = counts[weekday - 1];
      if (row) row[hour] = (row[hour] ?? 0) + 1;
      all += 1;
    }
  });
  return all === 0 ? undefined : { kind: 'hours', days: DAYS, timezone, counts };
}

/** @throws StorageError */
export async function gatherCharts(context: Context, facts: Facts): Promise<readonly ChartData[]> {
  const found = [
    await gatherBurn(context, facts),
    await gatherFunnel(context, facts),
    await gatherHours(context, facts),
  ];
  return found.filter((picture) => picture !== undefined);
}
