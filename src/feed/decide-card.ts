/**
 * Decides what a channel does with a project that one of its filters found, and who is mentioned; and what
 * rules and mutes would have done with known projects. Pure.
 */
import type { Instant } from '../clock.ts';
import type { FilterId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { matchesQuery } from '../query/match-query.ts';
import { formatQuery, MAX_QUERY_LENGTH, parseQuery } from '../query/parse-query.ts';
import { listNamesOfCountry, projectRuleSubject, projectRuleVocabulary } from '../query/project-rules.ts';
import type { QueryError } from '../query/query.ts';
import { foldText } from '../query/words.ts';
import type { Card, MentionRule, Mute, MuteTarget } from './records.ts';

interface CardDecisionInput {
  readonly project: ListedProject;
  /** When it was published, or the closest known time. */
  readonly publishedAt: Instant;
  readonly filter: FilterId;
  readonly card?: Pick<Card, 'state' | 'because' | 'filters'>;
  readonly matches: boolean;
  /** Projects published before this are in the past. */
  readonly startsAt: Instant;
  /** The channel requested a backfill and wants more projects of it. */
  readonly wantsPast: boolean;
  readonly mutes: readonly Mute[];
  /** The channel shared the cost and is not paused. */
  readonly canPostNow: boolean;
  /** Fields of a known project have changed. */
  readonly changed: boolean;
}

interface CardDecision {
  readonly state: Card['state'];
  readonly because?: Card['because'];
  readonly filters: readonly FilterId[];
  /** Counts as one of the requested past projects. */
  readonly past: boolean;
}

/** The first mute that matches. A word matches whole words; a country matches its name and its code. */
export function findMute<M extends MuteTarget>(project: ListedProject, mutes: readonly M[]): M | undefined {
  if (mutes.length === 0) return undefined;
  const subject = projectRuleSubject(project);
  const countries = listNamesOfCountry(project.client.country ?? '').map(foldText);
  return mutes.find(({ kind, value }) => {
    if (foldText(value) === '') return false;
    if (kind === 'country') return countries.includes(foldText(value));
    return matchesQuery({ terms: [{ kind: 'phrase', text: value, negated: false }] }, subject);
  });
}

export function isProjectMuted(project: ListedProject, mutes: readonly MuteTarget[]): boolean {
  return findMute(project, mutes) !== undefined;
}

/** Whether an earlier decision stays, because nothing relevant has changed. */
function isDecisionFinal(question: CardDecisionInput): boolean {
  const { card } = question;
  if (!card) return false;
  if (card.state !== 'suppressed') return true;
  if (question.wantsPast && card.because === 'past') return false;
  if (!card.filters.includes(question.filter)) return false;
  return !(question.changed && card.because === 'no-match');
}

/** The card as it should be; equal to `card` if nothing changes. */
export function decideCard(question: CardDecisionInput): CardDecision {
  const { card, filter } = question;
  const filters = card?.filters.includes(filter) ? card.filters : [...(card?.filters ?? []), filter];
  if (card && isDecisionFinal(question))
    return { state: card.state, filters, past: false, because: card.because };
  const isPast = question.publishedAt < question.startsAt;
  const suppress = (because: Card['because']) =>
    ({ state: 'suppressed', because, filters, past: false }) as const;
  if (isPast && !question.wantsPast) return suppress('past');
  if (!question.matches) return suppress('no-match');
  if (isProjectMuted(question.project, question.mutes)) return suppress('muted');
  return { state: question.canPostNow ? 'posted' : 'deferred', filters, past: isPast };
}

/**
 * The filters whose rules the project passed, once `filter` listed it. A card that was posted because of a
 * filter keeps naming it, even if the project changes.
 * @returns undefined for suppressed cards, and for shared ones, which don't know
 */
export function addPassedFilter(
  card: Pick<Card, 'state' | 'passed'> | undefined,
  filter: FilterId,
  { matches, state }: { readonly matches: boolean; readonly state: Card['state'] },
): FilterId[] | undefined {
  if (state === 'suppressed') return undefined;
  if (card && card.state !== 'suppressed' && !card.passed) return undefined;
  const passed = card?.passed ?? [];
  return matches && !passed.includes(filter) ? [...passed, filter] : passed;
}

/** @returns the rules as they are stored: normalized by printing the parsed query */
export function parseRules(
  written: string,
): { readonly kind: 'rules'; readonly printed: string } | QueryError {
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
  return createRulesMatcher(rules, true)(project);
}

/** For many projects: reads the rules once. @param ifUnreadable the result for rules that can't be parsed */
function createRulesMatcher(rules: string, ifUnreadable: boolean): (project: ListedProject) => boolean {
  if (rules === '') return () => true;
  const parsed = parseQuery(rules, projectRuleVocabulary);
  if (parsed.kind === 'mistake') return () => ifUnreadable;
  return (project) => matchesQuery(parsed.query, projectRuleSubject(project));
}

/** All users and groups of matching rules, without duplicates. @returns undefined if there are none */
export function resolveMentions(rules: readonly MentionRule[], project: ListedProject): Card['mention'] {
  // Unreadable rules match nothing: a missing mention is better than one on every card.
  const held = rules.filter((rule) => createRulesMatcher(rule.rules, false)(project));
  const users = [...new Set(held.flatMap((rule) => rule.users))];
  const groups = [...new Set(held.flatMap((rule) => rule.groups))];
  return users.length > 0 || groups.length > 0 ? { users, groups } : undefined;
}

/** What a channel wants: rules in the query language (empty: every project), and what it mutes. */
export interface PreviewedChoices {
  readonly rules?: string;
  readonly mutes?: readonly MuteTarget[];
}

/**
 * Divides known projects into those that the choices let through and those that they hide. Rules that can't
 * be parsed hide nothing, as for real cards: parse typed rules first (`parseRules`).
 * @param known such as the newest 20 projects of a filter, or the newest 50 cards of a channel
 */
export function previewRules<T extends ListedProject>(
  known: readonly T[],
  { rules = '', mutes = [] }: PreviewedChoices,
): { readonly posted: readonly T[]; readonly hidden: readonly T[] } {
  const posted: T[] = [];
  const hidden: T[] = [];
  const matches = createRulesMatcher(rules, true);
  for (const project of known) {
    const isPosted = matches(project) && !isProjectMuted(project, mutes);
    (isPosted ? posted : hidden).push(project);
  }
  return { posted, hidden };
}

/**
 * What would change for known projects if `wanted` replaced `now`. kept: shown by both · hidden: shown now
 * only · added: shown by `wanted` only. Each list is in the given order.
 */
export function comparePreviews<T extends ListedProject>(
  known: readonly T[],
  now: PreviewedChoices,
  wanted: PreviewedChoices,
) {
  const before = new Set(previewRules(known, now).posted);
  const after = new Set(previewRules(known, wanted).posted);
  return {
    kept: known.filter((each) => before.has(each) && after.has(each)),
    hidden: known.filter((each) => before.has(each) && !after.has(each)),
    added: known.filter((each) => !before.has(each) && after.has(each)),
  };
}
