/** What a form may hold and what is sent of it; `same-as-server.test.ts` checks each bound. */
import { describe, expect, test } from 'vitest';
import { checkTemplateForm, checkTemplateStep } from '../../src/templates/check-template.ts';
import { isFieldApplicable } from '../../src/templates/fields.ts';
import { TEMPLATE_STEPS, type TemplateForm } from '../../src/templates/form.ts';
import { type Change, changed, FULL, SMALLEST } from './forms.ts';

function mistakes(form: TemplateForm) {
  const checked = checkTemplateForm(form);
  return checked.kind === 'ok' ? [] : checked.mistakes;
}

function fieldsOfMistakes(form: TemplateForm) {
  return mistakes(form).map((it) => it.field);
}

function input(form: TemplateForm) {
  const checked = checkTemplateForm(form);
  if (checked.kind === 'ok') return checked.input;
  throw new Error(JSON.stringify(checked.mistakes));
}

describe('numbers', () => {
  const hourly = (name: string) => (value: string) => ({ hourly: { [name]: value } }) as Change;
  const fixed = (name: string) => (value: string) => ({ fixedPrice: { [name]: value } }) as Change;
  const BY_PROJECT = changed(FULL, { fixedPrice: { type: 'by-project' } });

  test.each([
    ['hourly.rate', FULL, hourly('rate'), [' $ 37.50 '], ['', ' ', 'forty', '50%', '3.001']],
    ['hourly.smartPercent', FULL, hourly('smartPercent'), ['100%', ''], ['50.5', '$50']],
    ['hourly.increasePercent', FULL, hourly('increasePercent'), ['2.125', '-0', ''], ['$5']],
    ['fixedPrice.price', BY_PROJECT, fixed('price'), ['1,000,000', '$1 000', ''], ['5.000', '12,5,0']],
    ['fixedPrice.clientBudgetPercent', FULL, fixed('clientBudgetPercent'), ['1,000 %'], ['9.5']],
  ] as const)('as people write them: %s', (field, base, fill, accepted, refused) => {
    for (const value of accepted) expect(mistakes(changed(base, fill(value)))).toEqual([]);
    for (const value of refused) {
      const sentence = expect.stringMatching(/^[A-Z].*\.$/u);
      expect(mistakes(changed(base, fill(value)))).toEqual([{ step: 'rates', field, sentence }]);
    }
  });
});

describe('texts', () => {
  const answer = (name: string) => (value: string) =>
    ({ answers: [FULL.answers[0], { ...FULL.answers[0], [name]: value }] }) as Change;

  test.each([
    ['name', (name: string) => ({ name })],
    ['ai.instructions', (instructions: string) => ({ ai: { instructions } })],
    ['ai.clientQuestions', (clientQuestions: string) => ({ ai: { clientQuestions } })],
    ['ai.additionalContext', (additionalContext: string) => ({ ai: { additionalContext } })],
    ['letters.variantA', (variantA: string) => ({ letters: { variantA } })],
    ['letters.variantB', (variantB: string) => ({ letters: { variantB } })],
    ['answers.question', answer('question')],
    ['answers.answer', answer('answer')],
  ] as const)('are never blank: %s', (field, fill) => {
    for (const blank of [' ', '\n\t', '\u200b', '\u00a0\u2800'])
      expect(fieldsOfMistakes(changed(FULL, fill(blank)))).toEqual([field]);
  });

  test('that are too long say so in characters, as the marketplace counts them', () => {
    const [only] = mistakes(changed(FULL, { letters: { variantA: '😀'.repeat(5_001) } }));
    expect(only?.sentence).toMatch(/\b5,001 .*\b1 .* 5,000\b/u);
  });

  test('50 answers fit, 51 do not, and it says how many are too many', () => {
    const answers = (length: number) => Array.from({ length }, () => FULL.answers[0] ?? expect.fail());
    expect(mistakes(changed(FULL, { answers: answers(50) }))).toEqual([]);
    const tooMany = mistakes(changed(FULL, { answers: answers(51) }));
    expect(tooMany).toEqual([
      { step: 'answers', field: 'answers', sentence: expect.stringMatching(/\b50 .*\b1 .*\b51\b/u) },
    ]);
  });
});

