/** Keys as sorted text. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeKey, encodeKey } from '../../src/storage/memory/keys.ts';

const part = fc.oneof(
  fc.double({ noDefaultInfinity: true, noNaN: true }).map((number) => (number === 0 ? 0 : number)),
  fc.constantFrom(0, 1, -1, 255, 256, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE, -Number.MAX_VALUE),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('\u0000', '\u0001', '\u0002', '\u0003', '\u0004', '\uffff', 'a') }),
);

it('reads each key back from its text', () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (key) => {
      expect(decodeKey(encodeKey(key))).toEqual(key);
    }),
    { numRuns: 5_000 },
  );
});
