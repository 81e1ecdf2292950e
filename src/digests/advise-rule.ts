/**
 * A rule that would have kept away most of what a channel skipped, and hardly anything that it wanted. Nothing is guessed: a
 * rule is tried on the very projects, as the feed would try it. Pure.
 */
import type { ListedProject } from '../marketplace/schema.ts';
import { countryNames } from '../query/countries.ts';
import { compileQualifier, type FieldValue } from '../query/match-query.ts';
import { parseQuery } from '../query/parse-query.ts';
import { formatQuery } from '../query/print-query.ts';
import { projectRuleSubject, projectRuleVocabulary } from '../query/project-rules.ts';
import type { QualifierTerm } from '../query/query.ts';
import { calculatePValue, type SampleShare } from '../statistics/significance.ts';

/** Fewer say nothing. */
const LEAST_SKIPPED = 5;
/** Some sixty rules are tried, and each may look good by chance: those that do so more easily than this are passed over. */
const MAY_BE_CHANCE = 0.01;
/** Shares of those skipped, and of those wanted, that a rule has to keep away and may keep away. */
const MOST_OF_SKIPPED = 0.6;
const FEW_OF_WANTED = 0.1;
const COUNTRIES = 5;
const SKILLS = 10;

interface Judged {
  readonly skipped: readonly ListedProject[];
  /** Claimed, or bid on. */
  readonly wanted: readonly ListedProject[];
}

interface Advice {
  /** In the query language. */
  readonly rule: string;
  /** How many of those skipped it would have kept away, of how many. */
  readonly skippedWithout: number;
  readonly skipped: number;
  /** How many that were wanted it would have kept away. */
  readonly wantedLost: number;
}

/** Within a kind the gentlest first: of two rules that do the same, the first is taken. */
const FIXED_RULES: readonly string[] = [
  'verified:yes',
  'qualified:yes',
  ...['>0', '>=3', '>=10'].map((hires) => `hires:${hires}`),
  ...[3, 3.5, 4, 4.5, 4.8].map((stars) => `rating:>=${stars}`),
  ...[20, 30, 40, 50, 60, 70, 80].map((ratio) => `hirerate:>=${ratio}%`),
  ...[100, 1_000, 5_000, 10_000, 50_000].map((dollars) => `spent:>=${dollars}`),
  ...[20, 30, 50, 100, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000].map(
    (dollars) => `budget:>=${dollars}`,
  ),
  ...[5, 4, 3, 2, 1].map((questions) => `questions:<=${questions}`),
  'type:fixed',
  'type:hourly',
];

/** The commonest of what the projects have, each counted once a project. */
function commonest(all: readonly (readonly string[])[], most: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const each of all) for (const one of new Set(each)) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([one]) => one);
}

/** A country by its short code where it has one. */
function countryCode(country: string): string {
  return countryNames(country).find((name) => /^[A-Z]{2}$/u.test(name)) ?? country;
}

/** Quotes can't stand in quotes. */
function isWritable(value: string): boolean {
  return value.length <= 40 && /^[\p{L}\p{N}][^"“”„«»\p{C}]*$/u.test(value);
}

function candidates(skipped: readonly ListedProject[]): readonly string[] {
  const countries = commonest(
    skipped.map(({ client }) => (client.country ? [countryCode(client.country)] : [])),
    COUNTRIES,
  );
  const skills = commonest(
    skipped.map((project) => project.skills),
    SKILLS,
  );
  return [
    ...FIXED_RULES,
    ...countries.filter(isWritable).map((country) => `-country:"${country}"`),
    ...skills.filter(isWritable).map((skill) => `-skill:"${skill}"`),
  ];
}

interface ReadRule {
  readonly term: QualifierTerm;
  readonly printed: string;
}

function readRule(written: string): ReadRule | undefined {
  const parsed = parseQuery(written, projectRuleVocabulary);
  if (parsed.kind === 'mistake') return undefined;
  const [term] = parsed.query.terms;
  return term?.kind === 'qualifier' ? { term, printed: formatQuery(parsed.query) } : undefined;
}

/** What a rule may ask for, read off each project once for all rules. */
function readFields(projects: readonly ListedProject[]): (name: string) => readonly FieldValue[] {
  const subjects = projects.map(projectRuleSubject);
  const read = new Map<string, readonly FieldValue[]>();
  return (name) => {
    const known = read.get(name) ?? subjects.map((subject) => subject.fieldValue(name));
    read.set(name, known);
    return known;
  };
}

/** How much better than nothing a rule is; 0 where it keeps away too little of what was skipped, or too much of the rest. */
function gainOf(kept: SampleShare, lost: SampleShare): number {
  const [right, wrong] = [kept.count / kept.of, lost.count / lost.of];
  if (kept.count < LEAST_SKIPPED || right < MOST_OF_SKIPPED || wrong > FEW_OF_WANTED) return 0;
  return right - 2 * wrong;
}

/** @returns undefined where too little is known, or no rule is a clear gain */
export function adviseRule({ skipped, wanted }: Judged): Advice | undefined {
  if (skipped.length < LEAST_SKIPPED || wanted.length === 0) return undefined;
  const [ofSkipped, ofWanted] = [readFields(skipped), readFields(wanted)];
  let best: Advice | undefined;
  let bestGain = 0;
  for (const written of candidates(skipped)) {
    const rule = readRule(written);
    if (!rule) continue;
    const { name, negated } = rule.term;
    const holds = compileQualifier(rule.term, 0);
    const keptAway = (values: readonly FieldValue[]) =>
      values.filter((value) => holds(value) === negated).length;
    const skippedWithout = keptAway(ofSkipped(name));
    const wantedLost = keptAway(ofWanted(name));
    const kept = { count: skippedWithout, of: skipped.length };
    const lost = { count: wantedLost, of: wanted.length };
    const gain = gainOf(kept, lost);
    if (gain <= bestGain || calculatePValue(kept, lost) > MAY_BE_CHANCE) continue;
    bestGain = gain;
    best = { rule: rule.printed, skippedWithout, skipped: skipped.length, wantedLost };
  }
  return best;
}
