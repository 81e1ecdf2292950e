/** AI verdicts per filter: two filters may judge the same project differently. Pure. */
import type { FilterId } from '../ids.ts';
import type { ListedProject, Verdict } from '../marketplace/schema.ts';
import { hasVerdict, mergeProject } from './merge-project.ts';
import type { FilterVerdict, SeenProject } from './records.ts';

type FoundProject = Pick<SeenProject, 'project' | 'filters' | 'verdicts'>;

/** Without stored verdicts, the project's verdict belongs to the filter that found it first. */
function verdictsOf({ project: { verdict }, filters, verdicts }: FoundProject): readonly FilterVerdict[] {
  const [filter] = filters;
  return verdicts ?? (verdict && filter !== undefined ? [{ filter, verdict }] : []);
}

/** The first decided verdict in the order of the filters; if none has decided, the first undecided one. */
function firstVerdict(verdicts: readonly FilterVerdict[], filters: readonly FilterId[]): Verdict | undefined {
  const inOrder = filters.flatMap((filter) => verdicts.filter((each) => each.filter === filter));
  return (inOrder.find(hasVerdict) ?? inOrder[0])?.verdict;
}

function withVerdict(project: ListedProject, verdict: Verdict | undefined): ListedProject {
  const { verdict: _, ...rest } = project;
  return verdict ? { ...rest, verdict } : rest;
}

/** The project with the verdict of these filters, or of any other filter if they have none. */
export function withFilterVerdict(seen: FoundProject, filters: readonly FilterId[]): ListedProject {
  const verdict = firstVerdict(verdictsOf(seen), [...filters, ...seen.filters]);
  return verdict === seen.project.verdict ? seen.project : withVerdict(seen.project, verdict);
}

/** The project's data after a filter listed it, for the first time or again. */
export function mergeFilterListing(before: FoundProject, filter: FilterId, now: ListedProject): FoundProject {
  const all = verdictsOf(before);
  const own = all.find((each) => each.filter === filter)?.verdict;
  const merged = mergeProject(withVerdict(before.project, own), now);
  const others = all.filter((each) => each.filter !== filter);
  const verdicts = merged.verdict ? [...others, { filter, verdict: merged.verdict }] : others;
  const filters = before.filters.includes(filter) ? before.filters : [...before.filters, filter];
  const isPlain = verdicts.length === 0 || (verdicts.length === 1 && verdicts[0]?.filter === filters[0]);
  return {
    project: withVerdict(merged, firstVerdict(verdicts, filters)),
    filters,
    ...(isPlain
      ? {}
      : { verdicts: verdicts.toSorted((a, b) => filters.indexOf(a.filter) - filters.indexOf(b.filter)) }),
  };
}
