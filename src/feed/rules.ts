/** Parses the rules of subscriptions, and checks whether a project matches them. Pure. */
import type { ListedProject } from '../marketplace/schema.ts';
import { matchesQuery } from '../query/match-query.ts';
import { formatQuery, MAX_QUERY_LENGTH, parseQuery } from '../query/parse-query.ts';
import { projectRuleSubject, projectRuleVocabulary } from '../query/project-rules.ts';
import type { QueryError } from '../query/query.ts';

type ReadRules = { readonly kind: 'rules'; readonly printed: string } | QueryError;

/** @returns the rules as they are stored: normalized by printing the parsed query */
export function parseRules(written: string): ReadRules {
  const parsed = parseQuery(written, projectRuleVocabulary);
  if (parsed.kind === 'mistake') return parsed;
  const printed = formatQuery(parsed.query);
  // Normalized rules may be longer (`verified:y` becomes `verified:yes`), and unreadable rules match
  // everything.
  const reread = parseQuery(printed, projectRuleVocabulary);
  return reread.kind === 'mistake' ? outgrown(written, printed, reread) : { kind: 'rules', printed };
}

function outgrown(written: string, printed: string, reread: QueryError): QueryError {
  const excess = printed.length - MAX_QUERY_LENGTH;
  if (excess <= 0) return reread;
  const expanded = printed.length.toLocaleString('en-US');
  const message = `These rules expand to ${expanded} characters. The limit is ${MAX_QUERY_LENGTH}.`;
  return { ...reread, at: Math.max(0, written.length - excess), length: excess, message };
}

/** Whether the rules use the AI qualifier's verdict. */
export function doRulesUseVerdict(rules: string): boolean {
  const parsed = parseQuery(rules, projectRuleVocabulary);
  return (
    parsed.kind === 'query' &&
    parsed.query.terms.some((term) => term.kind === 'qualifier' && term.name === 'qualified')
  );
}

/**
 * Whether a project matches a subscription's rules. Stored rules that can't be parsed (for example, from a
 * newer version) match everything: an extra card is better than a missing one.
 */
export function matchesRules(rules: string, project: ListedProject): boolean {
  if (rules === '') return true;
  const parsed = parseQuery(rules, projectRuleVocabulary);
  return parsed.kind === 'mistake' || matchesQuery(parsed.query, projectRuleSubject(project));
}
