/** Which of a person's rules a project matches. Rules are parsed once, not for each project. */
import { putBounded } from '../base/put-bounded.ts';
import { withFilterVerdict } from '../feed/merge-project.ts';
import { matchesQuery, type QuerySubject } from '../query/match-query.ts';
import { parseQuery } from '../query/parse-query.ts';
import { projectRuleSubject, projectRuleVocabulary } from '../query/project-rules.ts';
import type { Query } from '../query/query.ts';
import {
  type Follower,
  type FollowPlace,
  type FollowRule,
  MAX_FOLLOW_RULES,
  MAX_FOLLOWERS,
} from './records.ts';

type FoundProject = Parameters<typeof withFilterVerdict>[0];

export class RuleMatcher {
  readonly #queries = new Map<string, Query | undefined>();

  /** For one project, which many people's rules are compared with. */
  forProject(seen: FoundProject): ProjectMatcher {
    return new ProjectMatcher(seen, (rules) => this.#parse(rules));
  }

  /** Rules that can't be read (from a newer version) match nothing: an extra message is worse than none. */
  #parse(rules: string): Query | undefined {
    if (this.#queries.has(rules)) return this.#queries.get(rules);
    const parsed = parseQuery(rules, projectRuleVocabulary);
    const query = parsed.kind === 'query' ? parsed.query : undefined;
    putBounded(this.#queries, rules, query, MAX_FOLLOWERS * MAX_FOLLOW_RULES);
    return query;
  }
}

export class ProjectMatcher {
  readonly #seen: FoundProject;
  readonly #parse: (rules: string) => Query | undefined;
  readonly #subjects = new Map<string, QuerySubject>();

  constructor(seen: FoundProject, parse: (rules: string) => Query | undefined) {
    this.#seen = seen;
    this.#parse = parse;
  }

  /** @param places where it was found, without channels that the person isn't in */
  matchesRule(
    { filter, rules }: Pick<FollowRule, 'filter' | 'rules'>,
    places: readonly FollowPlace[],
  ): boolean {
    const filters = places.flatMap((it) => (filter === undefined || it.filter === filter ? [it.filter] : []));
    if (filters.length === 0) return false;
    if (rules === '') return true;
    const query = this.#parse(rules);
    return query !== undefined && matchesQuery(query, this.#subjectOf(filters));
  }

  /** The AI's verdict may differ by filter. */
  #subjectOf(filters: FollowPlace['filter'][]): QuerySubject {
    const key = filters.join();
    const known = this.#subjects.get(key);
    if (known) return known;
    const subject = projectRuleSubject(withFilterVerdict(this.#seen, filters));
    this.#subjects.set(key, subject);
    return subject;
  }

  /** The first rule that matches. @param since only rules that existed by then; missing: all */
  findRule(
    { rules }: Pick<Follower, 'rules'>,
    places: readonly FollowPlace[],
    since?: number,
  ): FollowRule | undefined {
    return rules.find((rule) => (since === undefined || rule.at <= since) && this.matchesRule(rule, places));
  }
}

/** Both, each once. */
export function mergePlaces(a: readonly FollowPlace[], b: readonly FollowPlace[]): FollowPlace[] {
  const merged = [...a];
  for (const each of b)
    if (!merged.some(({ channel, filter }) => channel === each.channel && filter === each.filter))
      merged.push(each);
  return merged;
}
