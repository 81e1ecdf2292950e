/** Chooses whose turn it is among the followed profiles. Pure. */
import type { Instant } from '../clock.ts';
import type { ProfileId } from '../ids.ts';
import type { ProfileSync } from '../profiles/records.ts';
import { affectsAllProfiles, getSyncRetryTime } from './sync-failure.ts';
import { decideSyncStep, getNewestPageIntervalMs, type SyncStep } from './sync-plan.ts';

export type NextProfileSync =
  | { readonly kind: 'read'; readonly sync: ProfileSync; readonly step: Extract<SyncStep, { kind: 'read' }> }
  /** Without a time: nothing is followed. */
  | { readonly kind: 'rest'; readonly until?: Instant };

function restsUntil(syncs: readonly ProfileSync[], now: Instant): Instant {
  const shared = syncs.flatMap(({ trouble }) =>
    trouble && affectsAllProfiles(trouble.code) ? [getSyncRetryTime(trouble, now)] : [],
  );
  return Math.max(0, ...shared);
}

function nextOf(sync: ProfileSync, pauseMs: number, now: Instant): SyncStep {
  const until = sync.trouble ? getSyncRetryTime(sync.trouble, now) : 0;
  return until > now ? { kind: 'rest', until } : decideSyncStep(sync, pauseMs, now);
}

/**
 * Among profiles with something to read, the one whose last turn is the longest ago.
 * @param lastTurn a number that grows with every turn
 */
export function chooseNextProfileSync(
  syncs: readonly ProfileSync[],
  lastTurn: ReadonlyMap<ProfileId, number>,
  limitPerMinute: number,
  now: Instant,
): NextProfileSync {
  const rest = restsUntil(syncs, now);
  if (rest > now) return { kind: 'rest', until: rest };
  const pauseMs = getNewestPageIntervalMs(syncs.length, limitPerMinute);
  const steps = syncs.map((sync) => ({ sync, step: nextOf(sync, pauseMs, now) }));
  const turnOf = ({ profile }: ProfileSync) => lastTurn.get(profile) ?? 0;
  const [next] = steps
    .flatMap(({ sync, step }) => (step.kind === 'read' ? [{ kind: 'read', sync, step } as const] : []))
    .sort((a, b) => turnOf(a.sync) - turnOf(b.sync));
  if (next) return next;
  const untils = steps.flatMap(({ step }) => (step.kind === 'rest' ? [step.until] : []));
  return untils.length > 0 ? { kind: 'rest', until: Math.min(...untils) } : { kind: 'rest' };
}
