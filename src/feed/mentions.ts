/** Which people and groups a card mentions. Pure. */
import type { ListedProject } from '../marketplace/schema.ts';
import { matchesQuery } from '../query/match-query.ts';
import { parseQuery } from '../query/parse-query.ts';
import { projectRuleSubject, projectRuleVocabulary } from '../query/project-rules.ts';
import type { Card, MentionRule } from './records.ts';

/** Rules that can't be read anymore match nothing: a missing mention is better than one on every card. */
function holds(rules: string, project: ListedProject): boolean {
  if (rules === '') return true;
  const parsed = parseQuery(rules, projectRuleVocabulary);
  return parsed.kind === 'query' && matchesQuery(parsed.query, projectRuleSubject(project));
}

/** All users and groups of matching rules, without duplicates. @returns undefined if there are none */
export function resolveMentions(rules: readonly MentionRule[], project: ListedProject): Card['mention'] {
  const held = rules.filter((rule) => holds(rule.rules, project));
  const users = [...new Set(held.flatMap((rule) => rule.users))];
  const groups = [...new Set(held.flatMap((rule) => rule.groups))];
  return users.length > 0 || groups.length > 0 ? { users, groups } : undefined;
}
