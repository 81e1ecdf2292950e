import { describe, expect, test } from 'vitest';
import { OrganizationId, ProfileId } from '../../src/ids.ts';
import { whatBecame } from '../plain-proposal.ts';
import { aProposal, NOW, SearchDesk } from './search-desk.ts';

const HOUR = 3_600_000;

async function deskWith(...proposals: ReturnType<typeof aProposal>[]): Promise<SearchDesk> {
  const desk = new SearchDesk(proposals);
  await desk.settle();
  return desk;
}

const café = aProposal(1, {
  jobTitle: 'Full-stack React developer for a Café chain',
  coverLetter: 'I don’t only build booking sites with Node.js; see “La Piña” 🚀',
  answers: [{ question: 'Do you know Stripe?', answer: 'Since 2019, in 1000 shops.' }],
  freelancer: { id: 71, name: 'Eva-Maria Lind' },
  businessManager: { id: 81, name: 'Farid Khan' },
  organization: { id: OrganizationId.parse(3), label: 'North Agency' },
  occupationUid: 'occ-1',
  occupation: 'Front-End Development',
  template: { id: 501, name: 'Short letter – React' },
  variant: 'A',
  connects: 12,
  boost: 30,
  position: 4,
  viewed: true,
});
const plain = aProposal(2, { jobTitle: 'Logo', coverLetter: 'A JavaScript logo', hired: true, viewed: true });
const shop = aProposal(3, {
  jobTitle: 'Shop',
  coverLetter: 'react react react, and a shop',
  template: { id: 502, name: 'React Native' },
  variant: 'variant_b',
  profile: { id: ProfileId.parse(12), label: 'Solo' },
  connects: 4,
  boost: 0,
  position: 1,
});

describe('words', () => {
  test.each([
    ['', [1, 2, 3]],
    ['react', [1, 3]],
    ['REACT cafe', [1]],
    ['full-stack', [1]],
    ["don't", [1]],
    ['don’t', [1]],
    ['node.js', [1]],
    ['"la pina"', [1]],
    ['stripe', [1]],
    ['lind', [1]],
    ['java', [2]],
    ['"java"', []],
    ['"java*"', [2]],
    ['-java', [1, 2, 3]],
    ['-java*', [1, 3]],
    ['-react', [2]],
    ['100', []],
    ['1000', [1]],
    ['"booking sites"', [1]],
    ['"chain i"', []],
    ['"react react"', [3]],
    ['"react and"', []],
    ['-"booking sites" react', [3]],
    ['🚀', [1]],
    ['solo', []],
  ])('%s', async (query, ids) => {
    const desk = await deskWith(café, plain, shop);
    expect(desk.found(query).hits.map(({ id }) => id)).toEqual(ids);
    expect(desk.found(query).total).toBe(ids.length);
  });
});

describe('qualifiers', () => {
  test.each([
    ['is:viewed', [1, 2]],
    ['-is:viewed', [3]],
    ['is:hired,interviewed', [2]],
    ['template:501', [1]],
    ['template:react', [1, 3]],
    ['template:"short letter"', [1]],
    ['template:nat*', [3]],
    ['template:nat', []],
    ['template:*', [1, 3]],
    ['-template:*', [2]],
    ['-template:501', [2, 3]],
    ['template:501,502', [1, 3]],
    ['variant:a', [1]],
    ['variant:b', [3]],
    ['profile:12', [3]],
    ['profile:studio', [1, 2]],
    ['organization:north', [1]],
    ['freelancer:eva', [1]],
    ['freelancer:"eva maria lind"', [1]],
    ['manager:farid', [1]],
    ['occupation:front-end', [1]],
    ['occupation:occ-1', [1]],
    ['connects:>4', [1]],
    ['boost:0', [3]],
    ['-boost:>0', [2, 3]],
    ['position:<=4', [1, 3]],
    ['after:2026-11-20', [1, 2, 3]],
    ['before:2026-11-20', []],
    ['before:0d', [1, 2, 3]],
    ['after:1d', [1, 2, 3]],
  ])('%s', async (query, ids) => {
    expect((await deskWith(café, plain, shop)).ids(query)).toEqual(ids);
  });

  test.each(whatBecame)('is:%s finds those alone', async (outcome, of) => {
    const desk = await deskWith(aProposal(1, of), aProposal(2));
    expect(desk.ids(`is:${outcome}`)).toEqual([1]);
    expect(desk.ids(`-is:${outcome}`)).toEqual([2]);
  });

  test('count days in UTC', async () => {
    const midnight = Date.UTC(2026, 10, 20);
    const desk = await deskWith(
      aProposal(1, { submittedAt: midnight }),
      aProposal(2, { submittedAt: midnight - 1 }),
    );
    expect(desk.ids('after:2026-11-20')).toEqual([1]);
    expect(desk.ids('before:2026-11-20')).toEqual([2]);
  });
});

