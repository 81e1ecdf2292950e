/**
 * The AI qualifier's verdict. Only two of its fields are documented, and no words: the decision is found by
 * likely names, and likely words count. Pure.
 */
import { z } from 'zod';
import {
  isObject,
  parseBoolean,
  parseFiniteNumber,
  parseInstant,
  parseMultilineText,
  parseSingleLine,
  type UnknownFields,
  WIRE_TEXT_LENGTH_LIMITS,
} from './values.ts';

/** An AI qualifier's verdict. Fields beyond reason and time aren't documented and are kept unchanged. */
export const Verdict = z.object({
  /** The decision in the server's words, if a field with a likely name has one. */
  decision: z.string().optional(),
  reason: z.string().optional(),
  decidedAt: z.number().optional(),
  /** In the server's own, undocumented scale. */
  score: z.number().optional(),
  other: z.record(z.string(), z.unknown()),
});
export type Verdict = z.infer<typeof Verdict>;

/**
 * Words for a verdict that isn't ready or can't be had; they start the text. A verdict with its reason may
 * also mention something pending, so that counts only at the end of a few words.
 */
const UNDECIDED = new RegExp(
  '^(?:un(?:known|defined|able|decided|determined|processed|checked|clear|sure|certain|available)' +
    String.raw`|none\b|n/a|no (?:verdict|decision|result|answer)` +
    '|not (?:yet|available|applicable|processed|checked|decided|determined' +
    '|known|sure|clear|certain|run|started)' +
    '|(?:[a-z]+ ){0,3}(?:pending|processing|in progress)$)',
  'u',
);
const AGAINST = /^(?:dis|un|mis|not|non|no\b|false|reject|declin|fail|skip|irrelevant|bad|0$)/u;
const FOR = /^(?:qualif(?:y|ies|ied)\b|accept|approv|pass|yes|true|match|relevant|good|1$)/u;

function plainWords(decision: string): string {
  const lower = decision.toLowerCase();
  return lower.replace(/[\s_-]+/gu, ' ').trim();
}

/** Whether the words say that nothing is decided yet, or can't be. */
export function isDecisionPending(decision: string): boolean {
  return UNDECIDED.test(plainWords(decision));
}

/** Whether a project qualifies; undefined before the decision, or when the words are unclear. */
export function isProjectQualified(verdict: Pick<Verdict, 'decision'> | undefined): boolean | undefined {
  const decision = plainWords(verdict?.decision ?? '');
  if (UNDECIDED.test(decision)) return undefined;
  if (AGAINST.test(decision)) return false;
  return FOR.test(decision) ? true : undefined;
}

/** In order of trust. */
const DECISION_NAMES = ['decision', 'verdict', 'result', 'outcome', 'qualification', 'status', 'label'];
const YES_NAMES = ['qualified', 'isQualified', 'is_qualified', 'passed', 'isMatch', 'is_match'];
const SCORE_NAMES = ['score', 'matchScore', 'match_score', 'confidence'];
const NO_NAMES = ['disqualified', 'isDisqualified', 'is_disqualified'];

const MOST_OTHER_FIELDS = 30;
const DEEPEST = 4;

/**
 * A verdict, or undefined for a project without one. A boolean decision becomes `qualified` or
 * `disqualified`; any other decision stays in the server's words. A boolean wins over words that decide
 * nothing. Before the verdict is decided, both are ignored: the boolean may be only a default. Reason and
 * time stay undefined until then.
 */
export function parseVerdict(value: unknown): Verdict | undefined {
  const bare = decisionOf(value);
  if (bare !== undefined) return { decision: bare, other: {} };
  if (!isObject(value)) return undefined;
  const { reason, processedAt, processed_at, ...rest } = value;
  return {
    decision: findDecision(rest, stageOf(reason, processedAt ?? processed_at)),
    reason: parseMultilineText(reason, WIRE_TEXT_LENGTH_LIMITS.answer),
    decidedAt: parseInstant(processedAt ?? processed_at),
    score: parseFiniteNumber(SCORE_NAMES.map((name) => rest[name]).find((score) => score !== undefined)),
    other: boundedFields(rest, 1),
  };
}

/**
 * `undecided`: reason and time are null. `unknown`: they are missing. Source: docs/marketplace-api.md,
 * Qualification rules, 2.
 */
function stageOf(reason: unknown, processedAt: unknown): 'decided' | 'undecided' | 'unknown' {
  if ((reason ?? processedAt) !== null && (reason ?? processedAt) !== undefined) return 'decided';
  return reason === null || processedAt === null ? 'undecided' : 'unknown';
}

function findDecision(fields: UnknownFields, stage: ReturnType<typeof stageOf>): string | undefined {
  const word = DECISION_NAMES.map((name) => decisionOf(fields[name])).find((each) => each !== undefined);
  if (word !== undefined && isProjectQualified({ decision: word }) !== undefined) return word;
  if (stage === 'undecided') return undefined;
  if (word !== undefined && stage === 'unknown' && isDecisionPending(word)) return word;
  return findFlag(fields) ?? word;
}

function findFlag(fields: UnknownFields): string | undefined {
  const yes = YES_NAMES.map((name) => decisionOf(parseBoolean(fields[name])));
  const no = NO_NAMES.map((name) => {
    const is = parseBoolean(fields[name]);
    return decisionOf(is === undefined ? is : !is);
  });
  return [...yes, ...no].find((decision) => decision !== undefined);
}

function decisionOf(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'qualified' : 'disqualified';
  return typeof value === 'string' ? parseSingleLine(value) : undefined;
}

function boundedFields(fields: object, depth: number): Record<string, unknown> {
  const kept = Object.entries(fields).slice(0, MOST_OTHER_FIELDS);
  return Object.fromEntries(kept.map(([name, value]) => [name.slice(0, 100), bounded(value, depth)]));
}

function bounded(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return parseMultilineText(value, WIRE_TEXT_LENGTH_LIMITS.message) ?? '';
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return null;
  if (Array.isArray(value)) return value.slice(0, MOST_OTHER_FIELDS).map((item) => bounded(item, depth + 1));
  return boundedFields(value, depth + 1);
}
