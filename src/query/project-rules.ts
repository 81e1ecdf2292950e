/** The rules of a filter's subscription: which of its projects become cards. Pure. */
import type { ListedProject } from '../marketplace/schema.ts';
import { isProjectQualified } from '../marketplace/wire/verdict.ts';
import { listNamesOfCountry } from './countries.ts';
import type { FieldValue, QuerySubject } from './match-query.ts';
import type { QueryVocabulary } from './query.ts';
import { parseQueryNumber } from './values.ts';

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

export function projectRuleSubject(project: ListedProject): QuerySubject {
  const { title, description, skills, categories, client, budget } = project;
  const fields: Readonly<Record<string, () => FieldValue>> = {
    budget: () => largestAmount(budget?.amount),
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

/**
 * The largest number in a label such as `$500 - $1,000`, `$15.00-$30.00 /hr`, `Less than $500` or `$10K+`.
 */
export function largestAmount(label: string | undefined): number | undefined {
  const amounts = (label?.slice(0, 200).match(/\d[\d,]*(?:\.\d+)?(?:[km](?![a-z]))?/gi) ?? []).flatMap(
    (amount) => parseQueryNumber(amount) ?? [],
  );
  return amounts.length === 0 ? undefined : Math.max(...amounts);
}

/** Labels aren't documented: any label with "hour" is hourly, any with "fixed" is fixed. */
export function budgetType(budget: ListedProject['budget']): 'fixed' | 'hourly' | undefined {
  if (/hour/i.test(budget?.type ?? '')) return 'hourly';
  if (/fixed/i.test(budget?.type ?? '')) return 'fixed';
  return /\/ ?h|per hour|hourly/i.test(budget?.amount ?? '') ? 'hourly' : undefined;
}
