/** Hostile projects. */
import * as fc from 'fast-check';
import { ProjectKey } from '../../src/ids.ts';
import type { ListedProject } from '../../src/marketplace/schema.ts';

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
  '*_~`',
  '\n\n\n',
  '&amp;',
  '😀',
  '\uD800',
  '|',
  '>',
);

/** Up to huge sizes. */
export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.oneof(nasty, fc.string({ maxLength: 20 })), { maxLength: 30 }).map((parts) => parts.join('')),
  fc
    .tuple(nasty, fc.integer({ min: 1, max: 100_000 }))
    .map(([part, size]) => part.repeat(Math.ceil(size / part.length))),
);
const text = hostileText;
const url = fc.oneof(
  text,
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  text.map((tail) => `https://www.marketplace.example/jobs/${tail}`),
  fc.constant('javascript:alert(1)'),
);
const texts = fc.array(text, { maxLength: 40 });
const amount = fc.oneof(fc.nat(), fc.double({ noNaN: true }), fc.constant(Number.POSITIVE_INFINITY));
const instant = fc.integer({ min: 0, max: 8_640_000_000_000 });

function some<T>(shape: { [K in keyof T]-?: fc.Arbitrary<Exclude<T[K], undefined>> }): fc.Arbitrary<T> {
  return fc.record(shape, { requiredKeys: [] }) as unknown as fc.Arbitrary<T>;
}

const base = {
  key: fc.string({ minLength: 1, maxLength: 500 }).map((key) => ProjectKey.parse(key)),
  title: text,
  url,
  description: text,
  skills: texts,
  categories: texts,
  questions: texts,
  budget: some<NonNullable<ListedProject['budget']>>({ type: text, amount: text }),
  client: some<ListedProject['client']>({
    verified: fc.boolean(),
    country: text,
    totalSpent: amount,
    totalSpentLabel: text,
    totalHires: fc.nat(),
    hireRate: fc.double({ min: 0, max: 1, noNaN: true }),
    rating: fc.double({ min: 0, max: 5, noNaN: true }),
    reviews: fc.nat(),
  }),
};

export const anyListed: fc.Arbitrary<ListedProject> = fc.record(
  {
    ...base,
    publishedAt: instant,
    verdict: fc.record({
      decision: text,
      reason: text,
      score: fc.double({ noNaN: true }),
      decidedAt: instant,
      other: fc.constant({}),
    }),
  },
  { requiredKeys: ['key', 'title', 'url', 'description', 'skills', 'categories', 'questions', 'client'] },
) as fc.Arbitrary<ListedProject>;
