/** Estimates the mirror's progress for people. Pure. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { type Instant, MINUTE } from '../clock.ts';
import { backgroundSlotLimit, type GateStatus } from '../marketplace/gate/gate.ts';
import type { ProfileSync } from '../profiles/records.ts';
import type { MirrorProgress } from './mirror.ts';
import { getProposalListLayout, getSyncRetryTime } from './sync-plan.ts';

/** Background slots a minute that others leave to the mirror; at least one, since every lane gets turns. */
function pagesPerMinute({ limitPerMinute, used }: GateStatus, ownLastMinute: number): number {
  return Math.max(1, backgroundSlotLimit(limitPerMinute) - Math.max(0, used - ownLastMinute));
}

function pagesLeft(sync: ProfileSync, held: number): number {
  const { copy } = sync;
  if (!copy || copy.copiedAt !== undefined || copy.total === undefined) return 0;
  return Math.ceil(Math.max(0, copy.total - held) / getProposalListLayout(sync).size);
}

function stateOf({ copy }: ProfileSync): MirrorProgress['state'] {
  if (!copy) return 'waiting';
  return copy.copiedAt === undefined ? 'copying' : 'complete';
}

/**
 * @param profiles the followed ones, with the number of stored proposals of each
 * @param ownLastMinute requests of the mirror itself within the last minute
 */
export function estimateMirrorProgress(
  profiles: readonly { readonly sync: ProfileSync; readonly held: number }[],
  gate: GateStatus,
  ownLastMinute: number,
  now: Instant,
): MirrorProgress[] {
  const pace = pagesPerMinute(gate, ownLastMinute);
  const left = profiles.map(({ sync, held }) => pagesLeft(sync, held));
  return profiles.map(({ sync, held }, index) => {
    const own = left[index] ?? 0;
    // Profiles take turns: until this one's last page is read, each other profile reads as many.
    const pages = left.reduce((sum, others) => sum + Math.min(others, own), 0);
    const { copy, trouble, readAt } = sync;
    const state = stateOf(sync);
    return {
      profile: sync.profile,
      state,
      held,
      ...(copy?.total === undefined ? {} : { total: copy.total }),
      ...(state === 'copying' && copy?.total !== undefined
        ? { leftMs: Math.ceil((pages / pace) * MINUTE) }
        : {}),
      ...omitUndefined({ readAt }),
      ...(trouble
        ? { trouble: { code: trouble.code, since: trouble.since, retryAt: getSyncRetryTime(trouble, now) } }
        : {}),
    };
  });
}
