/** Finds the nearest names for "Did you mean". Pure. */

const MOST = 3;

/**
 * At most three nearest names; ties keep the given order. They are within a third of their length in edits
 * (at least 1). If there are none, the names that start with the written text.
 */
export function findNearestNames(written: string, names: readonly string[]): readonly string[] {
  const word = written.toLowerCase().slice(0, 40);
  let best: string[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const edits = countEdits(word, name.toLowerCase());
    if (edits > Math.max(1, Math.floor(name.length / 3)) || edits > least) continue;
    if (edits < least) best = [];
    least = edits;
    best.push(name);
  }
  if (best.length === 0 && word.length >= 2)
    best = names.filter((name) => name.toLowerCase().startsWith(word));
  return best.slice(0, MOST);
}

export function findNearestName(written: string, names: readonly string[]): string | undefined {
  return findNearestNames(written, names)[0];
}

/** Insertions, deletions, replacements and swaps of neighbors. */
export function countEdits(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : replaced;
      row.push(Math.min(replaced, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
