/** Which letters count as nearly equal, measured on made-up ones. The decision record quotes this table. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareLetters, NEARLY_EQUAL, sketchLetter } from '../../src/bidding/letter-likeness.ts';
import { KINDS, LetterWriter } from './made-up-letters.ts';

const PAIRS = 1_000;

function sketch(text: string) {
  return sketchLetter(text) ?? expect.fail('too short to compare');
}

function likenesses(kind: string): readonly number[] {
  const writer = new LetterWriter(7);
  const make = KINDS[kind] ?? expect.fail(kind);
  return Array.from({ length: PAIRS }, () => {
    const [one, other] = make(writer);
    return compareLetters(sketch(one), sketch(other));
  });
}

it('the threshold lies between copies and own words', () => {
  const rows = Object.keys(KINDS).map((kind) => {
    const all = likenesses(kind);
    const over = (threshold: number) => all.filter((each) => each >= threshold).length;
    const range = `${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)}`;
    return `${kind}: ${range}; ${[0.5, NEARLY_EQUAL, 0.7].map((at) => `${at}: ${over(at)}`).join(', ')}`;
  });
  expect(rows).toMatchInlineSnapshot(`
    [
      "copied, other greeting: 0.95 to 1.00; 0.5: 1000, 0.6: 1000, 0.7: 1000",
      "copied, one sentence new: 0.69 to 0.95; 0.5: 1000, 0.6: 1000, 0.7: 996",
      "a form with filled-in names: 0.88 to 0.98; 0.5: 1000, 0.6: 1000, 0.7: 1000",
      "copied, sentences in another order: 0.79 to 0.85; 0.5: 1000, 0.6: 1000, 0.7: 1000",
      "half of the sentences new: 0.32 to 0.62; 0.5: 137, 0.6: 3, 0.7: 0",
      "own words, no boilerplate: 0.00 to 0.31; 0.5: 0, 0.6: 0, 0.7: 0",
      "own words, 2 sentences of boilerplate: 0.12 to 0.40; 0.5: 0, 0.6: 0, 0.7: 0",
      "own words, 4 sentences of boilerplate: 0.20 to 0.47; 0.5: 0, 0.6: 0, 0.7: 0",
      "short own words, 4 sentences of boilerplate: 0.34 to 0.57; 0.5: 35, 0.6: 0, 0.7: 0",
    ]
  `);
});

it('a letter of own words is not like any of 300 others of the same agency', () => {
  const writer = new LetterWriter(11);
  const make = KINDS['own words, 4 sentences of boilerplate'] ?? expect.fail();
  const letters = Array.from({ length: 300 }, () => sketch(make(writer)[0]));
  const alarms = letters.filter((one, at) =>
    letters.slice(0, at).some((other) => compareLetters(one, other) >= NEARLY_EQUAL),
  );
  expect(alarms).toHaveLength(0);
});

describe('the measure', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'é', '漢字', '!', '\u0000'), {
    minLength: 12,
    maxLength: 700,
  });

  it('is 1 for the same letter, the same both ways, and never outside 0 to 1', () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const [a, b] = [sketchLetter(one.join(' ')), sketchLetter(other.join(' '))];
        if (!a || !b) return;
        expect(compareLetters(a, a)).toBe(1);
        expect(compareLetters(a, b)).toBe(compareLetters(b, a));
        expect(compareLetters(a, b)).toBeGreaterThanOrEqual(0);
        expect(compareLetters(a, b)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('ignores case, accents, punctuation and line breaks; very short letters are not compared', () => {
    const one = sketch('Hello Zoë, I would start with the checkout, and show it to you on Friday.');
    const other = sketch('HELLO ZOE - I would start with the checkout and\n\nshow it to you on friday');
    expect(compareLetters(one, other)).toBe(1);
    expect(sketchLetter('I can do this. Please message me.')).toBeUndefined();
    expect(sketchLetter('')).toBeUndefined();
  });

  it('estimates letters that are longer than its sample', () => {
    const words = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => `word${from + at}`).join(' ');
    // 2,000 words, of which the second letter has the last 1,500 and 500 others: 1,500 of 2,500.
    const share = compareLetters(sketch(words(0, 2_000)), sketch(words(500, 2_000)));
    expect(share).toBeGreaterThan(0.53);
    expect(share).toBeLessThan(0.67);
  });
});
