/** Keeps each card's clock in step with its card: starts, restarts and stops it, and finds its next stage. */
import { type Instant, MINUTE } from '../clock.ts';
import { findPauseEnd, isChannelPaused } from '../feed/channels.ts';
import type { ChannelSettings } from '../feed/feed.ts';
import { findQuietHoursEnd, resolveTimezone } from '../feed/quiet-hours.ts';
import type { ChannelId } from '../ids.ts';
import type { PostId } from '../outbox/posts.ts';
import type { ResponseClock, ResponsePlan } from './records.ts';
import { decideStage, FREE, isKeyOfPhase, STAGE_NAMES, type StageName } from './stages.ts';
import type { WatchedCard } from './watched-cards.ts';

/** A moment later than this is from a clock that was ahead. */
const AHEAD_MS = MINUTE;
/** A message that isn't sent yet, and a bid that waits or is on its way, are looked at again after this. */
const PENDING_MS = MINUTE;
/** The same in a pause and in quiet hours: people may end them earlier. */
const SILENT_MS = 10 * MINUTE;

export type ClockRules<Plan extends ResponsePlan = ResponsePlan> = ReturnType<typeof createClockRules<Plan>>;

/** A channel's rules for its clocks, at one moment. @param timezone for channels without their own */
export function createClockRules<Plan extends ResponsePlan>(
  plan: Plan,
  channel: ChannelSettings,
  timezone: string,
  now: Instant,
) {
  const work = { days: plan.days, hours: plan.hours, timezone: resolveTimezone(channel, timezone) };
  return { plan, work, channel, timezone, now };
}

export function newClock(channel: ChannelId, post: PostId, at: Instant): ResponseClock {
  return { channel, post, at, phase: '', since: at, extended: 0, sent: [] };
}

/** The claim that runs. Two claims of one person begin at different moments. */
export function phaseOf({ claim }: Pick<WatchedCard, 'claim'>): string {
  return claim ? `claim ${claim.by} ${claim.at}` : FREE;
}

/** Restarts the clock if the card was claimed, released or reassigned; ignores moments in the future. */
export function followCard(clock: ResponseClock, card: WatchedCard, now: Instant): ResponseClock {
  const phase = phaseOf(card);
  if (phase === clock.phase) return clock.since > now + AHEAD_MS ? { ...clock, since: now } : clock;
  const { snoozedUntil: _, ...rest } = clock;
  const isNew = clock.phase === '' && !card.wasClaimed;
  const began = card.claim?.at ?? (isNew ? card.startsAt : now);
  return { ...rest, phase, since: Math.min(began, now), extended: 0 };
}

export type ClockStep =
  | { readonly kind: 'rest'; readonly clock: ResponseClock }
  | { readonly kind: 'due'; readonly clock: ResponseClock; readonly stage: StageName };

function rest(before: ResponseClock, dueAt?: Instant): ClockStep {
  const { dueAt: _, ...clock } = before;
  return { kind: 'rest', clock: dueAt === undefined ? clock : { ...clock, dueAt } };
}

/** When to look again, while nothing is sent in the channel; undefined: messages may be sent now. */
function findSilenceEnd({ channel, timezone, now }: ClockRules): Instant | undefined {
  const quietUntil = findQuietHoursEnd(channel, timezone, now);
  if (quietUntil === undefined && !isChannelPaused(channel, now)) return undefined;
  return Math.min(
    now + SILENT_MS,
    quietUntil ?? now + SILENT_MS,
    findPauseEnd(channel, now) ?? now + SILENT_MS,
  );
}

/** Keys of earlier claims are dropped: those claims never come back. */
function withSentKeys(clock: ResponseClock, keys: readonly string[]): ResponseClock {
  const isLasting = (key: string) => STAGE_NAMES.some((name) => name === key);
  const kept = clock.sent.filter((key) => isLasting(key) || isKeyOfPhase(key, clock));
  return { ...clock, sent: [...new Set([...kept, ...keys])] };
}

/** While its bid waits or is being sent, a claim is in use: its time begins when that comes to nothing. */
function restartClaim(clock: ResponseClock, now: Instant): ResponseClock {
  const isUnused = clock.extended > 0 && !clock.sent.some((key) => isKeyOfPhase(key, clock));
  return { ...clock, since: now, extended: isUnused ? clock.extended : clock.extended + 1 };
}

/** What a clock does now. A due stage is marked as sent in the returned clock. */
export function stepClock(
  before: ResponseClock,
  card: WatchedCard | undefined,
  rules: ClockRules,
): ClockStep {
  const { plan, work, now } = rules;
  if (!card) return rest(before);
  // The clock of a card begins when its message can be seen.
  if (before.phase === '' && card.state === 'pending' && !card.claim)
    return rest(before, findSilenceEnd(rules) ?? now + PENDING_MS);
  const clock = followCard(before, card, now);
  if (card.state === 'ended') return rest(clock);
  if (card.state === 'pending' && card.claim) return rest(restartClaim(clock, now), now + PENDING_MS);
  const decision = decideStage(clock, plan, work, now);
  switch (decision.kind) {
    case 'done':
      return rest(clock);
    case 'wait':
      return rest(clock, decision.until);
    case 'pass':
      return stepClock(withSentKeys(clock, decision.keys), card, rules);
    case 'due': {
      if (card.state === 'pending') return rest(clock, now + PENDING_MS);
      const silentUntil = findSilenceEnd(rules);
      if (silentUntil !== undefined) return rest(clock, silentUntil);
      return { kind: 'due', clock: withSentKeys(clock, decision.keys), stage: decision.stage };
    }
  }
}
