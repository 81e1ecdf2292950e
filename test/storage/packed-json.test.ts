import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonPacker } from '../../src/storage/packed-json.ts';
import { seededRandom } from '../seeded-random.ts';

const strange: readonly [string, unknown][] = [
  ['nothing', ''],
  ['a long dash and round quotes', '— “so” ’s'],
  ['a pair', '👩🏽‍💻'],
  ['halves of pairs', 'a\ud83d b\ude00 \ude00\ud83d'],
  ['zeros, newlines and the highest unit', '\0\n\r\u2028\uffff'],
  ['long text without a pattern', noise(200_000)],
  ['long text with one', 'so '.repeat(100_000)],
  ['no text', null],
  ['what is in each other', { a: [{ b: [[]] }, 1.5e300, true] }],
];

function noise(length: number): string {
  const random = seededRandom(length);
  return Array.from({ length }, () => String.fromCharCode(0x20 + Math.floor(random() * 0x3000))).join('');
}

function packAll(values: readonly unknown[]) {
  const packer = new JsonPacker();
  return values.map((value) => packer.pack(JSON.stringify(value)));
}

describe('what is packed', () => {
  it.each(strange)('is read back as it was: %s', (_what, value) => {
    const json = JSON.stringify(value);
    const packer = new JsonPacker();
    const packed = packer.pack(json);
    expect(packed.read()).toBe(json);
    // Once more when others have filled the block.
    packer.pack(JSON.stringify(noise(40_000)));
    expect(packed.read()).toBe(json);
    expect(JSON.parse(packed.read())).toEqual(value);
  });

  it('is read back as it was, in any order and as often as wanted, for any values', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      // Units, so that there are halves of pairs among them.
      fc
        .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 })
        .map((units) => String.fromCharCode(...units)),
      fc.nat({ max: 50_000 }).map(noise),
    );
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 40 }),
        fc.array(fc.nat(), { maxLength: 60 }),
        (values, looks) => {
          const packed = packAll(values);
          for (const look of looks) {
            const at = look % Math.max(1, values.length);
            expect(packed[at]?.read()).toBe(values.length === 0 ? undefined : JSON.stringify(values[at]));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is read back when it is more than is kept inflated', () => {
    const values = Array.from({ length: 1_000 }, (_, at) => ({ at, text: noise(3_000 + at) }));
    const packed = packAll(values);
    for (const [at, value] of [...values.entries(), ...values.entries()].reverse())
      expect(JSON.parse(packed[at]?.read() ?? '')).toEqual(value);
  });
});
