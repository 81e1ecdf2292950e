/** Similar answered proposals: by the words of skills and title, each letter once, at a bounded cost. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Proposal } from '../../src/marketplace/schema.ts';
import type { ProposalIndex } from '../../src/proposals/index-proposals.ts';
import { rankSimilarAnswered } from '../../src/proposals/similar-letters.ts';
import { aProposal, SearchDesk } from './search-desk.ts';

const SUBJECT = {
  title: 'Rebuild our checkout',
  skills: ['React', 'Node.js'],
  description: 'We need someone for a shop with Stripe payments.',
};
const LIMITS = { most: 3, longestLetter: 10_000 };

let desk: SearchDesk;
afterEach(() => desk.stop());

async function similar(
  proposals: readonly Proposal[],
  subject: Partial<typeof SUBJECT> = {},
  limits = LIMITS,
): Promise<readonly number[]> {
  desk = new SearchDesk(proposals);
  await desk.settle();
  return desk.search
    .findAnsweredLetters({ ...SUBJECT, ...subject }, limits)
    .map(({ proposal }) => proposal.id);
}

const hired = (id: number, jobTitle: string, of: Partial<Proposal> = {}): Proposal =>
  aProposal(id, { jobTitle, coverLetter: `Letter ${id}`, hired: true, ...of });

describe('letters that worked', () => {
  it('come from the most similar proposals with an answer, three at most', async () => {
    const all = [
      hired(1, 'React dashboards'),
      hired(2, 'React checkout in Node'),
      hired(3, 'Paint a house'),
      hired(4, 'Node.js API', { hired: false, interviewed: true }),
      hired(5, 'React checkout in Node', { hired: false, viewed: true }),
      hired(6, 'React checkout', { fromInvitation: true }),
      hired(7, 'Checkout help'),
    ];
    const found = await similar(all);
    expect(found).toHaveLength(3);
    expect(found[0]).toBe(2);
    for (const id of [3, 5, 6]) expect(found).not.toContain(id);
  });

  it('need a common word of title or skills; the description only breaks ties', async () => {
    const found = await similar([
      hired(1, 'Stripe payments shop'),
      hired(2, 'React apps'),
      hired(3, 'React apps', { coverLetter: 'I know Stripe payments.' }),
    ]);
    expect(found).toEqual([3, 2]);
  });

  it('are each offered once, and never empty or longer than the form takes', async () => {
    const found = await similar(
      [
        hired(1, 'React shop', { coverLetter: 'Same' }),
        hired(2, 'React shop', { coverLetter: ' Same ' }),
        hired(3, 'React shop', { coverLetter: ' \n ' }),
        hired(4, 'React shop', { coverLetter: 'x'.repeat(101) }),
      ],
      {},
      { most: 3, longestLetter: 100 },
    );
    expect(found).toEqual([1]);
  });

  it('follow an outcome that comes later', async () => {
    expect(await similar([aProposal(1, { jobTitle: 'React shop', coverLetter: 'One' })])).toEqual([]);
    desk.put(hired(1, 'React shop'));
    await desk.settle();
    expect(desk.search.findAnsweredLetters(SUBJECT, LIMITS)).toMatchObject([
      { proposal: { id: 1 }, shared: ['react'] },
    ]);
  });

  it('are none for a project of common words, or of hostile text', async () => {
    const all = [hired(1, 'We need a new project for our job')];
    expect(await similar(all, { title: 'We need a new project', skills: [], description: '' })).toEqual([]);
    const hostile = '😀<!channel> \u202E'.repeat(5_000);
    expect(await similar(all, { title: hostile, skills: [hostile], description: hostile })).toEqual([]);
  });
});

it('reads a bounded number of postings, the rarest words first', () => {
  let read = 0;
  const many = (count: number) =>
    new Proxy(new Uint32Array(count), {
      get(target, name) {
        if (typeof name === 'string' && /^\d+$/u.test(name)) read++;
        return Reflect.get(target, name, target);
      },
    });
  const sizes: Readonly<Record<string, number>> = {
    react: 90_000,
    node: 30_000,
    checkout: 9_000,
    stripe: 500,
  };
  const index = {
    size: 100_000,
    words: { postingsFor: (word: string) => many(sizes[word] ?? 0) },
    isAnswered: () => false,
  } as unknown as ProposalIndex;
  rankSimilarAnswered(index, SUBJECT, 12);
  expect(read).toBe(30_000 + 9_000 + 500);
});
