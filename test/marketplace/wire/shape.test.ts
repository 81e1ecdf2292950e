import { expect, test } from 'vitest';
import { z } from 'zod';
import { JobId } from '../../../src/ids.ts';
import {
  count,
  derived,
  flag,
  id,
  line,
  list,
  record,
  section,
} from '../../../src/marketplace/wire/shape.ts';

const job = record({
  id: id(JobId).required(),
  name: line().from('name', 'details.title'),
  ready: flag.or(false),
  terms: section({ price: count }),
  parts: list(record({ uid: line().required() })),
  label: derived(z.string(), ({ name, id: given }) =>
    name === undefined ? `Job ${String(given)}` : undefined,
  ),
});

test('an answer is read leniently, into what the schema stores', () => {
  const wire = {
    id: '7',
    name: ' ',
    details: { title: 'Shop' },
    terms: { price: 'x' },
    parts: [{ uid: 1 }, 5],
  };
  const read = job.parse(wire);
  expect(read).toEqual({ id: 7, name: 'Shop', ready: false, terms: {}, parts: [{ uid: '1' }] });
  expect(job.schema.parse(read)).toEqual(read);
});

test('what is missing is left out, has its fallback, or makes the whole unreadable', () => {
  expect(job.parse({ id: 7, parts: 'none', terms: [] })).toStrictEqual({
    id: 7,
    ready: false,
    terms: {},
    parts: [],
    label: 'Job 7',
  });
  expect([job.parse({ id: 'x', name: 'Shop' }), job.parse([{ id: 7 }]), job.parse(null)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('what is stored is read strictly', () => {
  const stored = { id: 7, ready: false, terms: {}, parts: [] };
  expect(job.schema.safeParse(stored).success).toBe(true);
  for (const wrong of [{ id: '7' }, { ready: 'false' }, { name: 3 }, { terms: undefined }, { parts: [5] }])
    expect(job.schema.safeParse({ ...stored, ...wrong }).success).toBe(false);
});
