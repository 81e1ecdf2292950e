/** Hostile texts, and hostile or faulty JSON, as text: JSON.stringify can't produce much of it. */
import * as fc from 'fast-check';

const nasty = fc.constantFrom(
  '<!channel>',
  '<!here|x>',
  '<@U0ANA>',
  '<https://evil.example|https://bank.example>',
  '&lt;!channel&gt;',
  '\u202Egnp.exe',
  '\u0000',
  '\u200B\u2800',
  '```code',
  '*_~`|>',
  '\n\n\n',
  '&amp;',
  '😀',
  '\uD800',
);

/** Up to huge sizes. */
export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.oneof(nasty, fc.string({ maxLength: 20 })), { maxLength: 30 }).map((parts) => parts.join('')),
  fc
    .tuple(nasty, fc.integer({ min: 1, max: 100_000 }))
    .map(([part, size]) => part.repeat(Math.ceil(size / part.length))),
);

/** What parsers and conversions stumble over, or what could reach the prototype. */
const NASTY = (
  'null|true|[]|{}|""|" "|[null]|[[]]|{"":""}|0|-1|0.1|1e999|-1e999|1e-400|9007199254740993|2147483648|' +
  '99999999999999999999|8640000000000001|"NaN"|"Infinity"|"1e5"|"0x10"|"1,000"|"٣"|" 7 "|"-0"|' +
  '{"__proto__":{"polluted":true}}|{"constructor":{"prototype":{"polluted":true}}}|' +
  '{"\\u005f_proto__":{"polluted":true}}|{"toString":null,"valueOf":1}|{"toJSON":1,"then":1}|' +
  '[{"toString":null}]|{"length":1e9}|{"0":"x","length":3}'
).split('|');

const nested = fc
  .tuple(fc.constantFrom('[1]', '{"a":1}', '{"name":1}'), fc.constantFrom(10, 500, 5_000, 60_000))
  .map(([each, depth]) => each.split('1').map((it) => it.repeat(depth)))
  .map((around) => around.join('1'));

/** Any value, as text. */
export const hostileValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 14, arbitrary: fc.constantFrom(...NASTY) },
  { weight: 4, arbitrary: hostileText.map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
  { weight: 1, arbitrary: nested },
  {
    weight: 1,
    arbitrary: fc.constantFrom(2_000, 20_000).map((count) => `[${'{"id":1},'.repeat(count)}0]`),
  },
);

/** No JSON. */
const BROKEN = 'NaN|undefined||,|{|"|\u0000|//|01|"\\ud800|"\\x41"'.split('|');
/** A value several times, in a frame, or under a second name as well; `§` stands for the value. */
const AROUND = [
  '[§]',
  '{"data":§}',
  `${'['.repeat(1_000)}§${']'.repeat(1_000)}`,
  '§,§',
  `§${',§'.repeat(1_500)}`,
  '§,"__proto__":§',
  '§,"constructor":§',
  '§,"toString":§',
  '§,"toJSON":§',
  '§,"then":§',
  '§,"length":§',
];

/** What stands in some places of a JSON text instead of its value; undefined leaves it out. */
export type Changes = readonly (readonly [place: number, instead: string | undefined])[];

/** A place's number, counted from outside in, is taken modulo the number of places. */
export const changes: fc.Arbitrary<Changes> = fc.array(
  fc.tuple(
    fc.nat(400),
    fc.oneof(
      { weight: 12, arbitrary: hostileValue },
      { weight: 7, arbitrary: fc.constantFrom(...AROUND) },
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...BROKEN) },
    ),
  ),
  { minLength: 1, maxLength: 12 },
);

/** The changed JSON of a value. */
export function writeChanged(value: unknown, wanted: Changes): string {
  let places = 0;
  JSON.stringify(value, (_name, each: unknown) => {
    places++;
    return each;
  });
  const changed = new Map(wanted.map(([place, instead]) => [place % places, instead]));
  const written: string[] = [];
  let place = 0;
  const text = JSON.stringify(value, (_name, each: unknown) => {
    const at = place++;
    const instead = changed.get(at);
    if (instead === undefined) return changed.has(at) ? undefined : each;
    return `§${written.push(instead.replaceAll('§', () => JSON.stringify(each))) - 1}§`;
  }) as string | undefined;
  return (text ?? 'null').replaceAll(/"§(\d+)§"/gu, (_all, at: string) => written[Number(at)] ?? '');
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
