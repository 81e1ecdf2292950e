import { describe, expect, it } from 'vitest';
import { DraftId, randomId } from '../src/ids.ts';
import { createErrorReference } from '../src/slack/core/failures.ts';
import { seededRandom } from './seeded-random.ts';

describe('an id made by chance', () => {
  it('is 26 small letters and digits, and not the same one again', () => {
    const random = seededRandom(1);
    const ids = Array.from({ length: 500 }, () => randomId(random));
    expect(new Set(ids).size).toBe(500);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9]{26}$/u);
    expect(DraftId.safeParse(ids[0]).success).toBe(true);
  });

  it('uses every sign that it may, and no other', () => {
    const signs = [...new Set(randomId(seededRandom(2), 1_000, 'xyz'))].toSorted();
    expect(signs).toEqual(['x', 'y', 'z']);
  });

  it('has all its signs, whichever end the dice fall on', () => {
    expect(randomId(() => 0, 3)).toBe('aaa');
    expect(randomId(() => 1 - Number.EPSILON / 2, 3)).toBe('999');
  });

  it('as a reference is five signs, none of which is taken for another', () => {
    const random = seededRandom(3);
    for (let time = 0; time < 200; time++)
      expect(createErrorReference(random)).toMatch(/^[2-9A-HJ-NP-Z]{5}$/u);
  });
});
