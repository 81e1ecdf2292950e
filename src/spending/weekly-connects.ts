/**
 * Counts the connects of a week, in the transaction of what changes them: reserved before a bid is sent,
 * corrected when its cost is known, released when nothing was spent.
 */
import { DAY, type Instant } from '../clock.ts';
import type { ChannelId, TeamId, UserId } from '../ids.ts';
import { enqueueNotice } from '../outbox/outbox.ts';
import { deleteOldRecords } from '../storage/delete-old-records.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { findExceededCap, findWeek, isNearCap } from './decide-rules.ts';
import { type ConnectsUse, connectsUses, connectsWeekKey, connectsWeeks } from './records.ts';
import { type CapExceeded, readSpendingRules } from './spending.ts';

/** Far longer than a proposal takes to show what it spent. */
const KEPT_MS = 60 * DAY;
const CLEARED_AT_ONCE = 5;
const WHOLE_CHANNEL = 'channel';

export interface Reservation {
  readonly team: TeamId;
  readonly channel: ChannelId;
  /** Whose connects they are. */
  readonly user: UserId;
  /** `bid:<id>` or `job:<id>`: reserving again replaces the earlier amount. */
  readonly ref: string;
  readonly connects: number;
  readonly at: Instant;
  /** The channel's. */
  readonly timezone: string;
}

async function readTotal(
  tx: ReadTransaction,
  { team, channel, week }: Pick<ConnectsUse, 'team' | 'channel' | 'week'>,
  subject: string,
): Promise<number> {
  return (await tx.get(connectsWeeks, connectsWeekKey({ team, channel, subject, week })))?.connects ?? 0;
}

/** Of the channel, or of one person in it. */
export function readConnectsOfWeek(
  tx: ReadTransaction,
  place: { readonly team: TeamId; readonly channel: ChannelId; readonly user?: UserId },
  at: Instant,
  timezone: string,
): Promise<number> {
  const { user = WHOLE_CHANNEL, ...rest } = place;
  return readTotal(tx, { ...rest, week: findWeek(at, timezone) }, user);
}

/** Reserves a bid's connects. @returns the cap that it would exceed: then nothing is stored */
export async function reserveConnects(
  tx: Transaction,
  reservation: Reservation,
): Promise<CapExceeded | undefined> {
  const { team, channel, user, ref, connects, at, timezone } = reservation;
  const week = findWeek(at, timezone);
  const rules = await readSpendingRules(tx, team, channel);
  const before = await tx.get(connectsUses, [team, ref]);
  const own = (subject: string): number => {
    const isSame = before?.channel === channel && before.week === week;
    return isSame && (subject === WHOLE_CHANNEL || before.user === subject) ? before.connects : 0;
  };
  const place = { team, channel, week };
  const used = async (subject: string) => (await readTotal(tx, place, subject)) - own(subject);
  const exceeded =
    findExceededCap('channel', rules.channelCap, await used(WHOLE_CHANNEL), connects) ??
    findExceededCap('person', rules.personCap, await used(user), connects);
  if (exceeded) return exceeded;
  await deleteOldUses(tx, team, at);
  if (before) await addToWeek(tx, before, -before.connects, at);
  const use: ConnectsUse = { team, ref, channel, user, week, timezone, connects, at };
  await tx.put(connectsUses, [team, ref], use);
  await addToWeek(tx, use, connects, at);
  return undefined;
}

/** Nothing was spent after all. */
export function releaseConnects(tx: Transaction, team: TeamId, ref: string, at: Instant): Promise<void> {
  return correctConnects(tx, team, ref, 0, at);
}

/** Sets what a bid really spent, in the week for which it was reserved. */
export async function correctConnects(
  tx: Transaction,
  team: TeamId,
  ref: string,
  connects: number,
  at: Instant,
): Promise<void> {
  const use = await tx.get(connectsUses, [team, ref]);
  if (!use || use.connects === connects) return;
  await tx.put(connectsUses, [team, ref], { ...use, connects });
  await addToWeek(tx, use, connects - use.connects, at);
}

/** Changes both totals, and warns once in the week if one of them is near its cap. */
async function addToWeek(tx: Transaction, use: ConnectsUse, change: number, at: Instant): Promise<void> {
  const { team, channel, user, week, timezone = 'UTC' } = use;
  const isCurrent = findWeek(at, timezone) === week;
  const { channelCap, personCap } = await readSpendingRules(tx, team, channel);
  for (const subject of [WHOLE_CHANNEL, user]) {
    const key = connectsWeekKey({ team, channel, subject, week });
    const before = await tx.get(connectsWeeks, key);
    const connects = Math.max(0, (before?.connects ?? 0) + change);
    const cap = subject === WHOLE_CHANNEL ? channelCap : personCap;
    const warns = isCurrent && !before?.warned && change > 0 && isNearCap(cap, connects);
    const warned = before?.warned || warns ? ({ warned: true } as const) : {};
    await tx.put(connectsWeeks, key, { team, channel, subject, week, connects, at, ...warned });
    if (!warns) continue;
    const isPerson = subject !== WHOLE_CHANNEL;
    await enqueueNotice(
      tx,
      { team, channel: isPerson ? user : channel, matter: `connects-cap:${channel}:${week}`, at },
      { about: 'connects-cap-near', channel, used: connects, cap, ...(isPerson ? { user } : {}) },
    );
  }
}

async function deleteOldUses(tx: Transaction, team: TeamId, at: Instant): Promise<void> {
  const old = { index: 'byAge', prefix: [team], at, keptMs: KEPT_MS, limit: CLEARED_AT_ONCE } as const;
  await deleteOldRecords(tx, connectsUses, old);
  await deleteOldRecords(tx, connectsWeeks, old);
}
