/** How decisions are hashed and described. Stored hashes stay right only if none of this ever changes. */
import { describe, expect, it } from 'vitest';
import type { AuditedAction } from '../../src/audit/audit.ts';
import {
  chainEntry,
  describeSubject,
  type NewEntry,
  toCanonicalJson,
  toCost,
  toShownText,
} from '../../src/decisions/chain.ts';
import { FilterId, JobId, OrganizationId, UserId } from '../../src/ids.ts';

it.each([
  [{ c: 1, a: 'x', d: null, b: true }, '{"a":"x","b":true,"c":1,"d":null}'],
  [{ b: [2, { d: 4, c: 3 }, 'y'], a: undefined }, '{"b":[2,{"c":3,"d":4},"y"]}'],
  [[undefined, null, 'say "hi"'], String.raw`[null,null,"say \"hi\""]`],
])('the content %j is always the same text', (content, text) => {
  expect(toCanonicalJson(content)).toBe(text);
});

it('an entry has the same hash in every version', () => {
  const decision: NewEntry = {
    entry: 'decision',
    at: 1_700_000_000_000,
    by: UserId.parse('U1'),
    kind: 'approve',
    subject: 'Shop “Zoë”',
    audit: [1_700_000_000_000, 1],
    cost: { connects: 16 },
  };
  const first = chainEntry(decision, undefined);
  expect(first.previous).toBe('');
  // Each is the SHA-256 of the hash before and of the content, without `previous` and `hash`.
  expect([first, chainEntry(decision, first)].map(({ hash }) => hash)).toEqual([
    '1ba1df7915c34d4cbcbe3507236f5755b42dc8e03d80da4da4fc1549d9e09ad0',
    'd7fbb0fe71ab693014e61906cdee97bfc2fe0c3b94d4d89ccbb024553ed02ea8',
  ]);
});

describe('what a person was shown', () => {
  it('is kept line by line, without empty lines, and covered by a hash', () => {
    const facts = [
      { name: 'price', text: '$50' },
      { name: 'boost', text: '' },
      { name: 'letter', text: 'Hi' },
    ];
    expect(toShownText(facts)).toEqual({
      text: 'price: $50\nletter: Hi',
      hash: '7b80583a1489ffd1e13bad20ffea36adba45f720474ef63e004475d5d2cdeb3d',
    });
    expect(toShownText([{ name: 'letter', text: '' }])).toBeUndefined();
  });

  it('is stored up to 1,500 characters, but its hash covers all of it', () => {
    const show = (text: string) => toShownText([{ name: 'letter', text }]);
    const fits = 'x'.repeat(1_492);
    expect(show(fits)?.text).toBe(`letter: ${fits}`);
    expect(show(`${fits}yz`)?.text).toBe(`letter: ${fits.slice(1)}…`);
    expect(show(`${fits}yz`)?.hash).not.toBe(show(`${fits}yx`)?.hash);
  });
});

const job = JobId.parse(7);
const filter = FilterId.parse(3);
const organization = OrganizationId.parse(9);
it.each<[AuditedAction, string]>([
  [{ kind: 'approve', job, title: 'Shop', overrides: false }, 'Shop'],
  [{ kind: 'approve', job, title: 'x'.repeat(300), overrides: false }, 'x'.repeat(300)],
  [{ kind: 'approve', job, title: 'x'.repeat(301), overrides: false }, `${'x'.repeat(299)}…`],
  [{ kind: 'approve', job, title: '', overrides: false }, 'bid 7'],
  [{ kind: 'bid-canceled', job, attempt: 1 }, 'bid 7'],
  [{ kind: 'bid-canceled', attempt: 1 }, '{"attempt":1}'],
  [{ kind: 'template', name: 'Node', organization, attempt: 1 }, 'Node'],
  [{ kind: 'subscribed', filter, rules: '', backfill: 20 }, 'filter 3'],
  [{ kind: 'unsubscribed', filter }, 'filter 3'],
  [{ kind: 'account', change: 'replace' }, 'marketplace account'],
  [{ kind: 'budget', to: 100 }, 'channel budget'],
  [{ kind: 'budget-confirmed', limit: 100 }, 'channel budget'],
  [{ kind: 'access-asked', role: 'bidder' }, '{"role":"bidder"}'],
])('the decision %j is about %s', (act, subject) => {
  expect(describeSubject(act)).toBe(subject);
});

it('a cost names what is known of it', () => {
  expect(toCost({ connects: 16, credits: undefined })).toStrictEqual({ connects: 16 });
  expect(toCost({ connects: undefined })).toBeUndefined();
});
