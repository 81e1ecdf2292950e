/** When to check again for missing AI verdicts, and from where. Pure. */
import { type Instant, MINUTE } from '../clock.ts';
import type { ProjectKey } from '../ids.ts';
import { doRulesUseVerdict } from './decide-card.ts';
import { isCoveredByRead } from './poll-plan.ts';
import type { FilterState, Subscription } from './records.ts';

type Awaiting = FilterState['awaiting'][number];

/**
 * Time since the project was found. Verdicts come within minutes, or when a person requests one in the
 * dashboard.
 */
const PAUSES_MS = [1, 3, 10, 30, 120].map((minutes) => minutes * MINUTE);
const MOST_AWAITING = 50;
/** Twice the awaited projects: then none of them got a verdict, nor did any before them. */
const MOST_WITHOUT = 2 * MOST_AWAITING;

/**
 * Whether further checks make sense: the filter has shown verdicts or rules need one, and some of its latest
 * projects got one.
 */
export function shouldCheckForVerdicts(
  { showsVerdicts, withoutVerdict = 0 }: Pick<FilterState, 'showsVerdicts' | 'withoutVerdict'>,
  followers: readonly Pick<Subscription, 'rules'>[],
): boolean {
  const isWanted = showsVerdicts === true || followers.some(({ rules }) => doRulesUseVerdict(rules));
  return isWanted && withoutVerdict < MOST_WITHOUT;
}

/** Adds a project without a verdict; keeps the 50 newest. */
export function scheduleVerdictCheck(
  awaiting: readonly Awaiting[],
  project: ProjectKey,
  since: number | undefined,
  foundAt: Instant,
): Awaiting[] {
  if (awaiting.some((entry) => entry.project === project)) return [...awaiting];
  const dueAt = foundAt + (PAUSES_MS[0] ?? 0);
  const entry = { project, foundAt, step: 0, dueAt, since };
  return [...awaiting, entry].slice(-MOST_AWAITING);
}

export function findNextVerdictCheckTime(awaiting: readonly Awaiting[]): Instant | undefined {
  return awaiting.length > 0 ? Math.min(...awaiting.map(({ dueAt }) => dueAt)) : undefined;
}

/** Where to start reading to include the longest overdue project, and others on the way. */
export function findVerdictCheckStart(awaiting: readonly Awaiting[], now: Instant): number | undefined {
  const due = awaiting.filter((entry) => entry.dueAt <= now).sort((a, b) => a.dueAt - b.dueAt);
  return due[0]?.since;
}

/**
 * After a read: a project that was checked moves to its next check, if it is due before the filter can be
 * read again. After the last check, it is dropped.
 * @param seen projects on the page
 * @param from where the read began, if the page included every project from there on
 */
export function advanceVerdictChecks(
  awaiting: readonly Awaiting[],
  seen: ReadonlySet<ProjectKey>,
  from: number | undefined,
  now: Instant,
): Awaiting[] {
  return awaiting.flatMap((entry) => {
    const looked = seen.has(entry.project) || (from !== undefined && (entry.since ?? from) >= from);
    if (!looked || !isCoveredByRead(now, entry.dueAt)) return [entry];
    const step = PAUSES_MS.findIndex((pause) => !isCoveredByRead(now, entry.foundAt + pause));
    const pause = PAUSES_MS[step];
    return pause === undefined ? [] : [{ ...entry, step, dueAt: entry.foundAt + pause }];
  });
}
