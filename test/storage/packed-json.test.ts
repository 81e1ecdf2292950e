import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { JsonPacker, type PackedJson } from '../../src/storage/packed-json.ts';
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

const NOISE = noise(100_000);

function packAll(values: readonly unknown[]) {
  const packer = new JsonPacker();
  return values.map((value) => packer.pack(JSON.stringify(value)));
}

/**
 * Tracks buffers allocated from now on, until the test ends. @returns a function that returns the retained
 * bytes
 */
function watchRoom(): () => Promise<number> {
  const made: WeakRef<Buffer>[] = [];
  const allocate = Buffer.allocUnsafeSlow.bind(Buffer);
  Buffer.allocUnsafeSlow = (size) => {
    const room = allocate(size);
    made.push(new WeakRef(room));
    return room;
  };
  onTestFinished(() => {
    Buffer.allocUnsafeSlow = allocate;
  });
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  return async () => {
    // Values read in this turn stay alive until its end.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    return made.reduce((sum, room) => sum + (room.deref()?.length ?? 0), 0);
  };
}

describe('what is packed', () => {
  it.each(strange)('is read back as it was: %s', (_what, value) => {
    const json = JSON.stringify(value);
    const packer = new JsonPacker();
    const packed = packer.pack(json);
    expect(packed.read()).toBe(json);
    // Again after others have filled the block.
    packer.pack(JSON.stringify(noise(40_000)));
    expect(packed.read()).toBe(json);
    expect(JSON.parse(packed.read())).toEqual(value);
  });

  it('is read back as it was, in any order and as often as wanted, for any values', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      // UTF-16 units, so that unpaired surrogates are among them.
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

  it('is read back after its release, too, and whatever was released beside it', () => {
    const steps = fc.array(
      fc.oneof({ weight: 3, arbitrary: fc.constant('pack') }, { weight: 1, arbitrary: fc.nat() }),
      {
        minLength: 50,
        maxLength: 80,
      },
    );
    fc.assert(
      fc.property(steps, (taken) => {
        const packer = new JsonPacker();
        const packed: { readonly json: string; readonly text: PackedJson }[] = [];
        for (const step of taken) {
          if (step === 'pack') {
            const json = JSON.stringify(NOISE.slice(packed.length, packed.length * 700));
            packed.push({ json, text: packer.pack(json) });
          } else packed[step % Math.max(1, packed.length)]?.text.releaseMemory();
        }
        for (const { json, text } of packed) expect(text.read()).toBe(json);
      }),
      { numRuns: 10 },
    );
  });

  it('that is read for long keeps none of those that came after it', async () => {
    const held = watchRoom();
    const packer = new JsonPacker();
    const textOf = (at: number) =>
      JSON.stringify(NOISE.slice((at * 577) % 99_000, ((at * 577) % 99_000) + 500));
    const texts = Array.from({ length: 4_000 }, (_, at) => packer.pack(textOf(at)));
    const read = texts.filter((_, at) => at % 20 === 0);
    const before = await held();
    const random = seededRandom(5);
    for (let at = 0; at < 20_000; at++) {
      const place = Math.floor(random() * texts.length);
      texts[place]?.releaseMemory();
      texts[place] = packer.pack(textOf(at));
    }
    expect((await held()) / before).toBeLessThan(2);
    expect(read.map((text) => text.read())).toEqual(read.map((_, at) => textOf(20 * at)));
  });

  it('takes no more room for having been replaced, often while it is new and now and then later', () => {
    const fresh = new JsonPacker();
    const rewritten = new JsonPacker();
    const texts: PackedJson[] = [];
    const random = seededRandom(4);
    for (let at = 0; at < 2_000; at++) {
      const json = JSON.stringify({
        at,
        text: NOISE.slice((at * 577) % 99_000, ((at * 577) % 99_000) + 500),
      });
      fresh.pack(json);
      texts.push(rewritten.pack(json));
      for (let again = 0; again < 4; again++) {
        const back = again === 0 ? Math.floor(random() * texts.length) : Math.floor(random() * 100);
        const old = texts[texts.length - 1 - back];
        if (!old) continue;
        const same = old.read();
        old.releaseMemory();
        texts[texts.length - 1 - back] = rewritten.pack(same);
      }
    }
    expect(rewritten.bytes).toBeLessThan(1.5 * fresh.bytes);
    expect(texts.every((text, at) => JSON.parse(text.read()).at === at)).toBe(true);
    for (const text of texts) text.releaseMemory();
    expect(rewritten.bytes).toBeLessThanOrEqual(40_000);
  });
});
