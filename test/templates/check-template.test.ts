import { describe, expect, test } from 'vitest';
import {
  checkScreeningAnswer,
  checkTemplateForm,
  checkTemplateStep,
} from '../../src/templates/check-template.ts';
import { isFieldApplicable, TEMPLATE_FIELDS, type TemplateField } from '../../src/templates/fields.ts';
import { TEMPLATE_STEPS, type TemplateForm } from '../../src/templates/form.ts';
import { countCharacters } from '../../src/typed/texts.ts';
import { changed, FULL, SMALLEST } from './forms.ts';

type Change = Parameters<typeof changed>[1];

function mistakes(form: TemplateForm) {
  const checked = checkTemplateForm(form);
  return checked.kind === 'ok' ? [] : checked.mistakes;
}

function input(form: TemplateForm) {
  const checked = checkTemplateForm(form);
  if (checked.kind === 'ok') return checked.input;
  throw new Error(JSON.stringify(checked.mistakes));
}

const BY_PROJECT = changed(FULL, { fixedPrice: { type: 'by-project' } });

const hourly = (name: string) => (value: string) => ({ hourly: { [name]: value } }) as Change;
const fixed = (name: string) => (value: string) => ({ fixedPrice: { [name]: value } }) as Change;
const ai = (name: string) => (value: string) => ({ ai: { [name]: value } }) as Change;
const letter = (name: string) => (value: string) => ({ letters: { [name]: value } }) as Change;
const answer = (name: string) => (value: string) =>
  ({
    answers: [FULL.answers[0], { ...FULL.answers[0], [name]: value }],
  }) as Change;

const NUMBERS: readonly [
  field: TemplateField,
  fill: (value: string) => Change,
  accepted: readonly string[],
  refused: readonly string[],
][] = [
  [
    'hourly.rate',
    hourly('rate'),
    ['3', '999', '3.01', ' $ 37.50 '],
    ['2.99', '999.01', '', ' ', 'forty', '-5', '50%'],
  ],
  ['hourly.smartMin', hourly('smartMin'), ['3', '60', ''], ['2.99', '1000', 'x', '60.01']],
  ['hourly.smartMax', hourly('smartMax'), ['999', '30', ''], ['2', '999.01', '1e2']],
  ['hourly.smartPercent', hourly('smartPercent'), ['1', '100', '100%', ''], ['0', '101', '50.5', '$50']],
  ['hourly.increasePercent', hourly('increasePercent'), ['0', '2.125', '100000', '-0', ''], ['-0.1', 'x']],
  [
    'fixedPrice.price',
    fixed('price'),
    ['5', '1000000', '1,000,000', '$1 000', ''],
    ['4.99', '1,000,001', '5.000'],
  ],
  [
    'fixedPrice.minPrice',
    fixed('minPrice'),
    ['5', '1,000,000.00', "1'000"],
    ['4.99', '1000000.01', '12,5,0', '1,00,0'],
  ],
  [
    'fixedPrice.clientBudgetPercent',
    fixed('clientBudgetPercent'),
    ['1', '1000', '1,000 %'],
    ['0', '1001', '9.5'],
  ],
];

/** The maximum length, and how to fill the field; `blank`: whether it may be empty. */
const TEXTS: readonly [
  field: TemplateField,
  fill: (value: string) => Change,
  most: number,
  empty: boolean,
][] = [
  ['name', (name) => ({ name }), 255, false],
  ['ai.instructions', ai('instructions'), 10_000, false],
  ['ai.clientQuestions', ai('clientQuestions'), 10_000, true],
  ['ai.additionalContext', ai('additionalContext'), 10_000, true],
  ['letters.variantA', letter('variantA'), 5_000, true],
  ['letters.variantB', letter('variantB'), 5_000, true],
  ['answers.question', answer('question'), 500, false],
  ['answers.answer', answer('answer'), 5_000, false],
];

