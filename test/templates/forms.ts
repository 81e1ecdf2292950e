/** Forms and templates for these tests. */

import { TemplateId } from '../../src/ids.ts';
import type { ProposalTemplate } from '../../src/marketplace/schema.ts';
import { buildTemplateRequestBody } from '../../src/marketplace/wire/templates.ts';
import { checkTemplateForm } from '../../src/templates/check-template.ts';
import { EMPTY_TEMPLATE_FORM, type TemplateForm } from '../../src/templates/form.ts';

type Change = { readonly [K in keyof TemplateForm]?: Partial<TemplateForm[K]> };

/** A form with other values in some groups. */
export function changed(form: TemplateForm, change: Change): TemplateForm {
  const entries = Object.entries(form).map(([name, value]) => {
    const other: unknown = change[name as keyof Change];
    if (other === undefined) return [name, value];
    const isGroup = typeof value === 'object' && !Array.isArray(value);
    return [name, isGroup ? { ...value, ...(other as object) } : other];
  });
  return Object.fromEntries(entries) as TemplateForm;
}

/** Required fields only. */
export const SMALLEST: TemplateForm = changed(EMPTY_TEMPLATE_FORM, {
  name: 'N',
  sender: { organizationId: '7' },
  hourly: { rate: '3' },
  ai: { instructions: 'I' },
});

/** Every field is enabled and filled. */
export const FULL: TemplateForm = changed(SMALLEST, {
  visibility: 'shared_edit',
  sender: { contractorUid: 'c-1', type: 'agency' },
  hourly: {
    mode: 'smart',
    rate: '40',
    smartMin: '30',
    smartMax: '60',
    smartPercent: '80',
    increaseFrequency: 'every-6-months',
    increasePercent: '5',
  },
  fixedPrice: { minPrice: '100', clientBudgetPercent: '95' },
  ai: { model: 'balanced-2', clientQuestions: 'Q', additionalContext: 'C' },
  abTesting: true,
  letters: { variantA: 'A', variantB: 'B' },
  answers: [{ question: 'Why?', answer: 'Because.', matchType: 'contains' }],
});

/** The maximum length, in surrogate pairs, with blanks and line breaks at both ends. */
export function longest(length: number): string {
  return ` ${'😀'.repeat(length - 4)}é\r\n`;
}

export const LARGEST: TemplateForm = changed(FULL, {
  name: longest(255),
  ai: { instructions: longest(10_000), clientQuestions: longest(10_000), additionalContext: longest(10_000) },
  letters: { variantA: longest(5_000), variantB: longest(5_000) },
  answers: Array.from({ length: 50 }, () => ({
    question: longest(500),
    answer: longest(5_000),
    matchType: 'startsWith' as const,
  })),
});

export function template(change: Partial<ProposalTemplate> = {}): ProposalTemplate {
  return {
    id: TemplateId.parse(12),
    name: 'Calm',
    visibility: 'shared_view',
    sender: { name: 'Ana', type: 'agency', organization: 'Studio' },
    hourlyRate: { mode: 'fixed', rate: 40, rulesCount: 0, increaseFrequency: 'never' },
    fixedPrice: { type: 'by-job-terms', minPrice: 100.5 },
    ai: { instructions: 'Be short.', templateStructure: true },
    filters: [],
    setups: [],
    abTesting: false,
    answers: [],
    attachments: [],
    coverLetters: { variantA: 'Hello' },
    ...change,
  };
}

/** A form's request body. @throws Error for a form with mistakes */
export function requestBodyOf(form: TemplateForm): unknown {
  const checked = checkTemplateForm(form);
  if (checked.kind === 'mistakes') throw new Error(JSON.stringify(checked.mistakes));
  return JSON.parse(JSON.stringify(buildTemplateRequestBody(checked.input)));
}
