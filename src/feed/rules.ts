/** The rules of subscriptions: reading what was typed, and asking whether they hold for a project. Pure. */
import type { ListedProject } from '../marketplace/schema.ts';
import { matchesQuery } from '../query/match-query.ts';
import { MAX_QUERY_LENGTH, parseQuery } from '../query/parse-query.ts';
import { formatQuery } from '../query/print-query.ts';
import { projectRuleSubject, projectRuleVocabulary } from '../query/project-rules.ts';
import type { QueryError } from '../query/query.ts';

type ReadRules = { readonly kind: 'rules'; readonly printed: string } | QueryError;

/** @returns the rules as they are stored: printed back from what was understood. */
export function parseRules(written: string): ReadRules {
  const parsed = parseQuery(written, projectRuleVocabulary);
  if (parsed.kind === 'mistake') return parsed;
  const printed = formatQuery(parsed.query);
  // Written out (`verified:y` is `verified:yes`) they may be longer, and rules that can't be read hold for everything.
  const reread = parseQuery(printed, projectRuleVocabulary);
  return reread.kind === 'mistake' ? outgrown(written, printed, reread) : { kind: 'rules', printed };
}

function outgrown(written: string, printed: string, reread: QueryError): QueryError {
  const excess = printed.length - MAX_QUERY_LENGTH;
  if (excess <= 0) return reread;
  const message = `These rules expand to ${printed.length.toLocaleString('en-US')} characters. The limit is ${MAX_QUERY_LENGTH}.`;
  return { ...reread, at: Math.max(0, written.length - excess), length: excess, message };
}

/** Whether the rules wait for what the AI qualifier says. */
export function needsVerdict(rules: string): boolean {
  const parsed = parseQuery(rules, projectRuleVocabulary);
  return (
    parsed.kind === 'query' &&
    parsed.query.terms.some((term) => term.kind === 'qualifier' && term.name === 'qualified')
  );
}

/**
 * Whether a subscription's rules hold. Stored rules that can't be read any more (of a newer version, say) hold for
 * everything: a card too many is better than one lost.
 */
export function matchesRules(rules: string, project: ListedProject): boolean {
  if (rules === '') return true;
  const parsed = parseQuery(rules, projectRuleVocabulary);
  return parsed.kind === 'mistake' || matchesQuery(parsed.query, projectRuleSubject(project));
}
