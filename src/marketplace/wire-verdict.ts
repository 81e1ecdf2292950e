/** The AI qualifier's verdict: only two of its fields are documented, so the decision is looked for by likely names. */
import type { Verdict } from './schema.ts';
import { flag, instant, isObject, known, line, MOST, number, text } from './wire-values.ts';

/** In the order of trust. */
const DECISION_NAMES = [
  'decision',
  'verdict',
  'result',
  'outcome',
  'qualification',
  'status',
  'label',
] as const;
const YES_NAMES = ['qualified', 'isQualified', 'is_qualified', 'passed', 'isMatch', 'is_match'] as const;
const SCORE_NAMES = ['score', 'matchScore', 'match_score', 'confidence'] as const;
const NO_NAMES = ['disqualified', 'isDisqualified', 'is_disqualified'] as const;

const MOST_OTHER_FIELDS = 30;
const DEEPEST = 4;

/**
 * A verdict, or undefined for a project without one. A decision told by a boolean reads `qualified` or `disqualified`;
 * every other decision is kept in the server's words. Reason and time stay undefined until a verdict is decided.
 */
export function readVerdict(value: unknown): Verdict | undefined {
  const bare = decisionOf(value);
  if (bare !== undefined) return { decision: bare, other: {} };
  if (!isObject(value)) return undefined;
  const { reason, processedAt, processed_at, ...rest } = value;
  return known({
    decision: findDecision(rest),
    reason: text(reason, MOST.answer),
    decidedAt: instant(processedAt ?? processed_at),
    score: number(SCORE_NAMES.map((name) => rest[name]).find((score) => score !== undefined)),
    other: keepBounded(rest),
  });
}

function findDecision(fields: Readonly<Record<string, unknown>>): string | undefined {
  const told = DECISION_NAMES.map((name) => decisionOf(fields[name]));
  const yes = YES_NAMES.map((name) => decisionOf(flag(fields[name])));
  const no = NO_NAMES.map((name) => flag(fields[name])).map((is) => decisionOf(is === undefined ? is : !is));
  return [...told, ...yes, ...no].find((decision) => decision !== undefined);
}

function decisionOf(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'qualified' : 'disqualified';
  return typeof value === 'string' ? line(value) : undefined;
}

function keepBounded(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = Object.entries(fields).slice(0, MOST_OTHER_FIELDS);
  return Object.fromEntries(kept.map(([name, value]) => [name.slice(0, 100), bounded(value, 1)]));
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return text(value, MOST.message) ?? '';
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return null;
  if (Array.isArray(value)) return value.slice(0, MOST_OTHER_FIELDS).map((item) => bounded(item, depth + 1));
  const kept = Object.entries(value).slice(0, MOST_OTHER_FIELDS);
  return Object.fromEntries(kept.map(([name, item]) => [name.slice(0, 100), bounded(item, depth + 1)]));
}
