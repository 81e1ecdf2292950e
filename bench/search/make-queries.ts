/** The kinds of queries people search with, made from words of the proposals. */
import type { RandomSource } from '../../src/clock.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import { foldText, splitWords } from '../../src/query/words.ts';

export interface QueryKind {
  readonly kind: string;
  readonly make: () => string;
}

export function makeQueryKinds(proposals: readonly Proposal[], random: RandomSource): readonly QueryKind[] {
  const ranked = rankWords(proposals);
  const below = (count: number) => Math.floor(random() * count);
  const word = (from: number, to: number) => ranked[from + below(Math.min(to, ranked.length) - from)] ?? '';
  const frequent = () => word(0, 40);
  const usual = () => word(40, 400);
  const rare = () => word(1_000, 20_000);
  const phrase = () => {
    const words = splitWords(foldText(proposals[below(proposals.length)]?.coverLetter ?? ''));
    const at = below(words.length - 3);
    return `"${words.slice(at, at + 2 + below(2)).join(' ')}"`;
  };
  const month = () => `2026-0${1 + below(9)}-01`;
  return [
    { kind: 'newest first only', make: () => '' },
    { kind: 'a common word', make: usual },
    { kind: 'a rare word', make: rare },
    { kind: 'three common words', make: () => `${usual()} ${usual()} ${usual()}` },
    { kind: 'a prefix of two letters', make: () => usual().slice(0, 2) },
    { kind: 'a phrase from a cover letter', make: phrase },
    { kind: 'a phrase of common words', make: () => `"${frequent()} ${frequent()}"` },
    { kind: 'exclusions', make: () => `-${usual()} -"${frequent()} ${frequent()}"` },
    { kind: 'words by relevance', make: () => `${usual()} ${frequent()} sort:relevance` },
    { kind: 'one typo', make: () => swap(word(40, 20_000)) },
    { kind: 'a typo and more', make: () => `${swap(word(40, 20_000))} is:hired ${usual()}` },
    { kind: 'no matches', make: () => `${usual()} ${rare()} zzz is:hired boost:>10` },
    { kind: 'one qualifier', make: () => `template:${usual()}` },
    {
      kind: 'five qualifiers',
      make: () => `is:viewed,hired -is:archived template:short connects:>${5 + below(10)} after:${month()}`,
    },
    { kind: 'words and qualifiers', make: () => `${usual()} is:viewed after:${month()} -${usual()}` },
    { kind: 'sorted by boost', make: () => `${frequent()} sort:boost` },
  ];
}

/** Letters-only words, the most frequent first. */
function rankWords(proposals: readonly Proposal[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { coverLetter } of proposals)
    for (const word of splitWords(foldText(coverLetter))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts].filter(([word]) => /^[a-z]{2,}$/.test(word));
  return words.sort(([, a], [, b]) => b - a).map(([word]) => word);
}

function swap(word: string): string {
  return word.length < 6 ? `${word}x` : word.slice(0, 2) + word.charAt(3) + word.charAt(2) + word.slice(4);
}
