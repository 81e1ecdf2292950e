/** What the buttons of a stage do: extend a claim, snooze a nudge; each in the caller's transaction. */
import { type Instant, MINUTE } from '../clock.ts';
import { readChannelSettings } from '../feed/channels.ts';
import type { UserId } from '../ids.ts';
import { markPostChanged } from '../outbox/outbox.ts';
import type { ResponseItem } from '../outbox/posts.ts';
import type { Claim } from '../sources/claims.ts';
import type { Transaction } from '../storage/store.ts';
import { followCard, newClock, phaseOf, stepClock } from './clocks.ts';
import { changeItem, closeItem, decideItemEnd } from './ended-items.ts';
import { type ClockContext, readClockRules } from './post-stages.ts';
import { responseClocks } from './records.ts';
import { type ClockPlace, readResponseSettings, SNOOZE_MINUTES, toPlan } from './response.ts';
import { FREE, findClaimExpiry } from './stages.ts';
import { readWatchedCard } from './watched-cards.ts';
import { addWorkingTime } from './working-time.ts';

type ExtendOutcome =
  | { readonly kind: 'extended'; readonly until?: Instant }
  | ({ readonly kind: 'held' } & Claim)
  /** Nobody has claimed it, it was bid on, or claims don't expire: there is nothing to extend. */
  | { readonly kind: 'free' | 'ended' | 'off' }
  | { readonly kind: 'no-card' };

type SnoozeOutcome =
  | { readonly kind: 'snoozed'; readonly until: Instant }
  /** It was claimed, skipped or bid on, or had its last nudge: nobody is nudged anyway. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'no-card' };

/** Shows on the stage's message what a person did. */
export async function markItemDone(
  tx: Transaction,
  place: ClockPlace,
  done: NonNullable<ResponseItem['done']>,
): Promise<void> {
  await changeItem(tx, place, ({ over, ...item }) =>
    // The job was faster.
    done.what === 'claimed' && over?.what === 'claimed' ? undefined : { ...item, done },
  );
}

/** For a press that came too late. */
export async function showItemEnd(tx: Transaction, place: ClockPlace): Promise<void> {
  const settings = await readChannelSettings(tx, place.channel);
  const plan = toPlan(await readResponseSettings(tx, place.channel));
  const card = await readWatchedCard(tx, place, settings);
  if (!card) return;
  const off = plan.isOn ? undefined : ({ what: 'off' } as const);
  await closeItem(tx, place, (item) => decideItemEnd(item, card, plan) ?? off);
}

async function readPressed(tx: Transaction, context: ClockContext, place: ClockPlace, now: Instant) {
  const { channel, post } = place;
  const rules = await readClockRules(tx, context, channel, now);
  if (!rules) return undefined;
  const card = await readWatchedCard(tx, place, rules.channel);
  const stored = (await tx.get(responseClocks, [channel, post])) ?? newClock(channel, post, now);
  return { rules, card, clock: card && followCard(stored, card, now) };
}

export async function extendClaim(
  tx: Transaction,
  context: ClockContext,
  place: ClockPlace,
  who: { readonly by: UserId; readonly mayExtendOthers: boolean; readonly at: Instant },
): Promise<ExtendOutcome> {
  const { by, at } = who;
  const pressed = await readPressed(tx, context, place, at);
  if (!pressed || pressed.rules.plan.claimExpiry === 0) return { kind: 'off' };
  const { rules, card, clock } = pressed;
  if (!card || !clock) return { kind: 'no-card' };
  if (!card.claim) return { kind: 'free' };
  if (card.state === 'ended') return { kind: 'ended' };
  if (card.claim.by !== by && !who.mayExtendOthers) return { kind: 'held', ...card.claim };
  const longer = { ...clock, phase: phaseOf(card), since: at, extended: clock.extended + 1 };
  await tx.put(responseClocks, stepClock(longer, card, rules).clock);
  await markPostChanged(tx, place.post);
  const until = findClaimExpiry(at, rules.plan, rules.work);
  await markItemDone(tx, place, { by, what: 'extended', until });
  return { kind: 'extended', until };
}

export async function snoozeStages(
  tx: Transaction,
  context: ClockContext,
  place: ClockPlace,
  { by, at }: { readonly by: UserId; readonly at: Instant },
): Promise<SnoozeOutcome> {
  const pressed = await readPressed(tx, context, place, at);
  if (!pressed) return { kind: 'ended' };
  const { rules, card, clock } = pressed;
  if (!card || !clock) return { kind: 'no-card' };
  if (clock.phase !== FREE || card.state === 'ended') return { kind: 'ended' };
  const snoozedUntil = addWorkingTime(at, SNOOZE_MINUTES * MINUTE, rules.work);
  const snoozed = stepClock({ ...clock, snoozedUntil }, card, rules).clock;
  if (snoozed.dueAt === undefined) {
    await closeItem(tx, place, () => ({ what: 'off' }));
    return { kind: 'ended' };
  }
  await tx.put(responseClocks, snoozed);
  await markItemDone(tx, place, { by, what: 'snoozed', until: snoozedUntil });
  return { kind: 'snoozed', until: snoozedUntil };
}
