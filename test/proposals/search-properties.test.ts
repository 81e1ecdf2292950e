import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrganizationId, ProfileId } from '../../src/ids.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import { matchesQuery } from '../../src/query/match-query.ts';
import { parseProposalSearch } from '../../src/query/proposal-search.ts';
import { proposalSearchSubject } from '../query/proposal-subject.ts';
import { aProposal, NOW, SearchDesk } from './search-desk.ts';

const words = fc.constantFrom(
  ...(
    'react reactive reach Café cafe full-stack full stack node.js node js C++ c Über ß 10 100 don’t 𐐷x 🚀 ' +
    'a– x'
  ).split(' '),
);
const text = fc
  .array(fc.tuple(words, fc.constantFrom(' ', ' ', ' ', ', ', '\n', '-', '🚀', '.')), { maxLength: 7 })
  .map((parts) => parts.flat().join(''));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const named = maybe(fc.record({ id: fc.integer({ min: 1, max: 3 }), name: text }));
const amount = maybe(fc.integer({ min: 0, max: 4 }));

const proposal: fc.Arbitrary<Proposal> = fc
  .record({
    id: fc.integer({ min: 1, max: 10 }),
    letter: text,
    submittedAt: maybe(fc.integer({ min: -9, max: 0 }).map((days) => NOW + days * 43_200_000)),
    jobTitle: maybe(text),
    answers: fc.array(fc.record({ question: text, answer: text }), { maxLength: 2 }),
    template: named,
    freelancer: named,
    variant: maybe(fc.constantFrom('A', 'b', 'variant a')),
    connects: amount,
    boost: amount,
    position: amount,
    flags: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    occupation: maybe(text),
  })
  .map(({ id, letter, flags, answers, ...rest }) => {
    const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    const [
      viewed = false,
      interviewed = false,
      hired = false,
      withdrawn = false,
      archived = false,
      boostOutbid = false,
    ] = flags;
    return {
      ...withoutTime(aProposal(id)),
      coverLetter: letter,
      answers,
      organization: { id: OrganizationId.parse((id % 3) + 1), label: 'Agency' },
      profile: { id: ProfileId.parse((id % 2) + 1) },
      viewed,
      interviewed,
      hired,
      withdrawn,
      archived,
      boostOutbid,
      ...known,
    };
  });

function withoutTime(proposal: Proposal): Proposal {
  const { submittedAt: _, ...rest } = proposal;
  return rest;
}

const exact = fc.oneof(
  text.map((phrase) => `"${phrase.replaceAll('"', '')}"`),
  words.map((word) => `"${word}*"`),
  fc.constantFrom(
    ...`is:viewed is:hired,outbid template:react template:2 template:"full stack" template:re* template:*
    variant:a profile:1 organization:2 freelancer:3,cafe occupation:node.js connects:>1 boost:1..3
    position:<=2 boost:0 after:2d before:2026-11-18 -java
    connects:2.. after:2026-11-19`.split(/\s+/),
  ),
);
const bare = fc.oneof(
  words,
  words.map((word) => word.slice(0, 3)),
);
const negatable = (term: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom('', '', '-'), term).map((both) => both.join(''));
const exactQuery = fc.array(negatable(exact), { maxLength: 4 }).map((terms) => terms.join(' '));
const anyQuery = fc.array(negatable(fc.oneof(exact, bare)), { maxLength: 4 }).map((terms) => terms.join(' '));
const history = fc.array(fc.oneof({ weight: 5, arbitrary: proposal }, fc.integer({ min: 1, max: 10 })), {
  maxLength: 30,
});

/** Applies puts and removals, some before and some after the index was built. */
async function play(desk: SearchDesk, steps: readonly (Proposal | number)[]): Promise<readonly Proposal[]> {
  const held = new Map<number, Proposal>();
  for (const [at, step] of steps.entries()) {
    if (typeof step === 'number') {
      held.delete(step);
      desk.forget(step);
    } else {
      held.set(step.id, step);
      desk.put(step);
    }
    if (at % 7 === 3) await desk.settle();
  }
  await desk.settle();
  return [...held.values()].sort((a, b) => (b.submittedAt ?? 0) - (a.submittedAt ?? 0) || b.id - a.id);
}

function scan(held: readonly Proposal[], query: string): readonly number[] | undefined {
  const read = parseProposalSearch(query);
  if (read.kind === 'mistake') return undefined;
  return held
    .filter((each) => matchesQuery(read.filter, proposalSearchSubject(each, NOW)))
    .map(({ id }) => id);
}

test('phrases, exclusions, and qualifiers match a plain scan, in order, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.array(exactQuery, { maxLength: 6 }), async (steps, queries) => {
      const desk = new SearchDesk();
      const held = await play(desk, steps);
      for (const query of queries) {
        const expected = scan(held, query);
        if (expected) expect(desk.ids(query)).toEqual(expected);
        else expect(desk.outcome(query).kind).toBe('mistake');
      }
      await desk.stop();
    }),
    { numRuns: 300 },
  );
});

test('bare words find at least what a plain scan does, in order; prefixes and typos only add', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.array(anyQuery, { maxLength: 6 }), async (steps, queries) => {
      const desk = new SearchDesk();
      const held = await play(desk, steps);
      for (const query of queries) {
        const expected = scan(held, query);
        if (!expected) continue;
        const found = desk.ids(query);
        expect(found.filter((id) => expected.includes(id))).toEqual(expected);
        const others = new Map(desk.found(query).hits.map((hit) => [hit.id, hit]));
        expect(others.size).toBe(found.length);
      }
      await desk.stop();
    }),
    { numRuns: 300 },
  );
});

test('what is offered instead is a right query and finds what it says', async () => {
  await fc.assert(
    fc.asyncProperty(history, anyQuery, async (steps, query) => {
      const desk = new SearchDesk();
      await play(desk, steps);
      const outcome = desk.outcome(`${query} -xyzzy zzzzzz`);
      if (outcome.kind === 'found') {
        expect(outcome.suggestedQueries.length).toBeLessThanOrEqual(5);
        for (const { query: instead, total } of outcome.suggestedQueries) {
          expect(total).toBeGreaterThan(0);
          expect(desk.found(instead).total).toBe(total);
        }
      }
      await desk.stop();
    }),
    { numRuns: 200 },
  );
});
