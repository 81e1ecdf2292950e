/** Forms for these tests. */
import { EMPTY_TEMPLATE_FORM, type TemplateForm } from '../../src/templates/form.ts';

export type Change = { readonly [K in keyof TemplateForm]?: Partial<TemplateForm[K]> };

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
