/**
 * A bid or an approval that waits before it is sent: for other people's approval, then for the end of the
 * time in which it can be canceled. Decides what a press and the passing of time change. Pure.
 */
import { z } from 'zod';
import { HOUR, type Instant, MINUTE, SECOND } from '../clock.ts';
import { UserId } from '../ids.ts';

const instant = z.number();

/**
 * Why a second approval is needed. An unknown amount, price or client counts as one that needs it.
 * elsewhere: another channel that found the project requires it, or more of it than the bid's own channel.
 */
export const SecondReason = z.enum([
  'amount',
  'amount-unknown',
  'connects',
  'connects-unknown',
  'new-client',
  'elsewhere',
]);
export type SecondReason = z.infer<typeof SecondReason>;

/**
 * sent · canceled and rejected by a person · expired: too few approved in time · late: it was due while
 * Gigdesk wasn't running, or couldn't check it · changed: it isn't what was shown any more · not-allowed:
 * who asked can't bid any more · over-cap: the weekly cap is lower now · other-bid: another bid on the
 * project was sent since · closed: the job doesn't wait for an approval any more · time-passed: the time that
 * the bid names for itself has passed.
 */
export const HoldEnd = z.enum([
  'sent',
  'canceled',
  'rejected',
  'expired',
  'late',
  'changed',
  'not-allowed',
  'over-cap',
  'other-bid',
  'closed',
  'time-passed',
]);
export type HoldEnd = z.infer<typeof HoldEnd>;

/** The people that a request for approval notified. */
export const Notified = z.object({
  at: instant,
  /** Mentioned in the thread, like the user groups below. */
  users: z.array(UserId),
  groups: z.array(z.string()),
  /** By direct message: nobody in the channel may approve. */
  direct: z.array(UserId),
});
export type Notified = z.infer<typeof Notified>;

export const SpendingHold = z.object({
  at: instant,
  /** The time for Cancel, in seconds; 0: none. */
  seconds: z.number(),
  /** When it's sent; missing: approvals are missing. */
  dueAt: instant.optional(),
  /** Hash of the shown facts. */
  shown: z.string(),
  second: z
    .object({
      needed: z.number().int(),
      reasons: z.array(SecondReason),
      /** Who can't give one, besides the person whose press is held. */
      not: z.array(UserId),
      given: z.array(z.object({ by: UserId, at: instant })),
      /** Counts the requests for it: after a change, people are asked again. */
      round: z.number().int().min(1),
      /** When silence counts as no; missing: never. */
      expiresAt: instant.optional(),
      /** Missing: nobody was notified yet. */
      posted: Notified.optional(),
    })
    .optional(),
  ended: z.object({ kind: HoldEnd, at: instant, by: UserId.optional() }).optional(),
});
export type SpendingHold = z.infer<typeof SpendingHold>;

/** After this time, a request that was due isn't sent on its own any more. */
export const MOST_LATE_MS = 15 * MINUTE;

/** What a second approval takes. */
export interface SecondNeed {
  readonly needed: number;
  readonly reasons: readonly SecondReason[];
  readonly not: readonly UserId[];
}

/**
 * The waiting before a request is sent; undefined: it is sent at once.
 * @param beginning `need` missing: none is needed · `hours` until silence counts as no; 0: never
 */
export function beginHold(
  beginning: Pick<SpendingHold, 'at' | 'seconds' | 'shown'> & { need?: SecondNeed; hours: number },
): SpendingHold | undefined {
  const { at, seconds, shown, need, hours } = beginning;
  if (!need) return seconds > 0 ? { at, seconds, shown, dueAt: at + seconds * SECOND } : undefined;
  return { at, seconds, shown, second: beginRound(need, 1, at, hours) };
}

function beginRound({ needed, reasons, not }: SecondNeed, round: number, at: Instant, hours: number) {
  const expiresAt = hours > 0 ? at + hours * HOUR : undefined;
  return { needed, reasons: [...reasons], not: [...not], given: [], round, expiresAt };
}

