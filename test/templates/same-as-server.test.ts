/** Our limits beside those of the simulated marketplace, which was written independently. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProposalTemplate } from '../../src/marketplace/schema.ts';
import { buildTemplateRequestBody, parseProposalTemplate } from '../../src/marketplace/wire/proposals.ts';
import { checkTemplateForm } from '../../src/templates/check-template.ts';
import { isFieldApplicable } from '../../src/templates/fields.ts';
import {
  FixedPriceType,
  HourlyMode,
  IncreaseFrequency,
  QuestionMatchType,
  SenderType,
  type TemplateForm,
  TemplateVisibility,
} from '../../src/templates/form.ts';
import { locateFieldPath } from '../../src/templates/locate-field-errors.ts';
import { prefillForm } from '../../src/templates/prefill-form.ts';
import { validateTemplate as judge } from '../../src/workbench/marketplace/validate-template.ts';
import { changed, FULL, SMALLEST } from './forms.ts';

type Organizations = Parameters<typeof judge>[1];
const ORGANIZATIONS: Organizations = [
  { id: 7, label: 'Studio', type: 'agency', contractors: [{ uid: 'c-1', name: 'Ana' }] },
  { id: 8, label: 'Ben', type: 'freelancer', contractors: [] },
];

/** The maximum length, in surrogate pairs, with blanks and line breaks at both ends. */
function longest(length: number): string {
  return ` ${'😀'.repeat(length - 4)}é\r\n`;
}

const LARGEST: TemplateForm = changed(FULL, {
  name: longest(255),
  ai: { instructions: longest(10_000), clientQuestions: longest(10_000), additionalContext: longest(10_000) },
  letters: { variantA: longest(5_000), variantB: longest(5_000) },
  answers: Array.from({ length: 50 }, () => ({
    question: longest(500),
    answer: longest(5_000),
    matchType: 'startsWith' as const,
  })),
});

/** A form's request body. @throws Error for a form with mistakes */
function requestBodyOf(form: TemplateForm): object {
  const checked = checkTemplateForm(form);
  if (checked.kind === 'mistakes') throw new Error(JSON.stringify(checked.mistakes));
  return JSON.parse(JSON.stringify(buildTemplateRequestBody(checked.input))) as object;
}

describe('the largest legal template', () => {
  test('goes onto the wire character for character, and the server accepts it', () => {
    const body = requestBodyOf(LARGEST);
    expect(body).toEqual({
      name: longest(255),
      visibility: 'shared_edit',
      sender: { organization_id: 7, contractor_uid: 'c-1' },
      hourly_rate: {
        mode: 'smart',
        rate: 40,
        smart_rate_min: 30,
        smart_rate_max: 60,
        smart_rate_percent: 80,
        increase_frequency: 'every-6-months',
        increase_percent: 5,
      },
      fixed_price: { type: 'by-job-terms', min_price: 100, client_budget_percent: 95 },
      ai: {
        model: 'balanced-2',
        instructions: longest(10_000),
        client_questions: longest(10_000),
        additional_context: longest(10_000),
        template_structure: true,
      },
      ab_testing: true,
      cover_letters: { variant_a: longest(5_000), variant_b: longest(5_000) },
      answers: Array.from({ length: 50 }, () => ({
        question: longest(500),
        answer: longest(5_000),
        match_type: 'startsWith',
      })),
    });
    expect(judge(body, ORGANIZATIONS).kind).toBe('valid');
  });

  test('the smallest is accepted, too', () => {
    const form = changed(SMALLEST, { sender: { organizationId: '8' } });
    expect(judge(requestBodyOf(form), ORGANIZATIONS).kind).toBe('valid');
  });
});

const NUMBERS = '0 1 2.99 3 4.99 5 40 50.5 100 101 999 999.01 1000 1001 1,000,000 1000000.01 -1 x';
const number = fc.constantFrom('', ...NUMBERS.split(' '));
const textOf = (most: number) =>
  fc.oneof(
    fc.constantFrom('', 'x', ' x ', '😀'.repeat(most), 'x'.repeat(most + 1)),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((text) => `x${text}`),
  );
const anyForm: fc.Arbitrary<TemplateForm> = fc.record({
  name: textOf(255),
  visibility: fc.constantFrom(...TemplateVisibility.options),
  sender: fc.record({
    organizationId: fc.constantFrom('7', '8', '', '0', 'x'),
    contractorUid: fc.constantFrom('', 'c-1'),
    type: fc.constantFrom(...SenderType.options),
  }),
  hourly: fc.record({
    mode: fc.constantFrom(...HourlyMode.options),
    rate: number,
    smartMin: number,
    smartMax: number,
    smartPercent: number,
    increasePercent: number,
    increaseFrequency: fc.constantFrom(...IncreaseFrequency.options),
  }),
  fixedPrice: fc.record({
    type: fc.constantFrom(...FixedPriceType.options),
    price: number,
    minPrice: number,
    clientBudgetPercent: number,
  }),
  ai: fc.record({
    model: fc.constantFrom('', 'balanced-2'),
    instructions: textOf(10_000),
    clientQuestions: textOf(10_000),
    additionalContext: textOf(10_000),
    templateStructure: fc.boolean(),
  }),
  abTesting: fc.boolean(),
  answers: fc.array(
    fc.record({
      question: textOf(500),
      answer: textOf(5_000),
      matchType: fc.constantFrom(...QuestionMatchType.options),
    }),
    { maxLength: 3 },
  ),
  letters: fc.record({ variantA: textOf(5_000), variantB: textOf(5_000) }),
});

