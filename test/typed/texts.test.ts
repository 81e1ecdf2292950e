import { describe, expect, it } from 'vitest';
import { countCharacters, isBlank } from '../../src/typed/texts.ts';

describe('the length of a text', () => {
  it.each([
    ['', 0],
    ['word\n', 5],
    ['😀', 1],
    ['é', 1],
    ['e\u0301', 2],
    ['👨‍👩‍👧‍👦', 7],
    ['\uD83D', 1],
  ])('%j is counted in code points: %d', (text, length) => expect(countCharacters(text)).toBe(length));
});

describe('a blank text', () => {
  it.each(['', ' ', '\n\t\r\n', '\u00a0\u2003', '\u200b\ufeff', '\u202e', '\0', '\u2800', '\u3164 \uffa0'])(
    'is %j: nothing can be seen of it',
    (text) => expect(isBlank(text)).toBe(true),
  );

  it.each(['x', ' . ', '\u200b1', '😀', '\ue000', '\u{10fffd}', '\uD83D'])(
    'is not %j: some screen shows a sign for it',
    (text) => expect(isBlank(text)).toBe(false),
  );
});