describe('the order', () => {
  test('is newest first; what has no time comes last', async () => {
    const timeless = aProposal(9);
    const { submittedAt: _, ...rest } = timeless;
    const desk = await deskWith(shop, { ...rest }, plain, café);
    expect(desk.ids('')).toEqual([1, 2, 3, 9]);
    expect(desk.ids('sort:oldest')).toEqual([3, 2, 1, 9]);
  });

  test.each([
    ['sort:connects', [1, 3, 2]],
    ['sort:boost', [1, 3, 2]],
    ['sort:position', [3, 1, 2]],
    ['react sort:newest', [1, 3]],
  ])('%s; what is not known comes last', async (query, ids) => {
    expect((await deskWith(café, plain, shop)).ids(query)).toEqual(ids);
  });

  test('by relevance puts the title before the letter, and the word before its beginnings', async () => {
    const desk = await deskWith(
      aProposal(1, { coverLetter: 'reactive' }),
      aProposal(2, { coverLetter: 'react once' }),
      aProposal(3, { jobTitle: 'React', coverLetter: 'something' }),
      aProposal(4, { coverLetter: 'react and flutter' }),
    );
    expect(desk.ids('react sort:relevance')).toEqual([3, 2, 4, 1]);
    expect(desk.ids('react')).toEqual([1, 2, 3, 4]);
  });

  test('by relevance, rare words say more than frequent ones', async () => {
    const desk = await deskWith(
      aProposal(1, { coverLetter: 'we we we build' }),
      aProposal(2, { coverLetter: 'we build build build' }),
      ...[3, 4, 5].map((id) => aProposal(id, { coverLetter: 'we' })),
    );
    expect(desk.ids('we build sort:relevance')).toEqual([2, 1]);
  });

  test('holds from page to page, and the total counts all', async () => {
    const desk = await deskWith(
      ...Array.from({ length: 12 }, (_, at) => aProposal(at + 1, { boost: at % 2 })),
    );
    const pages = [0, 5, 10, 15].map((offset) => desk.found('sort:boost', { offset, limit: 5 }));
    expect(pages.flatMap(({ hits }) => hits.map(({ id }) => id))).toEqual([
      2, 4, 6, 8, 10, 12, 1, 3, 5, 7, 9, 11,
    ]);
    expect(pages.map(({ total }) => total)).toEqual([12, 12, 12, 12]);
  });
});

describe('a wrong query', () => {
  test('is answered with its place and what would be right', async () => {
    const outcome = (await deskWith(café)).outcome('react is:vewed');
    expect(outcome).toMatchObject({
      kind: 'mistake',
      mistake: { at: 9, length: 5, example: 'react is:viewed' },
    });
  });
});