/** Any form, or a valid form with one random field: so that many are valid. */
const likelyForm = fc.oneof(
  anyForm,
  fc
    .tuple(anyForm, fc.constantFrom('name', 'hourly', 'fixedPrice', 'ai', 'letters', 'answers'))
    .map(([other, group]) => ({ ...FULL, [group]: other[group as keyof TemplateForm] })),
);

/** The request of an unchecked form, as far as it can be built at all. */
function unchecked(form: TemplateForm): unknown {
  const asked = (field: Parameters<typeof isFieldApplicable>[1], value: string) => {
    const number = Number(value.replaceAll(',', ''));
    // NaN would be written as null, which some fields may be.
    return isFieldApplicable(form, field) && value !== '' ? number || (number === 0 ? 0 : value) : undefined;
  };
  const { sender, hourly, fixedPrice, ai, letters } = form;
  const withLetters = isFieldApplicable(form, 'letters.variantA');
  return JSON.parse(
    JSON.stringify({
      name: form.name,
      visibility: form.visibility,
      sender: {
        organization_id: Number(sender.organizationId || 'none'),
        contractor_uid: sender.contractorUid || undefined,
      },
      hourly_rate: {
        mode: hourly.mode,
        rate: asked('hourly.rate', hourly.rate),
        smart_rate_min: asked('hourly.smartMin', hourly.smartMin),
        smart_rate_max: asked('hourly.smartMax', hourly.smartMax),
        smart_rate_percent: asked('hourly.smartPercent', hourly.smartPercent),
        increase_percent: asked('hourly.increasePercent', hourly.increasePercent),
        increase_frequency: hourly.increaseFrequency,
      },
      fixed_price: {
        type: fixedPrice.type,
        price: asked('fixedPrice.price', fixedPrice.price),
        min_price: asked('fixedPrice.minPrice', fixedPrice.minPrice),
        client_budget_percent: asked('fixedPrice.clientBudgetPercent', fixedPrice.clientBudgetPercent),
      },
      ai: {
        model: ai.model || null,
        instructions: ai.instructions,
        client_questions: ai.clientQuestions || null,
        additional_context: ai.additionalContext || null,
        template_structure: ai.templateStructure,
      },
      answers: form.answers.map(({ question, answer, matchType }) => ({
        question,
        answer,
        match_type: matchType,
      })),
      ...(withLetters ? { cover_letters: { variant_a: letters.variantA, variant_b: letters.variantB } } : {}),
    }),
  );
}

/**
 * Without the sender, whose type only the server knows, and without the smart minimum when the maximum is
 * already invalid: the server compares it with that one, too.
 */
function named(fields: readonly (readonly [string, number | undefined])[]): string[] {
  const isMaxWrong = fields.some(([field]) => field === 'hourly.smartMax');
  const others = fields.filter(
    ([field]) => !field.startsWith('sender.') && !(isMaxWrong && field === 'hourly.smartMin'),
  );
  return others.map(([field, index]) => `${field} ${index ?? ''}`).sort();
}

describe('any form', () => {
  test('has its mistakes where the server finds them, and only there', () => {
    fc.assert(
      fc.property(likelyForm, (form) => {
        const ours = checkTemplateForm(form);
        const theirs = judge(unchecked(form), ORGANIZATIONS);
        const found = ours.kind === 'ok' ? [] : ours.mistakes.map((it) => [it.field, it.index] as const);
        const told = theirs.kind === 'valid' ? [] : Object.keys(theirs.fields).map(locateFieldPath);
        expect(told).not.toContain(undefined);
        expect(named(found)).toEqual(
          named(told.flatMap((place) => (place ? [[place.field, place.index] as const] : []))),
        );
      }),
      { numRuns: 400 },
    );
  });

  test('that we accept is accepted, but for a sender that only the server knows', () => {
    fc.assert(
      fc.property(likelyForm, (form) => {
        if (checkTemplateForm(form).kind === 'mistakes') return;
        const verdict = judge(requestBodyOf(form), ORGANIZATIONS);
        const fields = verdict.kind === 'valid' ? [] : Object.keys(verdict.fields);
        expect(fields.filter((field) => !field.startsWith('sender.'))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  test('that is sent once is sent just so by a copy of its template', () => {
    const isSameAgain = (form: TemplateForm) => {
      if (checkTemplateForm(form).kind === 'mistakes') return;
      const body = requestBodyOf(form);
      const template = ProposalTemplate.parse(parseProposalTemplate({ ...body, id: 12 }));
      expect(requestBodyOf({ ...prefillForm(template).form, sender: form.sender })).toEqual(body);
    };
    fc.assert(fc.property(likelyForm, isSameAgain), { examples: [[LARGEST]] });
  });
});
