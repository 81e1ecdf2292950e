/**
 * Rules as the fields of a form, and back. What no field can show stays as query text, so nothing is lost.
 * Pure.
 */
import { formatQuery, parseQuery } from './parse-query.ts';
import { projectRuleVocabulary } from './project-rules.ts';
import type { QualifierTerm, QueryTerm } from './query.ts';
import { splitAlternatives } from './values.ts';

/** Each as typed into its field; an empty text means that the field isn't used. */
export interface SimpleRules {
  /** The least budget, such as `500` or `$2k`. */
  readonly minBudget: string;
  readonly type: '' | 'fixed' | 'hourly';
  /** Separated by commas: `US, United Kingdom`. */
  readonly countries: string;
  readonly minRating: string;
  readonly verified: boolean;
  /** Words and phrases that hide a project, separated by commas. */
  readonly without: string;
  /** Anything else, in the query language. */
  readonly more: string;
}

export const NO_SIMPLE_RULES: SimpleRules = {
  minBudget: '',
  type: '',
  countries: '',
  minRating: '',
  verified: false,
  without: '',
  more: '',
};

/** A word and a phrase of one word match differently, so only the former fits among the hidden words. */
function withHiddenWord(rules: SimpleRules, term: Exclude<QueryTerm, QualifierTerm>) {
  const { kind, text, negated } = term;
  const fits = negated && !/[,"]/u.test(text) && (kind === 'word' || /\s/u.test(text));
  if (!fits) return undefined;
  return { ...rules, without: rules.without ? `${rules.without}, ${text}` : text };
}

/** Only one value without a range fits into a field for an amount. */
function withAmount(
  rules: SimpleRules,
  field: 'minBudget' | 'minRating',
  { comparison, value }: QualifierTerm,
): SimpleRules | undefined {
  const isOne = splitAlternatives(value).length === 1 && !/\.\.|"/u.test(value);
  return comparison === '>=' && isOne && rules[field] === '' ? { ...rules, [field]: value } : undefined;
}

function withChoice(rules: SimpleRules, { name, value }: QualifierTerm): SimpleRules | undefined {
  if (name === 'verified' && value === 'yes') return { ...rules, verified: true };
  if (name === 'type' && rules.type === '' && (value === 'fixed' || value === 'hourly'))
    return { ...rules, type: value };
  if (name === 'country' && rules.countries === '')
    return { ...rules, countries: splitAlternatives(value).join(', ') };
  return undefined;
}

function withTerm(rules: SimpleRules, term: QueryTerm): SimpleRules | undefined {
  if (term.kind !== 'qualifier') return withHiddenWord(rules, term);
  if (term.negated) return undefined;
  if (term.name === 'budget') return withAmount(rules, 'minBudget', term);
  if (term.name === 'rating') return withAmount(rules, 'minRating', term);
  return term.comparison === '=' ? withChoice(rules, term) : undefined;
}

/** @param rules in the query language; if they can't be parsed, all of them are `more` */
export function splitRules(rules: string): SimpleRules {
  const parsed = parseQuery(rules, projectRuleVocabulary);
  if (parsed.kind === 'mistake') return { ...NO_SIMPLE_RULES, more: rules };
  let split = NO_SIMPLE_RULES;
  const rest: QueryTerm[] = [];
  for (const term of parsed.query.terms) {
    const next = withTerm(split, term);
    if (next) split = next;
    else rest.push(term);
  }
  return { ...split, more: formatQuery({ terms: rest }) };
}

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.replace(/["“”„]/gu, '').trim())
    .filter((each) => each !== '');
}

function quoted(text: string): string {
  return /^[\p{L}\p{M}\p{N}]+$/u.test(text) ? text : `"${text}"`;
}

/** Each field's part of the rules in the query language, to check one by one. Unused fields have none. */
export function rulesByField(rules: SimpleRules): ReadonlyMap<keyof SimpleRules, string> {
  const parts = new Map<keyof SimpleRules, string>();
  const amount = (text: string) =>
    text
      .trim()
      .replace(/^>=?\s*/u, '')
      .replace(/\s+/gu, '');
  const countries = listOf(rules.countries);
  const without = listOf(rules.without);
  if (rules.more.trim() !== '') parts.set('more', rules.more.trim());
  if (rules.minBudget.trim() !== '') parts.set('minBudget', `budget:>=${amount(rules.minBudget)}`);
  if (rules.type !== '') parts.set('type', `type:${rules.type}`);
  if (countries.length > 0) parts.set('countries', `country:${countries.map(quoted).join(',')}`);
  if (rules.minRating.trim() !== '') parts.set('minRating', `rating:>=${amount(rules.minRating)}`);
  if (rules.verified) parts.set('verified', 'verified:yes');
  if (without.length > 0) parts.set('without', without.map((each) => `-${quoted(each)}`).join(' '));
  return parts;
}

/** The rules in the query language; empty: every project. Not checked yet (`parseRules`). */
export function joinRules(rules: SimpleRules): string {
  return [...rulesByField(rules).values()].join(' ');
}
