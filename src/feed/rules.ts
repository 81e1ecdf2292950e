/** The rules of subscriptions: reading what was typed, and asking whether they hold for a project. Pure. */
import type { ListedProject } from '../marketplace/schema.ts';
import { matchQuery } from '../query/match-query.ts';
import { LONGEST_QUERY, parseQuery } from '../query/parse-query.ts';
import { printQuery } from '../query/print-query.ts';
import { projectRules, ruleSubject } from '../query/project-rules.ts';
import type { QueryMistake } from '../query/query.ts';

type ReadRules = { readonly kind: 'rules'; readonly printed: string } | QueryMistake;

/** @returns the rules as they are stored: printed back from what was understood. */
export function readRules(written: string): ReadRules {
  const parsed = parseQuery(written, projectRules);
  if (parsed.kind === 'mistake') return parsed;
  const printed = printQuery(parsed.query);
  // Written out (`verified:y` is `verified:yes`) they may be longer, and rules that can't be read hold for everything.
  const reread = parseQuery(printed, projectRules);
  return reread.kind === 'mistake' ? outgrown(written, printed, reread) : { kind: 'rules', printed };
}

function outgrown(written: string, printed: string, reread: QueryMistake): QueryMistake {
  const excess = printed.length - LONGEST_QUERY;
  if (excess <= 0) return reread;
  const message = `These rules expand to ${printed.length.toLocaleString('en-US')} characters. The limit is ${LONGEST_QUERY}.`;
  return { ...reread, at: Math.max(0, written.length - excess), length: excess, message };
}

/** Whether the rules wait for what the AI qualifier says. */
export function asksForVerdict(rules: string): boolean {
  const parsed = parseQuery(rules, projectRules);
  return (
    parsed.kind === 'query' &&
    parsed.query.terms.some((term) => term.kind === 'qualifier' && term.name === 'qualified')
  );
}

/**
 * Whether a subscription's rules hold. Stored rules that can't be read any more (of a newer version, say) hold for
 * everything: a card too many is better than one lost.
 */
export function holdsFor(rules: string, project: ListedProject): boolean {
  if (rules === '') return true;
  const parsed = parseQuery(rules, projectRules);
  return parsed.kind === 'mistake' || matchQuery(parsed.query, ruleSubject(project));
}
