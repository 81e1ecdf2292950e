/**
 * Counts the connects of a week, in the transaction of what changes them: reserved before a bid is sent,
 * corrected when its cost is known, released when nothing was spent.
 */
import { type Instant } from '../clock.ts';
import { type ChannelId, UserId } from '../ids.ts';
import { enqueueNotice } from '../outbox/outbox.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { findExceededCap, findWeek, isNearCap } from './decide-rules.ts';
import {
  type ConnectsUse,
  type ConnectsWeek,
  connectsUses,
  connectsWeeks,
  readSpendingRules,
} from './spending.ts';

const WHOLE_CHANNEL = 'channel';

/** A channel whose week a bid counts for. */
export type WeekPlace = Pick<ConnectsUse['weeks'][number], 'channel' | 'timezone'>;

export interface Reservation {
  /** The bid's own channel first. */
  readonly places: readonly WeekPlace[];
  /** Whose connects they are. */
  readonly user: UserId;
  /** `bid:<id>` or `job:<id>`: reserving again replaces the earlier amount. */
  readonly ref: string;
  readonly connects: number;
  readonly at: Instant;
}

type Week = Pick<ConnectsWeek, 'channel' | 'subject' | 'week'>;

async function readTotal(tx: ReadTransaction, { channel, subject, week }: Week): Promise<number> {
  return (await tx.get(connectsWeeks, [channel, subject, week]))?.connects ?? 0;
}

/** Of the channel, or of one person in it. */
export function readConnectsOfWeek(
  tx: ReadTransaction,
  place: { readonly channel: ChannelId; readonly user?: UserId },
  at: Instant,
  timezone: string,
): Promise<number> {
  const { user: subject = WHOLE_CHANNEL, ...rest } = place;
  return readTotal(tx, { ...rest, subject, week: findWeek(at, timezone) });
}

/** The cap of one channel that a bid would exceed. @param before what the same bid has reserved so far */
async function findCapOfChannel(
  tx: ReadTransaction,
  { user, connects }: Reservation,
  { channel, week }: ConnectsUse['weeks'][number],
  before: ConnectsUse | undefined,
) {
  const rules = await readSpendingRules(tx, channel);
  const counts = before?.weeks.some((each) => each.channel === channel && each.week === week) ?? false;
  const used = async (subject: string): Promise<number> => {
    const isOwn = counts && (subject === WHOLE_CHANNEL || before?.user === subject);
    return (await readTotal(tx, { channel, week, subject })) - (isOwn ? (before?.connects ?? 0) : 0);
  };
  return (
    findExceededCap('channel', rules.channelCap, await used(WHOLE_CHANNEL), connects) ??
    findExceededCap('person', rules.personCap, await used(user), connects)
  );
}

/** Reserves a bid's connects. @returns the cap that it would exceed: then nothing is stored */
export async function reserveConnects(tx: Transaction, reservation: Reservation) {
  const { places, user, ref, at } = reservation;
  const weeks = places.map((place) => ({ ...place, week: findWeek(at, place.timezone) }));
  const before = await tx.get(connectsUses, [ref]);
  // What is still reserved may be an earlier attempt without an answer, which may have spent that much.
  const connects = Math.max(reservation.connects, before?.connects ?? 0);
  for (const [number, place] of weeks.entries()) {
    const exceeded = await findCapOfChannel(tx, { ...reservation, connects }, place, before);
    if (exceeded) return { ...exceeded, isElsewhere: number > 0 };
  }
  if (before) await addToWeeks(tx, before, -before.connects, at);
  const use: ConnectsUse = { ref, user, weeks, connects, at };
  await tx.put(connectsUses, use);
  await addToWeeks(tx, use, connects, at);
  return undefined;
}

/** Nothing was spent after all. */
export function releaseConnects(tx: Transaction, ref: string, at: Instant): Promise<void> {
  return correctConnects(tx, ref, 0, at);
}

/** Sets what a bid really spent, in the weeks for which it was reserved. */
export async function correctConnects(tx: Transaction, ref: string, connects: number, at: Instant) {
  const use = await tx.get(connectsUses, [ref]);
  if (!use || use.connects === connects) return;
  await tx.put(connectsUses, { ...use, connects });
  await addToWeeks(tx, use, connects - use.connects, at);
}

/** Changes all totals of a bid. A person hears only of the bid's own channel: they may not see another. */
async function addToWeeks(tx: Transaction, use: ConnectsUse, change: number, at: Instant): Promise<void> {
  const { user, weeks } = use;
  for (const [number, { channel, week, timezone }] of weeks.entries()) {
    const isCurrent = findWeek(at, timezone) === week;
    const { channelCap, personCap } = await readSpendingRules(tx, channel);
    const place = { channel, week };
    const warnedOf = (cap: number | undefined) => (isCurrent && change > 0 ? cap : undefined);
    await addToTotal(tx, { ...place, subject: WHOLE_CHANNEL }, change, warnedOf(channelCap), at);
    const warnedPerson = number === 0 ? warnedOf(personCap) : undefined;
    await addToTotal(tx, { ...place, subject: user }, change, warnedPerson, at);
  }
}

/** @param cap warns once in the week if the total is near it */
async function addToTotal(tx: Transaction, of: Week, change: number, cap: number | undefined, at: Instant) {
  const { channel, subject, week } = of;
  const key = [channel, subject, week];
  const before = await tx.get(connectsWeeks, key);
  const connects = Math.max(0, (before?.connects ?? 0) + change);
  const warns = !before?.warned && isNearCap(cap, connects);
  const warned = before?.warned || warns || undefined;
  await tx.put(connectsWeeks, { ...of, connects, at, warned });
  if (!warns) return;
  const user = subject === WHOLE_CHANNEL ? undefined : UserId.parse(subject);
  await enqueueNotice(
    tx,
    { channel: user ?? channel, matter: `connects-cap:${channel}:${week}`, at },
    { about: 'connects-cap-near', channel, used: connects, cap, user },
  );
}
