/** Did you mean: the nearest of some names. Pure. */

/** @returns the nearest name within a third of its length in edits (at least 1), else one that it begins. */
export function nearest(written: string, names: readonly string[]): string | undefined {
  const word = written.toLowerCase().slice(0, 40);
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const name of names) {
    const edits = countEdits(word, name.toLowerCase());
    if (edits <= Math.max(1, Math.floor(name.length / 3)) && (!best || edits < best.edits))
      best = { name, edits };
  }
  if (best) return best.name;
  return word.length < 2 ? undefined : names.find((name) => name.toLowerCase().startsWith(word));
}

/** Insertions, deletions, replacements and swaps of neighbours. */
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
