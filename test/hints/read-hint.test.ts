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
    { filters: 7 },
    { filterIds: ['7'] },
    { data: { filter_ids: [7, '7'] } },
  ])('is found in %j', (body) => {
    expect(json(body)).toEqual([7]);
  });

  it.each([
    {
      filter: { id: 7, name: 'React' },
      filters: [
        { id: 7, name: 'React' },
        { id: 8, name: 'Vue' },
      ],
    },
    { filters: [{ id: '8' }, { id: 7 }, { name: 'no ID' }] },
    { filter_ids: [7, 8] },
    { filterIds: '7, 8' },
    { project: { filter: 7, filters: [8, { name: 9 }] } },
  ])('is found for each filter that matches, in %j', (body) => {
    expect(new Set(json(body))).toEqual(new Set([7, 8]));
  });

  it.each([
    'filters[0][id]=7&filters[0][name]=9&filters[1][id]=8',
    'filters[][id]=7&filters[][id]=8&filters[][name]=9',
    'filter_ids[]=7&filter_ids[]=8&id=9',
    'filterIds=7,8&budget=9',
    'data[filters][0][id]=7&data[filters][1][id]=8&data[filters][1][client][id]=9',
  ])('is found for each filter that matches, in the form %s', (form) => {
    expect(readHint('', form)).toEqual([7, 8]);
    expect(readHint('', encodeURI(form))).toEqual([7, 8]);
    expect(readHint(form, '')).toEqual([7, 8]);
  });

  it.each([
    'filter=7',
    'filter_id=7',
    'filter%5Bid%5D=7',
    'payload=%7B%22filter%22%3A7%7D',
    'a=b&filterId=7',
    '[filter]=7',
    'x[filter]=7',
    'filter[][0][id]=7',
    'filter[12345]=7',
    'payload= {"filter":7}',
    'payload=[{"filter":7}]',
  ])('is found in the form %s', (body) => {
    expect(readHint('', body)).toEqual([7]);
  });

  it.each([
    'filters[name]=7',
    'filters[0][client][id]=7',
    'filters[123456]=7',
    'filters[id][name]=7',
    'xfilter=7',
    'note=see {"filter":7}',
    'filter=x7',
    'filter=7;',
    `filter=${' '.repeat(2_000)}7`,
    `${'[a]'.repeat(10)}[filter]=7`,
  ])('is not in the form %s', (form) => {
    expect(readHint('', form)).toEqual([]);
  });

  it('is found behind the mark that begins some texts', () => {
    expect(readHint('', '\uFEFF{"filter":7}')).toEqual([7]);
    expect(readHint('', '{"filter":7}\uFEFF')).toEqual([]);
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
    { filter: 'React, 7' },
    { filters: { 7: 'React' } },
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
    expect(readHint('', '['.repeat(100_000))).toEqual([]);
    const depth = 5_000;
    expect(readHint('', `${'['.repeat(depth)}{"filter":7}${']'.repeat(depth)}`)).toEqual([7]);
    expect(readHint('', `${'{"a":'.repeat(depth)}{"filter":7}${'}'.repeat(depth)}`)).toEqual([7]);
  });

  it('may name a thousand filters: the first hundred count', () => {
    const many = Array.from({ length: 1_000 }, (_, place) => ({ filter: place + 1 }));
    expect(json(many)).toEqual(Array.from({ length: MOST_HINTED_FILTERS }, (_, place) => place + 1));
    const ids = many.map(({ filter }) => filter);
    expect(json({ filter: ids })).toHaveLength(MOST_HINTED_FILTERS);
    expect(json({ filter: [...Array.from({ length: 100 }, () => 'x'), 7] })).toEqual([]);
    expect(json({ filter: `${'0,'.repeat(100)}7` })).toEqual([]);
    expect(json({ filter: `${'0,'.repeat(99)}7` })).toEqual([7]);
    expect(readHint(ids.map((id) => `filter=${id}`).join('&'), '')).toHaveLength(MOST_HINTED_FILTERS);
  });

  it('may hold much else: what is far behind is not read', () => {
    const behindValues = (values: number) =>
      json([...Array.from({ length: values }, () => 0), { filter: 7 }]);
    expect([behindValues(9_998), behindValues(9_999)]).toEqual([[7], []]);
    const behindFields = (fields: number) => readHint('', `${'a=1&'.repeat(fields)}filter=7`);
    expect([behindFields(999), behindFields(1_000)]).toEqual([[7], []]);
    const behindJson = (fields: number) => readHint('', `${'a={}&'.repeat(fields)}b={"filter":7}`);
    expect([behindJson(9), behindJson(10)]).toEqual([[7], []]);
    expect(readHint('', `a=[${'0,'.repeat(9_999)}0]&filter=7`)).toEqual([]);
  });

  it.each([
    ['JSON in each field', 'a={&'.repeat(65_000)],
    ['many fields', 'filter=x&'.repeat(29_000)],
    ['many values', `[${'[{}],'.repeat(40_000)}0]`],
    ['many keys of ours', `[${'{"filter":[]},'.repeat(18_000)}0]`],
    ['nested JSON in many fields', `a=${'['.repeat(8_000)}&`.repeat(30)],
    ['a long list in a text', `{"filters":"${'1,'.repeat(130_000)}"}`],
  ])('takes little CPU time with %s', (_, body) => {
    const before = process.cpuUsage();
    for (let again = 0; again < 10; again++) expect(readHint('', body)).toEqual([]);
    const { user } = process.cpuUsage(before);
    expect(user / 10).toBeLessThan(150_000);
  });

  it('may repeat a filter', () => {
    expect(json([{ filter: 7 }, { filter: '7' }, { filter: { id: 7 } }])).toEqual([7]);
  });
});
