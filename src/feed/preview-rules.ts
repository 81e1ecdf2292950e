/** What rules and mutes would have done with projects that are already known. Pure. */
import type { ListedProject } from '../marketplace/schema.ts';
import { createRulesMatcher, isProjectMuted } from './decide-card.ts';
import type { Mute } from './records.ts';

/** What a channel wants: rules in the query language (empty: every project), and what it mutes. */
export interface PreviewedChoices {
  readonly rules?: string;
  readonly mutes?: readonly Pick<Mute, 'kind' | 'value'>[];
}

export interface RulesPreview<T> {
  /** In the given order. */
  readonly posted: readonly T[];
  readonly hidden: readonly T[];
}

/**
 * Divides known projects into those that the choices let through and those that they hide. Rules that can't
 * be parsed hide nothing, as for real cards: parse typed rules first (`parseRules`).
 * @param known such as the newest 20 projects of a filter, or the newest 50 cards of a channel
 */
export function previewRules<T extends ListedProject>(
  known: readonly T[],
  { rules = '', mutes = [] }: PreviewedChoices,
): RulesPreview<T> {
  const posted: T[] = [];
  const hidden: T[] = [];
  const matches = createRulesMatcher(rules);
  for (const project of known) {
    const isPosted = matches(project) && !isProjectMuted(project, mutes);
    (isPosted ? posted : hidden).push(project);
  }
  return { posted, hidden };
}

export interface RulesComparison<T> {
  /** Shown by both. */
  readonly kept: readonly T[];
  /** Shown now, and hidden by the other choices. */
  readonly hidden: readonly T[];
  /** Hidden now, and shown by the other choices. */
  readonly added: readonly T[];
}

/** What would change for known projects if `wanted` replaced `now`. Each list is in the given order. */
export function comparePreviews<T extends ListedProject>(
  known: readonly T[],
  now: PreviewedChoices,
  wanted: PreviewedChoices,
): RulesComparison<T> {
  const before = new Set(previewRules(known, now).posted);
  const after = new Set(previewRules(known, wanted).posted);
  return {
    kept: known.filter((each) => before.has(each) && after.has(each)),
    hidden: known.filter((each) => before.has(each) && !after.has(each)),
    added: known.filter((each) => !before.has(each) && after.has(each)),
  };
}