describe('the sender', () => {
  test.each([
    ['agency', '', 'sender.contractorUid'],
    ['agency', ' \u200b', 'sender.contractorUid'],
    ['agency', 'c-1', undefined],
    ['freelancer', 'c-1', 'sender.contractorUid'],
    ['freelancer', '', undefined],
    ['unknown', '', undefined],
    ['unknown', 'c-1', undefined],
  ] as const)('%s with contractor "%s"', (type, contractorUid, field) => {
    const form = changed(SMALLEST, { sender: { type, contractorUid } });
    expect(mistakes(form)[0]?.field).toBe(field);
    // Invalid fields must be visible and editable.
    if (field) expect(isFieldApplicable(form, field)).toBe(true);
  });

  test.each(['', ' ', '0', '-1', '1.5', 'abc', '12345678901234567', '9007199254740993', '1 2'])(
    'the organization id "%s" is refused',
    (organizationId) => {
      expect(fieldsOfMistakes(changed(FULL, { sender: { organizationId } }))).toEqual([
        'sender.organizationId',
      ]);
    },
  );
});

describe('what is sent', () => {
  test('the smallest template', () => {
    expect(input(SMALLEST)).toEqual({
      name: 'N',
      visibility: 'shared_admins',
      sender: { organizationId: 7 },
      hourlyRate: { mode: 'fixed', rate: 3, increaseFrequency: 'never' },
      fixedPrice: { type: 'by-job-terms' },
      ai: {
        model: null,
        instructions: 'I',
        clientQuestions: null,
        additionalContext: null,
        templateStructure: true,
      },
      abTesting: false,
    });
  });

  test('what a choice hides is neither checked nor sent', () => {
    const hidden = changed(FULL, {
      hourly: {
        mode: 'fixed',
        smartMin: 'x',
        smartMax: '1',
        smartPercent: '0',
        increaseFrequency: 'never',
        increasePercent: 'x',
      },
      fixedPrice: { type: 'by-project', price: '500', minPrice: 'x', clientBudgetPercent: 'x' },
      ai: { templateStructure: false },
      letters: { variantA: 'x'.repeat(5_001) },
    });
    const sent = input(hidden);
    expect(sent.hourlyRate).toEqual({ mode: 'fixed', rate: 40, increaseFrequency: 'never' });
    expect(sent.fixedPrice).toEqual({ type: 'by-project', price: 500 });
    expect(sent.coverLetters).toBeUndefined();
    expect(sent.abTesting).toBeUndefined();
  });

  test('ids lose the blanks around them, texts do not; one letter alone leaves the other slot empty', () => {
    const sent = input(
      changed(FULL, {
        name: ' N ',
        sender: { organizationId: ' #41 ', contractorUid: ' c-1\n' },
        ai: { model: ' m ' },
        letters: { variantA: '' },
      }),
    );
    expect(sent.name).toBe(' N ');
    expect(sent.sender).toEqual({ organizationId: 41, contractorUid: 'c-1' });
    expect(sent.ai.model).toBe('m');
    expect(sent.coverLetters).toEqual({ variantA: null, variantB: 'B' });
  });
});

test('all mistakes come at once, in the order of the form; a step tells its own, the review all', () => {
  const wrong = changed(FULL, {
    name: '',
    sender: { organizationId: '' },
    hourly: { rate: '2', smartMin: '70' },
    fixedPrice: { minPrice: '1' },
    ai: { instructions: '' },
    letters: { variantB: 'x'.repeat(5_001) },
    answers: [{ question: '', answer: 'A', matchType: 'exact' }],
  });
  const all = mistakes(wrong);
  expect(all.map(({ step, field, index }) => [step, field, index])).toEqual([
    ['sender', 'name', undefined],
    ['sender', 'sender.organizationId', undefined],
    ['rates', 'hourly.rate', undefined],
    ['rates', 'hourly.smartMin', undefined],
    ['rates', 'fixedPrice.minPrice', undefined],
    ['ai', 'ai.instructions', undefined],
    ['letters', 'letters.variantB', undefined],
    ['answers', 'answers.question', 0],
  ]);
  for (const step of TEMPLATE_STEPS) {
    expect(checkTemplateStep(wrong, step)).toEqual(all.filter((it) => step === 'review' || it.step === step));
    expect(checkTemplateStep(FULL, step)).toEqual([]);
  }
});