export function countApprovals({ second }: SpendingHold): number {
  return second?.given.length ?? 0;
}

/** The request for approvals, while some are missing. */
export function findMissingApprovals(hold: SpendingHold | undefined): SpendingHold['second'] {
  return hold && !isApproved(hold) ? hold.second : undefined;
}

/** Whether a person's approval is missing and would count. @param sender whose press is held */
export function canStillApprove(hold: SpendingHold, sender: UserId, user: UserId): boolean {
  const second = findMissingApprovals(hold);
  if (!second || user === sender || second.not.includes(user)) return false;
  return second.given.every(({ by }) => by !== user);
}

/** Whether no approval is missing. */
export function isApproved(hold: SpendingHold): boolean {
  return countApprovals(hold) >= (hold.second?.needed ?? 0);
}

export type GivenApproval =
  /** It counts; with the last one, the time for Cancel begins. */
  | { readonly kind: 'counted'; readonly hold: SpendingHold }
  /** Nothing changed: the person's approval counts already. */
  | { readonly kind: 'repeated' }
  /** Nothing changed: the person sent it, or asked for it. */
  | { readonly kind: 'own' }
  /** It isn't what the person was shown. `hold`: earlier approvals of something else are void. */
  | { readonly kind: 'changed'; readonly hold?: SpendingHold }
  /** No approval is missing. */
  | { readonly kind: 'taken' }
  /** It came too late, even if nothing has ended the waiting yet. */
  | { readonly kind: 'over'; readonly as: TimeEnd };

interface Moment {
  readonly at: Instant;
  /** Whose press is held. */
  readonly sender: UserId;
  /** Hash of what would be sent now. */
  readonly now: string;
  readonly hours: number;
  /** The time that the bid names for itself; missing: none. */
  readonly sendAt?: Instant | undefined;
}

interface Giving extends Moment {
  readonly by: UserId;
  /** Hash of what the person was shown. */
  readonly shown: string;
}

/** One person's approval. Approvals of anything else than what would be sent now are void. */
export function giveApproval(before: SpendingHold, giving: Giving): GivenApproval {
  const { by, sender, at, shown, now, hours, sendAt } = giving;
  if (!before.second || before.ended || isApproved(before)) return { kind: 'taken' };
  const end = findHoldEnd(before, sendAt, at);
  if (end) return { kind: 'over', as: end };
  const hold = before.shown === now ? before : askAgain(before, now, at, hours);
  const { second } = hold;
  if (!second) return { kind: 'taken' };
  if (by === sender || second.not.includes(by)) return { kind: 'own' };
  if (shown !== now) return hold === before ? { kind: 'changed' } : { kind: 'changed', hold };
  if (second.given.some((each) => each.by === by)) return { kind: 'repeated' };
  const counted: SpendingHold = { ...hold, second: { ...second, given: [...second.given, { by, at }] } };
  const dueAt = isApproved(counted) ? at + hold.seconds * SECOND : counted.dueAt;
  return { kind: 'counted', hold: { ...counted, dueAt } };
}

/** The same request with its approvals void: the facts have changed. */
function askAgain(hold: SpendingHold, now: string, at: Instant, hours: number): SpendingHold {
  const { dueAt: _due, second, ...rest } = hold;
  if (!second) return hold;
  return { ...rest, shown: now, second: beginRound(second, second.round + 1, at, hours) };
}

export type ReleaseDecision =
  | { readonly kind: 'wait' }
  | { readonly kind: 'send' }
  | { readonly kind: 'end'; readonly as: HoldEnd }
  /** Approvals are missing again. */
  | { readonly kind: 'ask'; readonly hold: SpendingHold };

interface Releasing extends Moment {
  /** What the rules ask for now; missing: no second approval. */
  readonly need?: SecondNeed | undefined;
  /** Of the sender and of those who approved: who may still decide. undefined: nobody can say now. */
  readonly allowed: ReadonlySet<UserId> | undefined;
}

