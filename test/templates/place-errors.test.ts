import { describe, expect, test } from 'vitest';
import { buildTemplateRequestBody } from '../../src/marketplace/wire/proposals.ts';
import { checkTemplateForm } from '../../src/templates/check-template.ts';
import { TEMPLATE_FIELDS, valueAt } from '../../src/templates/fields.ts';
import { TEMPLATE_STEPS } from '../../src/templates/form.ts';
import {
  dropErrorsOfChangedFields,
  locateFieldErrors,
  locateFieldPath,
} from '../../src/templates/locate-field-errors.ts';
import { changed, FULL } from './forms.ts';

describe('the marketplace’s dot paths lead to our fields', () => {
  const typed = (value: unknown) => JSON.stringify(value).replaceAll('"', '');

  /** Each value of a request, and the dot path to it. */
  function leaves(value: unknown, path: readonly string[] = []): readonly (readonly [string, unknown])[] {
    if (typeof value !== 'object' || value === null) return [[path.join('.'), value]];
    return Object.entries(value).flatMap(([name, part]) => leaves(part, [...path, name]));
  }

  test.each([FULL, changed(FULL, { fixedPrice: { type: 'by-project', price: '700' } })])(
    'each value of a request was typed where its path leads',
    (form) => {
      const checked = checkTemplateForm(form);
      const body = checked.kind === 'ok' ? buildTemplateRequestBody(checked.input) : expect.fail();
      for (const [path, value] of leaves(JSON.parse(JSON.stringify(body)))) {
        const place = locateFieldPath(path) ?? expect.fail(path);
        const field = place.index === undefined ? place.field : place.field.replace('.', `.${place.index}.`);
        expect([path, typed(valueAt(form, field))]).toEqual([path, typed(value)]);
        expect(place.step).toBe(TEMPLATE_FIELDS[place.field].step);
      }
    },
  );

  test.each([
    ['sender', 'sender.organizationId', undefined],
    ['answers', 'answers', undefined],
    ['answers.2', 'answers', 2],
    ['answers[3].answer', 'answers.answer', 3],
    ['answers[0][question]', 'answers.question', 0],
  ] as const)('%s', (path, field, index) => {
    const { step } = TEMPLATE_FIELDS[field];
    expect(locateFieldPath(path)).toEqual({ field, step, ...(index === undefined ? {} : { index }) });
  });

  test.each([
    '',
    'body',
    'constructor',
    '__proto__',
    'ai.modelo',
    'answers.x.answer',
    'answers.3.note',
    'hourly',
  ])('“%s” leads nowhere', (path) => expect(locateFieldPath(path)).toBeUndefined());

  test('every field stands at a step before the review', () => {
    const steps: readonly string[] = TEMPLATE_STEPS.slice(0, -1);
    for (const { step } of Object.values(TEMPLATE_FIELDS)) expect(steps).toContain(step);
  });
});

describe('errors of a refusal', () => {
  test('stand at their inputs in the order of the form; what has no input is told apart', () => {
    const byProject = changed(FULL, { fixedPrice: { type: 'by-project' } });
    expect(
      locateFieldErrors(byProject, {
        'answers.0.answer': 'too rude',
        'ai.model': 'unknown model',
        name: 'taken',
        'answers.1.answer': 'not there',
        'fixed_price.min_price': 'not shown',
        plan: 'no templates left',
      }),
    ).toEqual({
      placed: [
        { step: 'sender', field: 'name', words: 'taken' },
        { step: 'ai', field: 'ai.model', words: 'unknown model' },
        { step: 'answers', field: 'answers.answer', index: 0, words: 'too rude' },
      ],
      others: [
        { path: 'answers.1.answer', words: 'not there' },
        { path: 'fixed_price.min_price', words: 'not shown' },
        { path: 'plan', words: 'no templates left' },
      ],
    });
  });

  const FIELDS = {
    name: 'taken',
    'sender.contractor_uid': 'unknown contractor',
    'hourly_rate.smart_rate_min': 'must not exceed smart_rate_max',
    'ai.model': 'unknown model',
    'answers.0.answer': 'too rude',
    'cover_letters.variant_a': 'too long',
    ab_testing: 'no',
    plan: 'no templates left',
  };

  test.each([
    ['name', changed(FULL, { name: 'M' })],
    ['sender.contractor_uid', changed(FULL, { sender: { organizationId: '9' } })],
    ['hourly_rate.smart_rate_min', changed(FULL, { hourly: { smartMax: '70' } })],
    ['ai.model', changed(FULL, { ai: { model: '' } })],
    ['answers.0.answer', changed(FULL, { answers: [] })],
    ['cover_letters.variant_a', changed(FULL, { letters: { variantA: '' } })],
    ['ab_testing', changed(FULL, { abTesting: false })],
  ])('%s is not held against the field once it has changed; all others are', (path, after) => {
    const { [path]: _, ...others } = FIELDS as Record<string, string>;
    expect(dropErrorsOfChangedFields(FULL, after, FIELDS)).toEqual(others);
    expect(dropErrorsOfChangedFields(FULL, structuredClone(FULL), FIELDS)).toEqual(FIELDS);
  });
});
