import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ViewInputValue } from '../../../src/slack/core/routes.ts';
import { findViewLimitProblems } from '../../../src/slack/kit/check-limits.ts';
import { countInputsForText, joinLongText, longTextInputs } from '../../../src/slack/kit/long-text.ts';
import { countCharacters } from '../../../src/typed/texts.ts';

type Inputs = ReturnType<typeof longTextInputs>;

function laidOut(text: string, parts = 1): Inputs {
  return longTextInputs({ id: 'letter', label: 'Cover letter', text, parts });
}

function textsOf(inputs: Inputs): readonly string[] {
  return inputs.map(({ element }) =>
    element.type === 'plain_text_input' ? (element.initial_value ?? '') : 'no text',
  );
}

/** The result of submitting the inputs unchanged, among others. */
function submitted(inputs: Inputs): ReadonlyMap<string, ViewInputValue> {
  const filled = inputs.map((input, index) => [input.block_id ?? '', textsOf(inputs)[index] ?? ''] as const);
  const values = new Map<string, ViewInputValue>([
    ['letter~x', { text: 'no' }],
    ['letters', { text: 'no' }],
  ]);
  // Slack sends them in any order, and leaves out empty ones.
  for (const [id, text] of filled.toReversed()) if (text !== '') values.set(id, { text });
  return values;
}

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('😀', '👨‍👩‍👧‍👦', '\r\n', 'e\u0301', '\uD83D', '\uDE00', '   ', '\n\n', 'word '),
);
const anyText = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 40 }), fc.nat(400))
  .map(([pieces, times]) => pieces.join('').repeat(times).slice(0, 21_000));

describe('a text over several inputs', () => {
  it('comes back to the character, whatever it is, and each input holds what Slack lets it hold', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 4 }), (text, parts) => {
        const inputs = laidOut(text, parts);
        expect(joinLongText(submitted(inputs), 'letter')).toBe(text);
        expect(inputs.length).toBeGreaterThanOrEqual(parts);
        for (const each of textsOf(inputs)) expect(each.length).toBeLessThanOrEqual(3_000);
      }),
      { numRuns: 200 },
    );
  });

  it('is never cut inside a surrogate pair', () => {
    fc.assert(
      fc.property(fc.nat(7_000), fc.nat(7_000), (before, after) => {
        const text = `${'a'.repeat(before)}${'😀'.repeat(Math.ceil(after / 2))}`;
        for (const each of textsOf(laidOut(text))) expect(each).not.toMatch(/\p{Cs}/u);
      }),
    );
  });

  it('is cut between characters that people see, not beside white space, where that is possible', () => {
    expect(textsOf(laidOut(`${'a'.repeat(2_999)}👨‍👩‍👧‍👦${'b'.repeat(10)}`))).toEqual([
      'a'.repeat(2_999),
      `👨‍👩‍👧‍👦${'b'.repeat(10)}`,
    ]);
    const [first = '', second = ''] = textsOf(laidOut('word '.repeat(700)));
    expect([first.endsWith(' '), second.startsWith(' ')]).toEqual([false, false]);
  });

  it('of one character that is longer than an input comes back all the same', () => {
    const text = `e${'\u0301'.repeat(6_000)}`;
    expect(joinLongText(submitted(laidOut(text)), 'letter')).toBe(text);
  });

  it('can be as long as the marketplace allows: 10,000 characters, even of two units each', () => {
    const text = '😀'.repeat(10_000);
    expect(countCharacters(text)).toBe(10_000);
    const inputs = laidOut(text, 4);
    expect(joinLongText(submitted(inputs), 'letter')).toBe(text);
    expect(
      findViewLimitProblems({
        type: 'modal',
        title: { type: 'plain_text', text: 'Bid' },
        submit: { type: 'plain_text', text: 'Send' },
        blocks: inputs,
      }),
    ).toEqual([]);
  });
});

describe('the inputs of a text', () => {
  it('are one for a short text, named as the field is', () => {
    expect(laidOut('Hello')).toMatchObject([
      { block_id: 'letter', label: { text: 'Cover letter' }, optional: false },
    ]);
  });

  it('ask for the first alone, tell their place and leave room for more', () => {
    const inputs = longTextInputs({ id: 'l', label: 'Letter', hint: 'Two are joined.', text: 'x', parts: 2 });
    expect(inputs).toMatchObject([
      {
        block_id: 'l',
        label: { text: expect.stringMatching(/^Letter .*1.*2/u) },
        hint: { text: 'Two are joined.' },
        optional: false,
      },
      { block_id: 'l~2', label: { text: expect.stringMatching(/^Letter .*2.*2/u) }, optional: true },
    ]);
    expect(inputs[1]?.hint).toBeUndefined();
  });

  it('may all be empty where the text may be', () => {
    const inputs = longTextInputs({ id: 'l', label: 'Letter', text: '', parts: 2, optional: true });
    expect(inputs.map((it) => it.optional)).toEqual([true, true]);
    expect(joinLongText(new Map(), 'l')).toBe('');
  });

  it('are as many as the text needs', () => {
    expect([
      countInputsForText(''),
      countInputsForText('a'.repeat(3_000)),
      countInputsForText('a'.repeat(3_001)),
    ]).toEqual([1, 1, 2]);
  });

  it('are read in their order, a gap between them too', () => {
    const values = new Map<string, ViewInputValue>([
      ['l~10', { text: 'c' }],
      ['l~3', { text: ' b\n' }],
      ['l', { text: 'a ' }],
      ['l~02', { text: 'no' }],
    ]);
    expect(joinLongText(values, 'l')).toBe('a  b\nc');
  });
});