/** Whether a request that waited is sent now. What was true when it began must still be true. */
export function decideRelease(hold: SpendingHold, releasing: Releasing): ReleaseDecision {
  const { at, now, allowed, sender, hours, sendAt } = releasing;
  if (hold.ended) return { kind: 'wait' };
  const end = findHoldEnd(hold, sendAt, at);
  if (end) return { kind: 'end', as: end };
  if (hold.dueAt === undefined || hold.dueAt > at || !allowed) return { kind: 'wait' };
  if (!allowed.has(sender)) return { kind: 'end', as: 'not-allowed' };
  if (hold.shown === now) return decideByApprovals(hold, releasing, allowed);
  return hold.second ? { kind: 'ask', hold: askAgain(hold, now, at, hours) } : { kind: 'end', as: 'changed' };
}

/** Approvals of people who may not decide any more don't count, and today's rules may ask for more. */
function decideByApprovals(
  hold: SpendingHold,
  { at, need, hours }: Releasing,
  allowed: ReadonlySet<UserId>,
): ReleaseDecision {
  const { dueAt: _due, second, ...rest } = hold;
  const needs = [second, need].filter((each) => each !== undefined);
  const not = [...new Set(needs.flatMap((each) => each.not))];
  const given = (second?.given ?? []).filter(({ by }) => allowed.has(by) && !not.includes(by));
  const needed = Math.max(0, ...needs.map((each) => each.needed));
  if (given.length >= needed) return { kind: 'send' };
  const reasons = [...new Set(needs.flatMap((each) => each.reasons))];
  const round = beginRound({ needed, reasons, not }, (second?.round ?? 0) + 1, at, hours);
  return { kind: 'ask', hold: { ...rest, second: { ...round, given } } };
}

/**
 * Until when all approvals must be there, so that the time for Cancel ends before the time that the bid names
 * for itself; with them, that time. The marketplace takes no bid for a time that has passed.
 */
export function findSendDeadline({ seconds, dueAt }: SpendingHold, sendAt: Instant): Instant {
  return dueAt === undefined ? sendAt - seconds * SECOND : sendAt;
}

/** Whether the time for Cancel would end too late for the time that a new bid names for itself. */
export function isTooSoon(seconds: number, sendAt: Instant | undefined, at: Instant): boolean {
  return sendAt !== undefined && sendAt <= at + seconds * SECOND;
}

/** The ends that nobody decides. */
type TimeEnd = Extract<HoldEnd, 'expired' | 'late' | 'time-passed'>;

/** How the waiting ends without a person's decision by now; undefined: it goes on, or is due. */
export function findHoldEnd(
  hold: SpendingHold,
  sendAt: Instant | undefined,
  at: Instant,
): TimeEnd | undefined {
  const { second, ended, dueAt } = hold;
  if (ended) return undefined;
  if (!isApproved(hold) && second?.expiresAt !== undefined && second.expiresAt <= at) return 'expired';
  if (dueAt !== undefined && at > dueAt + MOST_LATE_MS) return 'late';
  return sendAt !== undefined && findSendDeadline(hold, sendAt) <= at ? 'time-passed' : undefined;
}

function earliestOf(...moments: readonly (Instant | undefined)[]): Instant | undefined {
  const known = moments.filter((each) => each !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Until when people can approve it; undefined: no limit. */
export function findApprovalDeadline(hold: SpendingHold, sendAt: Instant | undefined): Instant | undefined {
  const { second } = hold;
  return earliestOf(second?.expiresAt, sendAt === undefined ? undefined : findSendDeadline(hold, sendAt));
}

/** When there is something to do next: notify people, send, or end it. */
export function findHoldMoment(hold: SpendingHold, sendAt?: Instant): Instant {
  const { second, dueAt } = hold;
  if (second && !second.posted) return 0;
  const moment = dueAt === undefined ? findApprovalDeadline(hold, sendAt) : earliestOf(dueAt, sendAt);
  return moment ?? Number.MAX_SAFE_INTEGER;
}
