/** The rules of subscriptions: reading what was typed, and asking whether they hold for a project. Pure. */
import type { ListedProject } from '../marketplace/schema.ts';
import { matchQuery } from '../query/match-query.ts';
import { parseQuery } from '../query/parse-query.ts';
import { printQuery } from '../query/print-query.ts';
import { projectRules, ruleSubject } from '../query/project-rules.ts';
import type { QueryMistake } from '../query/query.ts';

type ReadRules = { readonly kind: 'rules'; readonly printed: string } | QueryMistake;

/** @returns the rules as they are stored: printed back from what was understood. */
export function readRules(written: string): ReadRules {
  const parsed = parseQuery(written, projectRules);
  return parsed.kind === 'mistake' ? parsed : { kind: 'rules', printed: printQuery(parsed.query) };
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
