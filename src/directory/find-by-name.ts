/** Finds the entry for an id, a name or words of a name. Pure. */
import { findNearestName, foldText, includesWords, splitWordRuns } from '../query/words.ts';

const MOST_NEAR = 5;
/** Names have fewer words, and each word is compared with all names. */
const MOST_WORDS = 8;
/** Shorter words are similar to too many names. */
const SHORTEST_NEAR = 3;

/** Straight, curly, low or angled. */
const QUOTED = /^["“”„«‘’']\s*(.*?)\s*["“”»‘’']$/su;

/** Removes surrounding quotes. */
export function withoutQuotes(words: string): string {
  const trimmed = words.trim();
  return QUOTED.exec(trimmed)?.[1] ?? trimmed;
}

/** `12` or `#12` as an id; undefined for anything else. */
function readId(words: string): number | undefined {
  const id = Number(/^#?(\d{1,15})$/u.exec(words)?.[1]);
  return id > 0 ? id : undefined;
}

interface Known {
  readonly id: number;
  readonly name: string;
}

export type NameMatch<T> =
  | { readonly kind: 'found'; readonly id: number; readonly name?: string }
  | { readonly kind: 'several'; readonly entries: readonly T[] }
  | { readonly kind: 'none'; readonly known: readonly T[] };

/**
 * Matches by id, then by the whole name (ignoring case and accents), then by words of a name. Quoted digits
 * are first tried as a name. Without a match, returns similar names.
 * @param entries of one kind
 */
export function findByNameOrId<T extends Known>(entries: readonly T[], words: string): NameMatch<T> {
  const trimmed = words.trim();
  const quoted = QUOTED.exec(trimmed)?.[1];
  const id = readId(trimmed);
  if (id !== undefined) return byId(entries, id);
  const wanted = foldText(quoted ?? trimmed);
  if (wanted === '') return { kind: 'none', known: [] };
  const names = entries.map((entry) => ({ entry, name: foldText(entry.name) }));
  const exact = names.filter(({ name }) => name === wanted);
  // Each wanted word starts a word of the name.
  const begun = names.filter(({ name }) =>
    wordsOf(wanted).every((words) => includesWords(name, { words, open: true })),
  );
  const [first, ...more] = (exact.length > 0 ? exact : begun).map(({ entry }) => entry);
  if (first && more.length > 0) return { kind: 'several', entries: [first, ...more] };
  if (first) return { kind: 'found', id: first.id, name: first.name };
  const asId = quoted === undefined ? undefined : readId(quoted);
  return asId === undefined ? { kind: 'none', known: near(names, wanted) } : byId(entries, asId);
}

function byId(entries: readonly Known[], id: number): Extract<NameMatch<never>, { kind: 'found' }> {
  const name = entries.find((each) => each.id === id)?.name;
  return { kind: 'found', id, name };
}

function wordsOf(folded: string): readonly string[] {
  const words = splitWordRuns(folded);
  return words.length > 0 ? words : [folded];
}

interface FoldedName<T> {
  readonly entry: T;
  readonly name: string;
}

function near<T>(names: readonly FoldedName<T>[], wanted: string): readonly T[] {
  const found = new Set<T>();
  takeNearest(names, wanted, found);
  for (const word of wordsOf(wanted).slice(0, MOST_WORDS)) {
    if (word.length < SHORTEST_NEAR) continue;
    const words = names.flatMap(({ entry, name }) => wordsOf(name).map((part) => ({ entry, name: part })));
    takeNearest(words, word, found);
  }
  return [...found].slice(0, MOST_NEAR);
}

function takeNearest<T>(names: readonly FoldedName<T>[], wanted: string, into: Set<T>): void {
  let left = names.filter(({ entry }) => !into.has(entry));
  while (into.size < MOST_NEAR) {
    const best = findNearestName(
      wanted,
      left.map(({ name }) => name),
    );
    if (best === undefined) return;
    for (const { entry, name } of left) if (name === best) into.add(entry);
    left = left.filter(({ name }) => name !== best);
  }
}
