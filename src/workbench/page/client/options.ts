/** Filtering and choosing options. Pure. */
import type { ShownElement, ShownOption } from '../protocol.ts';

export interface OptionGroup {
  readonly label?: string;
  readonly options: readonly ShownOption[];
}

export function listOptionGroups(element: Pick<ShownElement, 'options' | 'groups'>): readonly OptionGroup[] {
  if (element.groups && element.groups.length > 0) return element.groups;
  return element.options && element.options.length > 0 ? [{ options: element.options }] : [];
}

function plain(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Options that contain every typed word in their text or description. Accents and case don't matter. */
export function filterGroups(groups: readonly OptionGroup[], query: string): readonly OptionGroup[] {
  const words = plain(query).split(/\s+/u).filter(Boolean);
  if (words.length === 0) return groups;
  const fits = ({ text, description = '' }: ShownOption) => {
    const all = plain(`${text} ${description}`);
    return words.every((word) => all.includes(word));
  };
  return groups
    .map((group) => ({ ...group, options: group.options.filter(fits) }))
    .filter(({ options }) => options.length > 0);
}

/** Adds or removes an option; adds nothing beyond `max`. The result is in the order of choosing. */
export function toggleOption(chosen: readonly string[], value: string, max = Infinity): readonly string[] {
  if (chosen.includes(value)) return chosen.filter((each) => each !== value);
  return chosen.length < max ? [...chosen, value] : chosen;
}

/** The marked index after an arrow key; wraps around at both ends. -1: nothing is marked. */
export function nextMarkedIndex(at: number, by: number, count: number): number {
  if (count === 0) return -1;
  if (at === -1) return by > 0 ? 0 : count - 1;
  return (at + by + count) % count;
}
