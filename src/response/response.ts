/**
 * The response clock: how fast a channel claims and bids, who gets nudged, and claims that expire. Its words
 * and settings; `stages.ts` has the table of stages.
 */
import { recordAuditEntry } from '../audit/audit.ts';
import type { Instant } from '../clock.ts';
import type { ChannelId, UserId } from '../ids.ts';
import type { PostId, ResponseItem } from '../outbox/posts.ts';
import { watchChannel } from '../sources/card-changes.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { ResponsePlan, type ResponseTarget, responseSettings } from './records.ts';

export { ResponsePlan, type ResponseTarget } from './records.ts';

/** In the order of the form; used in the audit log and in announcements. */
export const RESPONSE_FIELDS = {
  isOn: 'response clock',
  claimTarget: 'claim target',
  bidTarget: 'bid target',
  nudgeAfter: 'nudge',
  leadAfter: 'lead nudge',
  claimExpiry: 'claim expiry',
  hours: 'working hours',
  days: 'working days',
  duty: 'on duty',
  lead: 'lead',
} as const satisfies Record<keyof ResponsePlan, string>;
export type ResponseField = keyof ResponsePlan;

/** Whether a stage's message has nothing more to say of this card. A snoozed nudge may have. */
export function isItemClosed({ done, over }: Pick<ResponseItem, 'done' | 'over'>): boolean {
  return over !== undefined || (done !== undefined && done.what !== 'snoozed');
}

/** What the form offers at first. */
export const DEFAULT_RESPONSE_PLAN: ResponsePlan = {
  isOn: false,
  claimTarget: 10,
  bidTarget: 30,
  nudgeAfter: 10,
  leadAfter: 10,
  claimExpiry: 60,
  hours: { from: 9 * 60, to: 18 * 60 },
  days: [1, 2, 3, 4, 5],
};

/** How long **Snooze** postpones the next stage, in minutes of working time. */
export const SNOOZE_MINUTES = 30;

/** The card or invitation of a stage, by its post in its own channel. */
export interface ClockPlace {
  readonly channel: ChannelId;
  /** The card's own post. */
  readonly post: PostId;
  /** The stage's message, which shows what was done. */
  readonly message: PostId;
}

/** What a card shows of its clock: moments that only change with the card. */
export interface CardDeadlines {
  readonly claimBy?: Instant;
  readonly bidBy?: Instant;
  readonly claimExpiresAt?: Instant;
}

/** Asks Slack who can't be mentioned in a channel. Never throws; without an answer, everyone can. */
export type FindUnavailable = (
  channel: ChannelId,
  targets: readonly ResponseTarget[],
) => Promise<ReadonlySet<string>>;

const FIELDS = Object.keys(RESPONSE_FIELDS) as ResponseField[];

function listChangedFields(one: ResponsePlan, other: ResponsePlan): readonly ResponseField[] {
  return FIELDS.filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]));
}

/** The same fields in the same order, so that plans can be compared. */
export function toPlan(settings: ResponsePlan | undefined): ResponsePlan {
  return settings ? ResponsePlan.parse(settings) : DEFAULT_RESPONSE_PLAN;
}

export function readResponseSettings(tx: ReadTransaction, channel: ChannelId) {
  return tx.get(responseSettings, [channel]);
}

/**
 * Saves only what a person changed, with an entry in the audit log.
 * @returns overwritten: changed fields that another person had also changed while the form was open
 */
export async function changePlan(
  tx: Transaction,
  { channel, by, at }: { readonly channel: ChannelId; readonly by: UserId; readonly at: Instant },
  { shown, wanted }: { readonly shown: ResponsePlan; readonly wanted: ResponsePlan },
) {
  const before = toPlan(await readResponseSettings(tx, channel));
  const asked = listChangedFields(toPlan(shown), toPlan(wanted));
  const meanwhile = listChangedFields(toPlan(shown), before);
  const changed = listChangedFields(before, toPlan(wanted)).filter((field) => asked.includes(field));
  const overwritten = changed.filter((field) => meanwhile.includes(field));
  const fields = FIELDS.map((field) => [field, (changed.includes(field) ? wanted : before)[field]]);
  const plan = ResponsePlan.parse(Object.fromEntries(fields));
  const outcome = { changed, overwritten, plan, wasOn: before.isOn };
  if (changed.length === 0) return outcome;
  // People who couldn't be mentioned are checked again.
  await tx.put(responseSettings, { ...plan, channel });
  await watchChannel(tx, channel, plan.isOn);
  const names = changed.map((field) => RESPONSE_FIELDS[field]);
  await recordAuditEntry(tx, { at, by, channel, act: { kind: 'settings', changed: names } });
  return outcome;
}
