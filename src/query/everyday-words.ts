/**
 * Reads a proposal search as people say it: `mara hired last month` becomes
 * `mara is:hired after:2026-10-01 before:2026-11-01`. Quoted words keep their meaning. Pure.
 */
import type { Instant } from '../clock.ts';
import { PROPOSAL_OUTCOMES, proposalSearchVocabulary } from './proposal-search.ts';
import { findQualifier, type QualifierKind } from './query.ts';
import { normalizeQueryText, type QueryToken, tokenizeQuery } from './tokenize-query.ts';

function byWord(wordsOf: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const meanings = Object.entries(wordsOf);
  return new Map(
    meanings.flatMap(([meant, words]) => words.split(' ').map((word) => [word, meant] as const)),
  );
}

/** Other names of qualifiers. */
const NAMES = byWord({
  is: 'status state result outcome',
  freelancer: 'from by person sender',
  organization: 'org agency',
  after: 'since',
  before: 'until',
  sort: 'order',
});

/** Other words for outcomes, as values of `is:`. */
const OUTCOMES = byWord({
  hired: 'won win hire',
  viewed: 'seen read',
  interviewed: 'interview interviews replied answered reply',
  invitation: 'invited invite',
  outbid: 'overbid',
} satisfies Partial<Record<(typeof PROPOSAL_OUTCOMES)[number], string>>);
/** Outcomes that are hardly meant as words of a title or letter. */
const ALONE: ReadonlySet<string> = new Set(['hired', 'interviewed', 'viewed', 'won', 'withdrawn', 'outbid']);

/** Days are UTC days, as everywhere in the search. */
function dayText(at: Instant): string {
  return new Date(at).toISOString().slice(0, 10);
}

function between(from: Instant, to?: Instant): string {
  return `after:${dayText(from)}${to === undefined ? '' : ` before:${dayText(to)}`}`;
}

const UNIT_DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

/** The longest phrases come first: "last 2 weeks" is not "last". */
const PHRASES: readonly {
  readonly words: RegExp;
  readonly read: (now: Date, found: RegExpExecArray) => string | undefined;
}[] = [
  {
    words: /^(?:(?:in )?(?:the )?(?:last|past) )(\d{1,3}) (day|week|month|year)s?$/u,
    read(_, [, count, unit = '']) {
      const days = Number(count) * (UNIT_DAYS[unit] ?? 1);
      return days > 0 ? `after:${days}d` : undefined;
    },
  },
  {
    words: /^(last|this) (week|month|year)$/u,
    read(now, [, which, unit = '']) {
      const first = firstDayOf(unit, now, 0);
      return which === 'this' ? between(first) : between(firstDayOf(unit, now, 1), first);
    },
  },
  // The last 24 hours: the person's day may have begun yesterday in UTC.
  { words: /^today$/u, read: () => 'after:1d' },
  { words: /^yesterday$/u, read: () => 'after:2d before:1d' },
];
const LONGEST_PHRASE = 5;

/** Of a week, a month or a year. @param back how many before the present one */
function firstDayOf(unit: string, now: Date, back: number): Instant {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  if (unit === 'year') return Date.UTC(year - back, 0, 1);
  if (unit === 'month') return Date.UTC(year, month - back, 1);
  const daysSinceMonday = (now.getUTCDay() + 6) % 7;
  return Date.UTC(year, month, now.getUTCDate() - daysSinceMonday - 7 * back);
}

function kindOf(name: string): QualifierKind | undefined {
  return findQualifier(proposalSearchVocabulary, NAMES.get(name.toLowerCase()) ?? name);
}

type Edit = Pick<QueryToken, 'at' | 'end'> & { readonly instead: string };

/**
 * The search in the query language; the same text if there is nothing to translate. The result may contain
 * mistakes that were in the text.
 */
export function translateEverydayWords(written: string, now: Instant): string {
  const { text } = normalizeQueryText(written);
  const tokens = tokenizeQuery(text, kindOf);
  const edits: Edit[] = [];
  for (let place = 0; place < tokens.length; ) {
    const phrase = readPhrase(tokens, place, now);
    if (phrase) edits.push(phrase.edit);
    else edits.push(...readToken(tokens[place], now));
    place += phrase?.count ?? 1;
  }
  if (edits.length === 0) return written;
  return edits.reduceRight(
    (done, { at, end, instead }) => done.slice(0, at) + instead + done.slice(end),
    text,
  );
}

/** A date of several words, such as `last month`. */
function readPhrase(tokens: readonly QueryToken[], place: number, now: Instant) {
  for (let count = Math.min(LONGEST_PHRASE, tokens.length - place); count > 0; count--) {
    const taken = tokens.slice(place, place + count);
    const words = taken.flatMap(({ what, negated }) =>
      what.kind === 'word' && !negated ? [what.text.toLowerCase()] : [],
    );
    if (words.length < count) continue;
    const instead = readDate(words.join(' '), now);
    const [first] = taken;
    if (instead !== undefined && first)
      return { edit: { at: first.at, end: taken.at(-1)?.end ?? first.end, instead }, count };
  }
  return undefined;
}

function readDate(words: string, now: Instant): string | undefined {
  for (const phrase of PHRASES) {
    const found = phrase.words.exec(words);
    if (found) return phrase.read(new Date(now), found);
  }
  return undefined;
}

function readToken(token: QueryToken | undefined, now: Instant): readonly Edit[] {
  if (token?.what.kind === 'word') {
    const word = token.what.text.toLowerCase();
    const outcome = PROPOSAL_OUTCOMES.find((each) => each === word) ?? OUTCOMES.get(word);
    if (!ALONE.has(word) || outcome === undefined) return [];
    return [{ at: token.at, end: token.end, instead: `${token.negated ? '-' : ''}is:${outcome}` }];
  }
  return token?.what.kind === 'qualifier' ? readQualifier(token, token.what, now) : [];
}

function readQualifier(
  token: QueryToken,
  what: Extract<QueryToken['what'], { kind: 'qualifier' }>,
  now: Instant,
): readonly Edit[] {
  const written = what.name.toLowerCase();
  const name = NAMES.get(written) ?? written;
  // `after:last month` and `since:yesterday` contain a date that says both ends.
  const [first] = what.values;
  if ((name === 'after' || name === 'before') && first && what.values.length === 1) {
    const date = readDate(first.text.toLowerCase().replace(/[-_]/gu, ' '), now);
    const from = date && /after:(\S+)/u.exec(date)?.[1];
    if (from) return [{ at: token.at, end: token.end, instead: `${name}:${from}` }];
  }
  const renamed: Edit[] = findQualifier(proposalSearchVocabulary, what.name)
    ? []
    : [{ at: what.nameAt, end: what.nameAt + what.name.length, instead: name }];
  if (name !== 'is') return kindOf(what.name) === undefined ? [] : renamed;
  return [
    ...renamed,
    ...what.values.flatMap(({ at, end, text }) => {
      const outcome = OUTCOMES.get(text.toLowerCase());
      return outcome === undefined ? [] : [{ at, end, instead: outcome }];
    }),
  ];
}
