/** Guesses what a mistyped word was meant to be. Pure. */

/** How many letters must be put in, left out, changed, or swapped with their neighbour to get from one to the other. */
export function distance(a: string, b: string): number {
  let last: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const kept = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (last[j - 2] ?? 0) + 1 : kept;
      next.push(Math.min(kept, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [last, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

const LONGEST_WORD = 40;

/** @returns the known word that begins so or is at most a third of its letters away; undefined when none is near. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  if (word === '' || word.length > LONGEST_WORD) return undefined;
  const begins = known.find((it) => word.length > 1 && it.startsWith(word));
  if (begins) return begins;
  const ranked = known
    .map((it) => ({ it, far: distance(word, it) }))
    .filter(({ it, far }) => far <= Math.max(1, Math.floor(it.length / 3)))
    .sort((a, b) => a.far - b.far);
  return ranked[0]?.it;
}
