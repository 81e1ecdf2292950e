import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DirectoryEntry } from '../../src/directory/directory.ts';
import { findByNameOrId } from '../../src/directory/find-by-name.ts';

function entry(id: number, name: string): DirectoryEntry {
  return { kind: 'profile', id, name, seenAt: 0 };
}

const ENTRIES = [
  entry(301, 'José Núñez'),
  entry(302, 'Web Agency'),
  entry(303, 'Web Agency North'),
  entry(304, 'Twins'),
  entry(305, 'twins'),
  entry(306, '42'),
  entry(307, 'Anna – design'),
];

function found(words: string): unknown {
  const named = findByNameOrId(ENTRIES, words);
  if (named.kind === 'several') return named.entries.map(({ id }) => id);
  return named.kind === 'found' ? named.id : named.known.map(({ name }) => name);
}

describe('what somebody means', () => {
  it.each([
    ['301', 301],
    ['#301', 301],
    ['  # 301 ', []],
    ['999', 999],
    ['jose nunez', 301],
    ['"José Núñez"', 301],
    ['“José  Núñez”', 301],
    ['‘josé núñez’', 301],
    ['Web Agency', 302],
    ['web', [302, 303]],
    ['north agency', 303],
    ['anna design', 307],
    ['TWINS', [304, 305]],
    ['"42"', 306],
    ['42', 42],
    ['"43"', 43],
    ['', []],
    ['""', []],
    ['0', []],
  ])('by `%s`', (words, means) => {
    expect(found(words)).toEqual(means);
  });

  it('an id has its name with it where that is known', () => {
    expect(findByNameOrId(ENTRIES, '301')).toEqual({ kind: 'found', id: 301, name: 'José Núñez' });
    expect(findByNameOrId(ENTRIES, '999')).toEqual({ kind: 'found', id: 999 });
  });

  it('of what nobody is called, it names who comes near', () => {
    expect(found('jose nunes')).toEqual(['José Núñez']);
    expect(found('web agencie')).toEqual(['Web Agency', 'Web Agency North']);
    expect(found('norht')).toEqual(['Web Agency North']);
    expect(found('zzzzz')).toEqual([]);
  });

  it('never fails, and each name finds its bearer, in quotes or without', () => {
    const name = fc.string({ minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(fc.array(name, { maxLength: 8 }), fc.string(), (names, words) => {
        const entries = names.map((each, place) => entry(place + 1, each));
        findByNameOrId(entries, words);
        for (const each of entries) {
          const { kind } = findByNameOrId(entries, `"${each.name.replaceAll('"', '')}"`);
          if (/^\p{L}+$/u.test(each.name)) expect(kind).not.toBe('none');
        }
      }),
      { numRuns: 200 },
    );
  });
});