describe('each bound is refused at its field with a sentence, and its edge is accepted', () => {
  for (const [field, fill, accepted, refused] of NUMBERS) {
    const base = field === 'fixedPrice.price' ? BY_PROJECT : FULL;
    test.each(accepted)(`${field} accepts "%s"`, (value) => {
      expect(mistakes(changed(base, fill(value)))).toEqual([]);
    });
    test.each(refused)(`${field} refuses "%s"`, (value) => {
      // A minimum above the maximum is an error of the minimum only.
      const [only, ...more] = mistakes(changed(base, fill(value)));
      expect([only?.field, more]).toEqual([field, []]);
      expect(only?.step).toBe(TEMPLATE_FIELDS[field].step);
      expect(only?.sentence).toMatch(/^[A-Z].*\.$/u);
    });
  }

  for (const [field, fill, most, empty] of TEXTS) {
    test(`${field} holds ${most} characters, counted in code points`, () => {
      for (const character of ['x', '😀', '\n']) {
        const text = `x${character.repeat(most - 1)}`;
        expect(countCharacters(text)).toBe(most);
        expect(mistakes(changed(FULL, fill(text)))).toEqual([]);
        const [only, ...more] = mistakes(changed(FULL, fill(`${text}y`)));
        expect([only?.field, more]).toEqual([field, []]);
        expect(only?.sentence).toMatch(new RegExp(`\\b1 .* ${most.toLocaleString('en-US')}\\b`, 'u'));
        expect(only?.sentence).toContain((most + 1).toLocaleString('en-US'));
      }
    });
    test(`${field} ${empty ? 'may be' : 'is never'} empty, and is never blank`, () => {
      const fieldsOf = (text: string) => mistakes(changed(FULL, fill(text))).map((it) => it.field);
      expect(fieldsOf('')).toEqual(empty ? [] : [field]);
      for (const blank of [' ', '\n\t', '\u200b', '\u00a0\u2800']) expect(fieldsOf(blank)).toEqual([field]);
    });
  }

  test('50 answers fit, 51 do not, and it says how many are too many', () => {
    const answers = (length: number) => Array.from({ length }, () => FULL.answers[0] ?? expect.fail());
    expect(mistakes(changed(FULL, { answers: answers(50) }))).toEqual([]);
    const tooMany = mistakes(changed(FULL, { answers: answers(51) }));
    expect(tooMany).toEqual([
      { step: 'answers', field: 'answers', sentence: expect.stringMatching(/\b50 .*\b1 .*\b51\b/u) },
    ]);
  });

  test('an answer says at which place it is wrong', () => {
    const wrong = { question: '', answer: '', matchType: '' } as const;
    expect(checkScreeningAnswer(wrong).map(({ field, index }) => [field, index])).toEqual([
      ['answers.question', undefined],
      ['answers.answer', undefined],
      ['answers.matchType', undefined],
    ]);
    const list = [...FULL.answers, wrong];
    expect(mistakes(changed(FULL, { answers: list })).map(({ field, index }) => [field, index])).toEqual([
      ['answers.question', 1],
      ['answers.answer', 1],
      ['answers.matchType', 1],
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
      expect(mistakes(changed(FULL, { sender: { organizationId } })).map((it) => it.field)).toEqual([
        'sender.organizationId',
      ]);
    },
  );

  test('ids lose the blanks around them, texts do not', () => {
    const sent = input(
      changed(FULL, {
        name: ' N ',
        sender: { organizationId: ' #41 ', contractorUid: ' c-1\n' },
        ai: { model: ' m ' },
      }),
    );
    expect(sent.name).toBe(' N ');
    expect(sent.sender).toEqual({ organizationId: 41, contractorUid: 'c-1' });
    expect(sent.ai.model).toBe('m');
  });
});

describe('smart rates', () => {
  test('the minimum may equal the maximum, and must not exceed it', () => {
    expect(mistakes(changed(FULL, { hourly: { smartMin: '60' } }))).toEqual([]);
    const above = mistakes(changed(FULL, { hourly: { smartMin: '60.5' } }));
    expect(above).toEqual([
      { step: 'rates', field: 'hourly.smartMin', sentence: expect.stringMatching(/\b60\.50\b.*\b60\b/u) },
    ]);
  });

  test('a missing one is the end of its range: the other may be anything', () => {
    expect(mistakes(changed(FULL, { hourly: { smartMin: '', smartMax: '3' } }))).toEqual([]);
    expect(mistakes(changed(FULL, { hourly: { smartMin: '999', smartMax: '' } }))).toEqual([]);
  });

  test('in fixed mode they are neither checked nor sent', () => {
    const form = changed(FULL, {
      hourly: { mode: 'fixed', smartMin: 'x', smartMax: '1', smartPercent: '0' },
    });
    expect(Object.keys(input(form).hourlyRate).sort()).toEqual([
      'increaseFrequency',
      'increasePercent',
      'mode',
      'rate',
    ]);
  });

  test('a mode that is not chosen is a mistake', () => {
    expect(mistakes(changed(FULL, { hourly: { mode: '' } })).map((it) => it.field)).toEqual(['hourly.mode']);
  });
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

  test('every field', () => {
    expect(input(FULL)).toEqual({
      name: 'N',
      visibility: 'shared_edit',
      sender: { organizationId: 7, contractorUid: 'c-1' },
      hourlyRate: {
        mode: 'smart',
        rate: 40,
        smartRateMin: 30,
        smartRateMax: 60,
        smartRatePercent: 80,
        increaseFrequency: 'every-6-months',
        increasePercent: 5,
      },
      fixedPrice: { type: 'by-job-terms', minPrice: 100, clientBudgetPercent: 95 },
      ai: {
        model: 'balanced-2',
        instructions: 'I',
        clientQuestions: 'Q',
        additionalContext: 'C',
        templateStructure: true,
      },
      abTesting: true,
      coverLetters: { variantA: 'A', variantB: 'B' },
      answers: [{ question: 'Why?', answer: 'Because.', matchType: 'contains' }],
    });
  });

  test('what a choice hides is neither checked nor sent', () => {
    const hidden = changed(FULL, {
      hourly: { increaseFrequency: 'never', increasePercent: 'x' },
      fixedPrice: { type: 'by-project', price: '500', minPrice: 'x', clientBudgetPercent: 'x' },
      ai: { templateStructure: false },
      letters: { variantA: 'x'.repeat(5_001) },
    });
    const sent = input(hidden);
    expect(sent.hourlyRate).not.toHaveProperty('increasePercent');
    expect(sent.fixedPrice).toEqual({ type: 'by-project', price: 500 });
    expect(sent).not.toHaveProperty('coverLetters');
    expect(sent).not.toHaveProperty('abTesting');
  });

  test('one letter alone leaves the other slot empty', () => {
    expect(input(changed(FULL, { letters: { variantA: '' } })).coverLetters).toEqual({
      variantA: null,
      variantB: 'B',
    });
  });

  test.each([
    ['$1,234.50', 1234.5],
    ['1 234', 1234],
    ['1\u202f234', 1234],
    ['1234 $', 1234],
    ['0012', 12],
  ])('"%s" is the price %d', (price, value) => {
    expect(input(changed(BY_PROJECT, { fixedPrice: { price } })).fixedPrice?.price).toBe(value);
  });
});

describe('steps', () => {
  const WRONG = changed(FULL, {
    name: '',
    sender: { organizationId: '' },
    hourly: { rate: '2', smartMin: '70' },
    fixedPrice: { minPrice: '1' },
    ai: { instructions: '' },
    letters: { variantB: 'x'.repeat(5_001) },
    answers: [{ question: '', answer: 'A', matchType: 'exact' }],
  });

  test('all mistakes come at once, each at its step, in the order of the form', () => {
    expect(mistakes(WRONG).map(({ step, field, index }) => [step, field, index])).toEqual([
      ['sender', 'name', undefined],
      ['sender', 'sender.organizationId', undefined],
      ['rates', 'hourly.rate', undefined],
      ['rates', 'hourly.smartMin', undefined],
      ['rates', 'fixedPrice.minPrice', undefined],
      ['ai', 'ai.instructions', undefined],
      ['letters', 'letters.variantB', undefined],
      ['answers', 'answers.question', 0],
    ]);
  });

  test('a step tells its own mistakes; the review tells all', () => {
    for (const step of TEMPLATE_STEPS) {
      const own = mistakes(WRONG).filter((mistake) => step === 'review' || mistake.step === step);
      expect(checkTemplateStep(WRONG, step)).toEqual(own);
      expect(checkTemplateStep(FULL, step)).toEqual([]);
    }
  });
});
