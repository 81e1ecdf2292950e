import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ProfileId } from '../../src/ids.ts';
import { MirrorMemory } from '../../src/proposals/mirror-memory.ts';
import { plainProposal } from '../plain-proposal.ts';

const profile = ProfileId.parse(11);
const shelves = new Map([[profile, '11-2026-11']]);
const words = fc.string({ unit: 'binary', maxLength: 400 });
const proposal = fc
  .record({
    id: fc.integer({ min: 1, max: 20 }),
    coverLetter: words,
    answers: fc.array(fc.record({ question: words, answer: words }), { maxLength: 3 }),
    viewed: fc.boolean(),
    submittedAt: fc.nat(),
  })
  .map(({ id, ...known }) => plainProposal(id, known));

it('proposals come back whole, letter for letter, whatever replaced them', () => {
  fc.assert(
    fc.property(fc.array(proposal, { maxLength: 60 }), (proposals) => {
      const memory = new MirrorMemory();
      for (const [at, each] of proposals.entries()) memory.put({ proposal: each, at, shelves });
      const last = new Map(proposals.map((each) => [each.id, each]));
      expect(memory.size).toBe(last.size);
      for (const [id, each] of last) {
        expect(memory.get(id)?.proposal).toEqual(each);
        expect(memory.getFacts(id)).not.toHaveProperty('coverLetter');
      }
      expect(new Set([...memory.listNewestFirst()].map(({ id }) => id))).toEqual(new Set(last.keys()));
      expect(new Set(memory.removeProfile(profile).map(({ id }) => id))).toEqual(new Set(last.keys()));
      expect(memory.size).toBe(0);
    }),
    { numRuns: 50 },
  );
});

it('halves of pairs in a letter stay as they are', () => {
  const memory = new MirrorMemory();
  const strange = plainProposal(1, {
    coverLetter: 'a\ud83d b\ude00',
    answers: [{ question: '', answer: '\ude00' }],
  });
  memory.put({ proposal: strange, at: 0, shelves });
  expect(memory.get(strange.id)?.proposal).toEqual(strange);
});
