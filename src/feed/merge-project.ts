/** Merges a project that was read again: new values replace old ones, missing values keep them. Pure. */
import type { ListedProject } from '../marketplace/schema.ts';
import { isDecisionPending } from '../marketplace/wire/verdict.ts';

function fuller(now: readonly string[], before: readonly string[]): string[] {
  return [...(now.length > 0 ? now : before)];
}

/** A verdict without decision, reason and time doesn't count, nor does one whose decision is pending. */
export function hasVerdict(project: Pick<ListedProject, 'verdict'>): boolean {
  const { verdict } = project;
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
    ...before,
    ...now,
    // Each filter may list the project with its own link. Keep the first: all links have the same key.
    url: before.url,
    description: now.description || before.description,
    skills: fuller(now.skills, before.skills),
    categories: fuller(now.categories, before.categories),
    questions: fuller(now.questions, before.questions),
    client: { ...before.client, ...now.client },
    ...(verdict ? { verdict } : {}),
  };
}

/** Whether two records are equal, ignoring the order of their fields. */
export function isDeepEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const left = Object.entries(one).filter(([, value]) => value !== undefined);
  const right = new Map(Object.entries(other).filter(([, value]) => value !== undefined));
  return (
    Array.isArray(one) === Array.isArray(other) &&
    left.length === right.size &&
    left.every(([name, value]) => right.has(name) && isDeepEqual(value, right.get(name)))
  );
}
