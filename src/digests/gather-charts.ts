/** The numbers of a digest's charts. Charts without data are left out. */

import { DAY } from '../clock.ts';
import type { CreditsService } from '../credits/create-credits.ts';
import { channelLedgerRecords, findCreditsPaidByChannel } from '../credits/records.ts';
import { cards, seenProjects } from '../feed/records.ts';
import type { ProfileFeedService } from '../profiles/profiles.ts';
import type { ProposalMirror } from '../proposals/mirror.ts';
import { addDays, daysBetween, type LocalDay, localTime } from '../schedule/local-time.ts';
import { countStages, proposalsOfProfiles } from '../statistics/stages.ts';
import { scanRecordsInPages } from '../storage/store.ts';
import type { Workspace } from '../workspace.ts';
import type { DigestCharts, DigestFacts } from './facts.ts';

export interface ChartsContext extends Pick<Workspace, 'store'> {
  readonly credits: Pick<CreditsService, 'readBudgetState' | 'readAccountState'>;
  readonly profiles: Pick<ProfileFeedService, 'listChannelProfileFeeds'>;
  readonly mirror: Pick<ProposalMirror, 'listNewestFirst' | 'isLoaded' | 'estimateProgress'>;
}

type Facts = Pick<DigestFacts, 'channel' | 'to' | 'timezone'>;

const DAYS = 30;
/** Slack's charts take no more points. */
const MOST_POINTS = 20;
const BUCKET_MINUTES = 120;

/** From the second day of the billing period on: a line needs two points. */
async function gatherBurn({ store, credits }: ChartsContext, { channel, to, timezone }: Facts) {
  const { period, limit, pool } = await store.read((tx) => credits.readBudgetState(tx, channel, to));
  const { startsAt, resetsAt } = period;
  const dayOf = (at: number) => localTime(at, timezone).day;
  const paidOn = new Map<LocalDay, number>();
  const range = { prefix: [channel] as const, from: [startsAt], to: [to + 1] };
  await scanRecordsInPages(store, channelLedgerRecords, range, async (_, page) => {
    for (const entry of page) {
      const day = dayOf(entry.at);
      paidOn.set(day, (paidOn.get(day) ?? 0) + findCreditsPaidByChannel(entry, channel));
    }
  });
  const first = dayOf(startsAt);
  const allDays = Math.max(1, daysBetween(first, dayOf(resetsAt)));
  const budget = pool || limit === 'unlimited' ? undefined : limit;
  let spent = 0;
  const days = Array.from({ length: daysBetween(first, dayOf(Math.min(to, resetsAt))) + 1 }, (_, at) => {
    const day = addDays(first, at);
    spent += paidOn.get(day) ?? 0;
    const pace = budget && Math.round((budget * Math.min(allDays, at + 1)) / allDays);
    return { day, spent, pace };
  });
  if (spent === 0 || days.length < 2) return undefined;
  // Evenly chosen, with the first and the last.
  const step = (days.length - 1) / (MOST_POINTS - 1);
  const kept = new Set(Array.from({ length: MOST_POINTS }, (_, at) => Math.round(at * step)));
  return days.filter((_, at) => kept.has(at));
}

async function gatherStages({ profiles, mirror }: ChartsContext, { channel, to }: Facts) {
  const followed = new Set((await profiles.listChannelProfileFeeds(channel)).map(({ feed }) => feed.profile));
  const proposals = proposalsOfProfiles(mirror.listNewestFirst(), followed);
  const { own, invited } = countStages(proposals, { from: to - DAYS * DAY, to });
  return own.sent === 0 ? undefined : { days: DAYS, ...own, invited };
}

async function gatherArrivals({ store }: ChartsContext, { channel, to, timezone }: Facts) {
  const byTime = Array.from({ length: (24 * 60) / BUCKET_MINUTES }, () => 0);
  const byWeekday = Array.from({ length: 7 }, () => 0);
  const count = (counts: number[], at: number) => {
    counts[at] = (counts[at] ?? 0) + 1;
  };
  const since = { from: [to - DAYS * DAY], to: [to] };
  const range = { index: 'byChannel', prefix: [channel] as const, ...since };
  await scanRecordsInPages(store, cards, range, async (tx, page) => {
    for (const card of page.filter(({ state }) => state !== 'suppressed')) {
      const seen = await tx.get(seenProjects, [card.project]);
      const at = seen?.project.publishedAt;
      if (at === undefined) continue;
      const { weekday, minute } = localTime(at, timezone);
      count(byTime, Math.floor(minute / BUCKET_MINUTES));
      count(byWeekday, weekday - 1);
    }
  });
  return byWeekday.every((projects) => projects === 0) ? undefined : { days: DAYS, byTime, byWeekday };
}

/** @throws StorageError */
export async function gatherCharts(context: ChartsContext, facts: Facts): Promise<DigestCharts> {
  return {
    burn: await gatherBurn(context, facts),
    stages: await gatherStages(context, facts),
    arrivals: await gatherArrivals(context, facts),
  };
}
