/** What the words of an AI verdict decide. None of them are documented, so likely ones count, and others decide nothing. Pure. */
import type { Verdict } from './schema.ts';

/**
 * Before there is a verdict, or where none could be had: such words begin as a verdict does. A verdict with its reason may
 * speak of what is pending, too, so that counts only as the end of a few words.
 */
const UNDECIDED =
  /^(?:un(?:known|defined|able|decided|determined|processed|checked|clear|sure|certain|available)|none\b|n\/a|no (?:verdict|decision|result|answer)|not (?:yet|available|applicable|processed|checked|decided|determined|known|sure|clear|certain|run|started)|(?:[a-z]+ ){0,3}(?:pending|processing|in progress)$)/u;
const AGAINST = /^(?:dis|un|mis|not|non|no\b|false|reject|declin|fail|skip|irrelevant|bad|0$)/u;
const FOR = /^(?:qualif(?:y|ies|ied)\b|accept|approv|pass|yes|true|match|relevant|good|1$)/u;

function plain(decision: string): string {
  return decision
    .toLowerCase()
    .replace(/[\s_-]+/gu, ' ')
    .trim();
}

/** Whether the words say that nothing is decided yet, or can be. */
export function isDecisionPending(decision: string): boolean {
  return UNDECIDED.test(plain(decision));
}

/** Whether a project suits; undefined before that is decided, or where the words say nothing. */
export function isQualified(verdict: Pick<Verdict, 'decision'> | undefined): boolean | undefined {
  const decision = plain(verdict?.decision ?? '');
  if (UNDECIDED.test(decision)) return undefined;
  if (AGAINST.test(decision)) return false;
  return FOR.test(decision) ? true : undefined;
}
