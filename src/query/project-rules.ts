/**
 * The rules of a filter's subscription: which of its projects become cards, and country names that no project
 * has. Pure.
 */
import { listDollarAmounts } from '../base/amounts.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { isProjectQualified } from '../marketplace/wire/verdict.ts';
import type { FieldValue, QuerySubject } from './match-query.ts';
import { parseQuery } from './parse-query.ts';
import type { QueryVocabulary } from './query.ts';
import { splitAlternatives } from './values.ts';
import { findNearestName, foldText } from './words.ts';

export const projectRuleVocabulary: QueryVocabulary = {
  of: 'filter rules',
  qualifiers: {
    budget: { kind: 'number' },
    type: { kind: 'choice', choices: ['fixed', 'hourly'] },
    country: { kind: 'text' },
    rating: { kind: 'number', most: 5, sample: '>=4' },
    spent: { kind: 'number', sample: '>=10k' },
    hires: { kind: 'number', sample: '>=3' },
    hirerate: { kind: 'number', ratio: true, most: 1, sample: '>=80%' },
    verified: { kind: 'yes-no' },
    qualified: { kind: 'yes-no' },
    skill: { kind: 'text' },
    category: { kind: 'text' },
    questions: { kind: 'number', sample: '<=3' },
  },
  example: 'budget:>=500 type:fixed country:US,"United Kingdom" react -wordpress',
  alternatives:
    'For alternatives, separate values with commas, as in country:US,Canada. ' +
    'For anything else, add a subscription with another filter or in another channel.',
};

/** The last one: a found project is compared with all rules, mutes and mentions in a row. */
let latest: { readonly project: ListedProject; readonly subject: QuerySubject } | undefined;

export function projectRuleSubject(project: ListedProject): QuerySubject {
  if (latest?.project !== project) latest = { project, subject: createSubject(project) };
  return latest.subject;
}

function createSubject(project: ListedProject): QuerySubject {
  const { title, description, skills, categories, client, budget } = project;
  const fields: Readonly<Record<string, () => FieldValue>> = {
    budget: () => largestBudget(budget),
    type: () => budgetType(budget),
    country: () => client.country && listNamesOfCountry(client.country),
    rating: () => client.rating,
    spent: () => client.totalSpent ?? largestAmount(client.totalSpentLabel),
    hires: () => client.totalHires,
    hirerate: () => client.hireRate,
    verified: () => client.verified,
    qualified: () => isProjectQualified(project.verdict),
    skill: () => skills,
    category: () => categories,
    questions: () => project.questions.length,
  };
  return {
    text: [title, description, ...skills, ...categories].join(' | '),
    fieldValue: (name) => (Object.hasOwn(fields, name) ? fields[name]?.() : undefined),
  };
}

/** In US dollars; undefined for a label without an amount, or in another currency. */
export function largestAmount(label: string | undefined): number | undefined {
  const amounts = listDollarAmounts(label);
  return amounts.length === 0 ? undefined : Math.max(...amounts);
}

/** What the client pays, in US dollars. A budget of 0 means that the client names none. */
export function listBudgetAmounts(budget: ListedProject['budget']): readonly number[] {
  return listDollarAmounts(budget?.amount).filter((amount) => amount > 0);
}

/** In US dollars; undefined if the budget isn't known. */
export function largestBudget(budget: ListedProject['budget']): number | undefined {
  return largestAmount(budget?.amount) || undefined;
}

/** Labels aren't documented: any label with "hour" is hourly, any with "fixed" is fixed. */
export function budgetType(budget: ListedProject['budget']): 'fixed' | 'hourly' | undefined {
  if (/hour/i.test(budget?.type ?? '')) return 'hourly';
  if (/fixed/i.test(budget?.type ?? '')) return 'fixed';
  return /\/ ?h|per hour|hourly/i.test(budget?.amount ?? '') ? 'hourly' : undefined;
}

/** More don't help, and finding near names takes time. */
const MOST_UNKNOWN = 3;

/**
 * The first unknown country names in rules: a typo there drops every project without any sign.
 * @param rules of a filter; unparsable rules give none.
 */
export function findUnknownCountries(rules: string): readonly { written: string; near?: string }[] {
  const parsed = parseQuery(rules, projectRuleVocabulary);
  if (parsed.kind === 'mistake') return [];
  const countries = parsed.query.terms.flatMap((term) =>
    term.kind === 'qualifier' && term.name === 'country' ? splitAlternatives(term.value) : [],
  );
  // The marketplace may know more.
  const unknown = countries.filter((country) => !countryNames().has(foldText(country)));
  return unknown.slice(0, MOST_UNKNOWN).map((written) => ({ written, near: suggestCountry(written) }));
}

/** In addition to the names of `Intl`. */
const COMMON: Readonly<Record<string, readonly string[]>> = {
  US: ['USA', 'United States of America'],
  GB: ['UK', 'Great Britain'],
  AE: ['UAE'],
  CD: ['DR Congo', 'Democratic Republic of the Congo'],
  CG: ['Congo', 'Republic of the Congo'],
  CI: ['Ivory Coast'],
  CV: ['Cabo Verde'],
  CZ: ['Czech Republic'],
  HK: ['Hong Kong'],
  KR: ['Korea', 'Republic of Korea'],
  MK: ['Macedonia'],
  MM: ['Myanmar', 'Burma'],
  MO: ['Macao', 'Macau'],
  PS: ['Palestine', 'Palestinian Territory'],
  RU: ['Russian Federation'],
  SZ: ['Swaziland'],
  TL: ['East Timor'],
  TR: ['Turkey'],
  VA: ['Holy See'],
  VN: ['Viet Nam'],
};

let names: ReadonlyMap<string, readonly string[]> | undefined;
function countryNames(): ReadonlyMap<string, readonly string[]> {
  names ??= listNames();
  return names;
}

/** @returns every known name of the country, its own first: people type names or codes. */
export function listNamesOfCountry(country: string): readonly string[] {
  return [country, ...(countryNames().get(foldText(country)) ?? [])];
}

function suggestCountry(written: string): string | undefined {
  const all = new Set([...countryNames().values()].flat());
  const isCode = (name: string) => name.length <= 3;
  return findNearestName(
    written,
    [...all].filter((name) => !isCode(name)),
  );
}

function listNames(): ReadonlyMap<string, readonly string[]> {
  const display = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, place) => String.fromCharCode(65 + place));
  const found = new Map<string, readonly string[]>();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = display.of(code);
    if (name === undefined) continue;
    // Abbreviations are spelled out, as in `Bosnia & Herzegovina` and `St. Lucia`.
    const full = name.replace(' & ', ' and ').replace(/^St\. /, 'Saint ');
    // Codes of former states have the name of their successor.
    const known = [...(found.get(foldText(name)) ?? [name]), code];
    const all = [...known, ...(full === name ? [] : [full]), ...(COMMON[code] ?? [])];
    for (const one of all) found.set(foldText(one), all);
  }
  return found;
}
