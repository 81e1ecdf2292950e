/** Merges what filters say of a project; each filter has its own verdict. Pure. */
import { keepKnown } from '../base/keep-known.ts';
import type { FilterId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { isDecisionPending } from '../marketplace/wire/verdict.ts';
import type { FilterVerdict, SeenProject } from './records.ts';

function fuller(now: readonly string[], before: readonly string[]): string[] {
  return [...(now.length > 0 ? now : before)];
}

/** A verdict without decision, reason and time doesn't count, nor does one whose decision is pending. */
export function hasVerdict({ verdict }: Pick<ListedProject, 'verdict'>): boolean {
  return (
    verdict !== undefined &&
    (verdict.reason !== undefined ||
      verdict.decidedAt !== undefined ||
      (verdict.decision !== undefined && !isDecisionPending(verdict.decision)))
  );
}

export function mergeProject(before: ListedProject, now: ListedProject): ListedProject {
  const isKept = hasVerdict(before) && !hasVerdict(now);
  const verdict = isKept ? before.verdict : (now.verdict ?? before.verdict);
  return {
    ...keepKnown(before, now),
    // Each filter may list the project with its own link. Keep the first: all links have the same key.
    url: before.url,
    description: now.description || before.description,
    skills: fuller(now.skills, before.skills),
    categories: fuller(now.categories, before.categories),
    questions: fuller(now.questions, before.questions),
    client: keepKnown(before.client, now.client),
    verdict,
  };
}

type FoundProject = Pick<SeenProject, 'project' | 'filters' | 'verdicts'>;

/** Without stored verdicts, the project's verdict belongs to the filter that found it first. */
function verdictsOf({ project: { verdict }, filters, verdicts }: FoundProject): readonly FilterVerdict[] {
  const [filter] = filters;
  return verdicts ?? (verdict && filter !== undefined ? [{ filter, verdict }] : []);
}

/** The first decided verdict in the order of the filters; if none has decided, the first undecided one. */
function firstVerdict(verdicts: readonly FilterVerdict[], filters: readonly FilterId[]) {
  const inOrder = filters.flatMap((filter) => verdicts.filter((each) => each.filter === filter));
  return (inOrder.find(hasVerdict) ?? inOrder[0])?.verdict;
}

/** The project with the verdict of these filters, or of any other filter if they have none. */
export function withFilterVerdict(seen: FoundProject, filters: readonly FilterId[]): ListedProject {
  const verdict = firstVerdict(verdictsOf(seen), [...filters, ...seen.filters]);
  return verdict === seen.project.verdict ? seen.project : { ...seen.project, verdict };
}

/** The project's data after a filter listed it, for the first time or again. */
export function mergeFilterListing(before: FoundProject, filter: FilterId, now: ListedProject): FoundProject {
  const all = verdictsOf(before);
  const own = all.find((each) => each.filter === filter)?.verdict;
  const merged = mergeProject({ ...before.project, verdict: own }, now);
  const others = all.filter((each) => each.filter !== filter);
  const verdicts = merged.verdict ? [...others, { filter, verdict: merged.verdict }] : others;
  const filters = before.filters.includes(filter) ? before.filters : [...before.filters, filter];
  const isPlain = verdicts.length === 0 || (verdicts.length === 1 && verdicts[0]?.filter === filters[0]);
  return {
    project: { ...merged, verdict: firstVerdict(verdicts, filters) },
    filters,
    verdicts: isPlain
      ? undefined
      : verdicts.toSorted((a, b) => filters.indexOf(a.filter) - filters.indexOf(b.filter)),
  };
}