describe('where nothing is found', () => {
  test.each([
    ['recat', [1, 3], 'react'],
    ['bokking', [1], 'booking'],
    ['javscrpt', [2], 'javascript'],
    ['full-stakk', [1], 'full stack'],
    ['bokking is:viewed -logo', [1], 'booking'],
    ['recat shp', [], undefined],
    ['"bokking"', [], undefined],
    ['lgoo', [], undefined],
  ])('small typing errors are forgiven: %s', async (query, ids, meant) => {
    const found = (await deskWith(café, plain, shop)).found(query);
    expect(found.hits.map(({ id }) => id)).toEqual(ids);
    expect(found.correctedWords).toBe(meant);
  });

  test('several words may have been meant; those that were found are named', async () => {
    const desk = await deskWith(
      aProposal(1, { coverLetter: 'stock' }),
      aProposal(2, { coverLetter: 'stack' }),
      aProposal(3, { coverLetter: 'stack', hired: true }),
    );
    expect(desk.found('stxck')).toMatchObject({
      total: 3,
      correctedWords: expect.stringMatching(/^stack \w+ stock$/u),
    });
    expect(desk.found('stxck is:hired')).toMatchObject({ total: 1, correctedWords: 'stack' });
  });

  test('no typing error is forgiven where the word as written is there', async () => {
    const desk = await deskWith(
      aProposal(1, { coverLetter: 'reach' }),
      aProposal(2, { coverLetter: 'react' }),
    );
    expect(desk.found('reach')).toMatchObject({ total: 1, suggestedQueries: [] });
    expect(desk.found('reach').correctedWords).toBeUndefined();
  });

  test('queries that ask for less are offered with what they find, the most first', async () => {
    const desk = await deskWith(café, plain, shop);
    expect(desk.found('react is:hired sort:relevance').suggestedQueries).toEqual([
      { query: 'react sort:relevance', total: 2 },
      { query: 'is:hired', total: 1 },
    ]);
    expect(desk.found('"react shop"').suggestedQueries).toEqual([{ query: 'react shop', total: 2 }]);
    expect(desk.found('recat is:hired').suggestedQueries).toEqual([
      { query: 'recat', total: 2 },
      { query: 'is:hired', total: 1 },
    ]);
  });

  test('nothing is offered that finds nothing, nor everything', async () => {
    const desk = await deskWith(café, plain, shop);
    expect(desk.found('xyzzy').suggestedQueries).toEqual([]);
    expect(desk.found('xyzzy plugh').suggestedQueries).toEqual([]);
    expect(
      desk.found('logo is:withdrawn boost:>500 after:1d -shop connects:5 position:9').suggestedQueries.length,
    ).toBeLessThan(6);
  });
});

describe('the index', () => {
  test('shows nothing that the mirror has forgotten meanwhile', async () => {
    const desk = new SearchDesk([aProposal(1, { jobTitle: 'Logo' }), aProposal(2, { jobTitle: 'Logo' })]);
    await desk.settle();
    desk.forget(1);
    expect(desk.ids('logo')).toEqual([2]);
    await desk.stop();
  });

  test('is built in slices, newest first, and searched meanwhile', async () => {
    const desk = new SearchDesk(
      Array.from({ length: 1_000 }, (_, at) => aProposal(at + 1, { coverLetter: 'word' })),
    );
    expect(desk.search.unindexedCount).toBe(1_000);
    expect(desk.found('word').total).toBe(0);
    const seen: number[] = [];
    desk.atPause = () => {
      seen.push(desk.found('word').total + desk.search.unindexedCount);
      expect(desk.ids('word').slice(0, 3)).toEqual([1, 2, 3]);
    };
    await desk.settle();
    expect(seen).toEqual(Array.from({ length: 9 }, () => 1_000));
    expect(desk.found('word').total).toBe(1_000);
  });

  test('a slice ends when its time is over, however few proposals it had', async () => {
    const desk = new SearchDesk(Array.from({ length: 10 }, (_, at) => aProposal(at + 1)));
    const now = desk.clock.now.bind(desk.clock);
    // Every read of the clock costs some time.
    desk.clock.now = () => {
      desk.clock.moveBy(3);
      return now();
    };
    let pauses = 0;
    desk.atPause = () => {
      pauses++;
    };
    await desk.settle();
    expect(pauses).toBeGreaterThan(2);
  });

  test('follows new proposals, new outcomes, changed letters, and what the mirror forgets', async () => {
    const desk = await deskWith(café, plain);
    desk.put(shop, { ...café, hired: true }, { ...plain, coverLetter: 'A vector sign' });
    expect(desk.search.unindexedCount).toBe(3);
    await desk.settle();
    expect(desk.ids('is:hired')).toEqual([1, 2]);
    expect(desk.ids('javascript')).toEqual([]);
    expect(desk.ids('"vector sign"')).toEqual([2]);
    expect(desk.ids('react')).toEqual([1, 3]);
    desk.forget(1);
    await desk.settle();
    expect(desk.ids('react')).toEqual([3]);
    expect(desk.ids('')).toEqual([2, 3]);
    desk.put(aProposal(4, { coverLetter: 'vector', submittedAt: NOW + HOUR }));
    await desk.settle();
    expect(desk.ids('vector')).toEqual([4, 2]);
  });

  test('ends when it is stopped, also in the middle', async () => {
    const desk = new SearchDesk(Array.from({ length: 1_000 }, (_, at) => aProposal(at + 1)));
    desk.start();
    await desk.stop();
    expect(desk.search.unindexedCount).toBeGreaterThan(0);
  });
});
