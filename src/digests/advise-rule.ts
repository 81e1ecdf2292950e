/**
 * Suggests a rule that would have removed most of what a channel skipped, and hardly anything it wanted. Each
 * rule is tested on the real projects, the way the feed applies it. Pure.
 */
import type { ListedProject } from '../marketplace/schema.ts';
import { compileQualifier, type FieldValue } from '../query/match-query.ts';
import { formatQuery, parseQuery } from '../query/parse-query.ts';
import { listNamesOfCountry, projectRuleSubject, projectRuleVocabulary } from '../query/project-rules.ts';
import type { QualifierTerm } from '../query/query.ts';
import { calculatePValue, type SampleShare } from '../statistics/compare.ts';

const LEAST_SKIPPED = 5;
/** About 60 rules are tested, and any of them may look good by chance. Less significant ones are ignored. */
const MAY_BE_CHANCE = 0.01;
/**
 * A rule must remove at least this share of the skipped projects, and at most this share of the wanted ones.
 */
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
  /** How many of the `skipped` projects the rule would have removed. */
  readonly skippedWithout: number;
  readonly skipped: number;
  /** How many wanted projects the rule would have removed. */
  readonly wantedLost: number;
}

/** Mildest first within a kind: of two rules with the same effect, the first is used. */
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

/** The most frequent values, counted once per project. */
function commonest(all: readonly (readonly string[])[], most: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const each of all) for (const one of new Set(each)) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([one]) => one);
}

/** Prefers the country's two-letter code. */
function countryCode(country: string): string {
  return listNamesOfCountry(country).find((name) => /^[A-Z]{2}$/u.test(name)) ?? country;
}

/** Quoted values can't contain quotes. */
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

/** Reads each project's fields once for all rules. */
function readFields(projects: readonly ListedProject[]): (name: string) => readonly FieldValue[] {
  const subjects = projects.map(projectRuleSubject);
  const read = new Map<string, readonly FieldValue[]>();
  return (name) => {
    const known = read.get(name) ?? subjects.map((subject) => subject.fieldValue(name));
    read.set(name, known);
    return known;
  };
}

/** How useful a rule is; 0 if it removes too few of the skipped projects or too many of the wanted ones. */
function gainOf(kept: SampleShare, lost: SampleShare): number {
  const [right, wrong] = [kept.count / kept.of, lost.count / lost.of];
  if (kept.count < LEAST_SKIPPED || right < MOST_OF_SKIPPED || wrong > FEW_OF_WANTED) return 0;
  return right - 2 * wrong;
}

/** @returns undefined if there is too little data, or no rule clearly helps */
export function suggestSubscriptionRule({ skipped, wanted }: Judged): Advice | undefined {
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
