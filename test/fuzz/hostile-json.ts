/** Hostile or faulty JSON, as text: JSON.stringify can't produce much of it. */
import * as fc from 'fast-check';
import { hostileText } from '../slack/arbitraries.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The replacement at a position of a JSON text. */
export type Change =
  | { readonly kind: 'raw'; readonly text: string }
  /** Removes the name and its value, or the item of a list. */
  | { readonly kind: 'left-out' }
  | { readonly kind: 'wrapped'; readonly before: string; readonly after: string; readonly times: number }
  /** Adds the value under a second name. */
  | { readonly kind: 'also-as'; readonly name: string }
  | { readonly kind: 'many'; readonly times: number };

/** By the position's number, counted from outside in. */
export type Changes = ReadonlyMap<number, Change>;

const DANGEROUS_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'toJSON',
  'then',
  'length',
];

const NUMBERS = [
  '0',
  '-0',
  '-1',
  '0.1',
  '1e999',
  '-1e999',
  '1e-400',
  '9007199254740993',
  '99999999999999999999',
  '1.7976931348623157e308',
  '2147483648',
  '8640000000000001',
  '"NaN"',
  '"Infinity"',
  '"1e5"',
  '"0x10"',
  '"1,000"',
  '"٣"',
  '" 7 "',
  '"-0"',
] as const;

const SMALL = [
  'null',
  'true',
  'false',
  '[]',
  '{}',
  '""',
  '" "',
  '[null]',
  '[[]]',
  '[[[["x"]]]]',
  '{"":""}',
] as const;

/** Texts that aren't JSON. */
const BROKEN = [
  'NaN',
  'undefined',
  '',
  ',',
  '{',
  '"',
  '\u0000',
  '//',
  "'x'",
  '01',
  '"\\ud800',
  '"\\x41"',
] as const;

/** Values that could reach the prototype, or break conversions to text. */
const POISONED = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  String.raw`{"\u005f_proto__":{"polluted":true}}`,
  '{"toString":null,"valueOf":1}',
  '{"toString":"x"}',
  '[{"toString":null}]',
  '{"toJSON":1,"then":1}',
  '{"length":1e9}',
  '{"0":"x","length":3}',
] as const;

function nested(open: string, inner: string, close: string, depth: number): string {
  return open.repeat(depth) + inner + close.repeat(depth);
}

const deep = fc
  .tuple(
    fc.constantFrom(['[', ']'] as const, ['{"a":', '}'] as const, ['{"name":', '}'] as const),
    fc.constantFrom(10, 500, 5_000, 60_000),
  )
  .map(([[open, close], depth]) => nested(open, '1', close, depth));

const written = (value: unknown): string => JSON.stringify(value) ?? 'null';

const huge = fc.oneof(
  fc.constantFrom(2_000, 50_000).map((count) => `[${'0,'.repeat(count)}0]`),
  fc.constantFrom(2_000, 20_000).map((count) => written(Array.from({ length: count }, () => ({ id: 1 })))),
  fc
    .constantFrom(1_000, 20_000)
    .map((count) => written(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at])))),
);

/** Any value, as text. */
export const hostileValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...SMALL) },
  { weight: 5, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 4, arbitrary: fc.constantFrom(...POISONED) },
  { weight: 4, arbitrary: hostileText.map(written) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: huge },
);

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 12, arbitrary: hostileValue.map((text) => ({ kind: 'raw', text }) as const) },
  { weight: 1, arbitrary: fc.constantFrom(...BROKEN).map((text) => ({ kind: 'raw', text }) as const) },
  { weight: 3, arbitrary: fc.constant({ kind: 'left-out' } as const) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(1, 2, 1_000)
      .map((times) => ({ kind: 'wrapped', before: '[', after: ']', times }) as const),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(1, 3)
      .map((times) => ({ kind: 'wrapped', before: '{"data":', after: '}', times }) as const),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...DANGEROUS_NAMES).map((name) => ({ kind: 'also-as', name }) as const),
  },
  { weight: 1, arbitrary: fc.constantFrom(2, 1_500).map((times) => ({ kind: 'many', times }) as const) },
);

/** A few changes; a position's number is taken modulo the number of positions. */
export const changes: fc.Arbitrary<readonly (readonly [number, Change])[]> = fc.array(
  fc.tuple(fc.nat(400), change),
  { minLength: 1, maxLength: 4 },
);

function countPlaces(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, each: Json) => sum + countPlaces(each), 1);
}

/** The changed JSON of a value. */
export function writeChanged(value: Json, wanted: readonly (readonly [number, Change])[]): string {
  const places = countPlaces(value);
  const writer = new ChangedJson(new Map(wanted.map(([at, how]) => [at % places, how])));
  return writer.write(value)[0] ?? 'null';
}

/** The texts of a value: none when left out, several when repeated. */
class ChangedJson {
  readonly #changes: Changes;
  #next = 0;

  constructor(changesByPlace: Changes) {
    this.#changes = changesByPlace;
  }

  write(value: Json): readonly string[] {
    const how = this.#changes.get(this.#next++);
    const text = this.#plain(value);
    switch (how?.kind) {
      case undefined:
      case 'also-as':
        return [text];
      case 'raw':
        return [how.text];
      case 'left-out':
        return [];
      case 'wrapped':
        return [nested(how.before, text, how.after, how.times)];
      case 'many':
        return Array.from({ length: how.times }, () => text);
    }
  }

  #plain(value: Json): string {
    if (typeof value !== 'object' || value === null) return written(value);
    if (Array.isArray(value)) return `[${value.flatMap((item: Json) => this.write(item)).join(',')}]`;
    const fields = Object.entries(value).flatMap(([name, each]) => {
      const how = this.#changes.get(this.#next);
      const names = how?.kind === 'also-as' ? [name, how.name] : [name];
      return this.write(each).flatMap((text) => names.map((it) => `${written(it)}:${text}`));
    });
    return `{${fields.join(',')}}`;
  }
}
