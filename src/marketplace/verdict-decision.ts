/**
 * What the words of an AI verdict decide. No words are documented: likely ones count, others decide nothing.
 * Pure.
 */
import type { Verdict } from './schema.ts';

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

function plain(decision: string): string {
  return decision
    .toLowerCase()
    .replace(/[\s_-]+/gu, ' ')
    .trim();
}

/** Whether the words say that nothing is decided yet, or can't be. */
export function isDecisionPending(decision: string): boolean {
  return UNDECIDED.test(plain(decision));
}

/** Whether a project qualifies; undefined before the decision, or when the words are unclear. */
export function isProjectQualified(verdict: Pick<Verdict, 'decision'> | undefined): boolean | undefined {
  const decision = plain(verdict?.decision ?? '');
  if (UNDECIDED.test(decision)) return undefined;
  if (AGAINST.test(decision)) return false;
  return FOR.test(decision) ? true : undefined;
}
