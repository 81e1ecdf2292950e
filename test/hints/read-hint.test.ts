/** What counts as a hint, and that nothing else in a request does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_HINTED_FILTERS, readHint } from '../../src/hints/read-hint.ts';

const json = (value: unknown) => readHint('', JSON.stringify(value));

/** Puts a value into random surroundings without a key of ours. */
const surroundings = fc.letrec<{ tree: (inner: unknown) => unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.constant((inner: unknown) => inner),
    fc.tuple(fc.constantFrom('data', 'event', 'project', '__proto__', ''), tie('tree'), fc.jsonValue()).map(
      ([key, outer, other]) =>
        (inner: unknown) =>
          outer({ other, [key]: inner }),
    ),
    tie('tree').map((outer) => (inner: unknown) => outer([null, inner])),
  ),
}));

describe('a filter ID', () => {
  it.each([
    { filter: 7 },
    { filter: '7' },
    { filter: ' 7 ' },
    { filter_id: 7 },
    { filterId: '7' },
    { filter: { id: 7, name: 'React' } },
    { filter: { id: '7' } },
    { filter: [7] },
    { filter: [{ id: 7 }] },
    [{ event: 'match', data: { project: { title: 'x' }, filter: { id: 7 } } }],
    { a: [[[[{ b: { filterId: 7 } }]]]] },
  ])('is found in %j', (body) => {
    expect(json(body)).toEqual([7]);
  });

  it.each([
    'filter=7',
    'filter_id=7',
    'filter%5Bid%5D=7',
    'payload=%7B%22filter%22%3A7%7D',
    'a=b&filterId=7',
  ])('is found in the form %s', (body) => {
    expect(readHint('', body)).toEqual([7]);
  });

  it('is found in the query, whatever the body is', () => {
    for (const body of ['', '{', '<xml/>', 'null', '\u0000', '{"filter":8}'])
      expect(readHint('filter=7&x=1', body)).toContain(7);
  });

  it.each([
    { filter: 'React developers' },
    { filter: 0 },
    { filter: -7 },
    { filter: 7.5 },
    { filter: 1e300 },
    { filter: '0x7' },
    { filter: '7e0' },
    { filter: null },
    { filter: { name: 7 } },
    { filter: { id: { id: 7 } } },
    { Filter: 7 },
    { filters: 7 },
    { id: 7 },
    7,
    '7',
    ['filter', 7],
    { text: 'filter=7' },
  ])('is not in %j', (body) => {
    expect(json(body)).toEqual([]);
  });

  it('is found at any depth, beside anything', () => {
    fc.assert(
      fc.property(
        surroundings.tree,
        fc.integer({ min: 1, max: 2 ** 40 }),
        fc.constantFrom('filter', 'filter_id', 'filterId'),
        fc.boolean(),
        (around, id, key, asText) => {
          expect(json(around({ [key]: asText ? String(id) : id }))).toContain(id);
        },
      ),
    );
  });
});

describe('a hostile request', () => {
  it('never breaks the reader, and names a bounded number of distinct positive IDs', () => {
    const body = fc.oneof(
      fc.json(),
      fc.string({ unit: 'binary' }),
      fc.json().map((text) => text.slice(1)),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), body, (query, text) => {
        const found = readHint(query, text);
        expect(found.length).toBeLessThanOrEqual(MOST_HINTED_FILTERS);
        expect(new Set(found).size).toBe(found.length);
        for (const id of found) expect(Number.isSafeInteger(id) && id > 0).toBe(true);
      }),
    );
  });

  it('may be nested as deep as a body can be', () => {
    const depth = 100_000;
    expect(readHint('', '['.repeat(depth))).toEqual([]);
    expect(readHint('', `${'['.repeat(depth)}{"filter":7}${']'.repeat(depth)}`)).toEqual([7]);
    expect(readHint('', `${'{"a":'.repeat(40_000)}{"filter":7}${'}'.repeat(40_000)}`)).toEqual([7]);
  });

  it('may name a thousand filters: the first hundred count', () => {
    const many = Array.from({ length: 1_000 }, (_, place) => ({ filter: place + 1 }));
    expect(json(many)).toEqual(Array.from({ length: MOST_HINTED_FILTERS }, (_, place) => place + 1));
    expect(json({ filter: many.map(({ filter }) => filter) })).toHaveLength(MOST_HINTED_FILTERS);
  });

  it('may repeat a filter', () => {
    expect(json([{ filter: 7 }, { filter: '7' }, { filter: { id: 7 } }])).toEqual([7]);
  });
});
