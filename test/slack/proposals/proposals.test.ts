import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProfileId } from '../../../src/ids.ts';
import { contextBlock } from '../../../src/slack/kit/block-builders.ts';
import { REPLACEABLE_BLOCKS } from '../../../src/slack/kit/chart-block.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { splitIntoParts } from '../../../src/slack/kit/long-text.ts';
import { toPlainBlocks } from '../../../src/slack/kit/plain-blocks.ts';
import { proposalDetailsMessage } from '../../../src/slack/proposals/proposal-details.ts';
import {
  proposalsCoverageText,
  proposalsStatusText,
} from '../../../src/slack/proposals/proposals-coverage.ts';
import {
  noFollowedProfilesMessage,
  noProposalsFoundMessage,
  PROPOSALS_PAGE_SIZE,
  type ProposalSearchFacts,
  proposalsMessage,
  proposalsPageValueCodec,
} from '../../../src/slack/proposals/proposals-found.ts';
import { excerptAroundSearchWords, listSearchWords } from '../../../src/slack/proposals/proposals-table.ts';
import { proposalView } from '../../../src/slack/proposals/show-proposal.ts';
import { describeProfileFailure } from '../../../src/slack/subscriptions/profile-feeds.ts';
import { valuesOf } from '../buttons.ts';
import { complete, proposal, proposalId } from '../fake-proposals.ts';
import { expectHarmless } from '../harmless.ts';
import { asText, presses } from '../kit/as-text.ts';
import { expectHarmlessView, viewWords } from '../kit/harmless-view.ts';
import { NOW } from '../samples.ts';
import { anyCoverage, anyProposal } from './proposals-samples.ts';

const COVERAGE = { profiles: [{ ...complete(), name: 'Web studio' }], isLoaded: true, behind: 0 };

function found(change: Partial<ProposalSearchFacts> = {}): ProposalSearchFacts {
  return {
    query: 'checkout',
    offset: 0,
    total: 1,
    hits: [proposal()],
    coverage: COVERAGE,
    ...change,
  };
}

describe('a page of a search', () => {
  it('tells what becomes of each, what it cost, who sent it, and how fresh all that is', async () => {
    const five = [5, 4, 3, 2, 1].map((id) =>
      proposal({ id: proposalId(id), jobTitle: `Job ${id}`, viewed: id > 2, hired: id === 5 }),
    );
    const message = proposalsMessage(found({ offset: 10, total: 23, hits: five }));
    expectHarmless(message);
    await expect(asText(message)).toMatchFileSnapshot('__snapshots__/proposals-found.txt');
  });

  it('with the longest names keeps every proposal, also as lines of text', () => {
    const long = 'Name '.repeat(40).trim();
    const hits = Array.from({ length: PROPOSALS_PAGE_SIZE }, (_, n) =>
      proposal({
        id: proposalId(n + 1),
        jobTitle: `${n + 1} ${long}`,
        freelancer: { id: 1, name: long },
        profile: { id: ProfileId.parse(301), label: long },
        template: { id: 12, name: long },
        coverLetter: 'x '.repeat(20_000),
      }),
    );
    const message = proposalsMessage(found({ hits, total: 200 }));
    expectHarmless(message);
    const lines = toPlainBlocks(message.blocks ?? [], new Set(REPLACEABLE_BLOCKS));
    expect(lines.some(({ type }) => type === 'data_table')).toBe(false);
    const text = asText({ text: 'x', blocks: lines });
    for (const { id } of hits) expect(text).toMatch(new RegExp(String.raw`^\*${id} Name .*ID: ${id} `, 'mu'));
    expect(valuesOf({ text: 'x', blocks: lines }, actionIds.proposalOpen)).toHaveLength(hits.length);
  });

  it('says what a word with a typing error was taken for', () => {
    const text = asText(proposalsMessage(found({ query: 'chekout', meant: 'checkout' })));
    expect(text).toContain('“checkout”');
    expect(text).toMatchSnapshot();
  });

  it('names one proposal in the singular, and everything without a query', () => {
    const texts = [found(), found({ query: '', total: 1_204 })].map((each) => proposalsMessage(each).text);
    expect(texts).toMatchSnapshot();
    expect(texts).toEqual([
      expect.stringMatching(/^1 .*`checkout`/u),
      expect.stringMatching(/^1,204 [^`]*$/u),
    ]);
  });

  it('says that nothing new is copied once no profile is followed any more, found or not', () => {
    const coverage = { profiles: [], isLoaded: true, behind: 0 };
    for (const message of [
      proposalsMessage(found({ coverage })),
      noProposalsFoundMessage('x', { instead: [], coverage }),
    ]) {
      expectHarmless(message);
      expect(asText(message)).toContain(proposalsCoverageText(coverage));
      expect(proposalsCoverageText(coverage)).toMatchSnapshot();
    }
  });

  it('does no harm, whatever strangers wrote', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyProposal, { minLength: 1, maxLength: 10, selector: ({ id }) => id }),
        anyCoverage,
        fc.string({ unit: 'binary', maxLength: 500 }),
        (hits, coverage, query) => {
          const facts = found({ hits, coverage, query, total: 30, offset: 10, meant: query });
          expectHarmless(proposalsMessage(facts));
          expectHarmless(noProposalsFoundMessage(query, { instead: [{ query, total: 3 }], coverage }));
          expectHarmless({ text: 'status', blocks: [contextBlock(proposalsStatusText(coverage))] });
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('what a search covers', () => {
  const other = ProfileId.parse(302);

  it('is one line where all profiles are as fresh, and a line for each where they are not', () => {
    const ben = { ...complete({ profile: other, readAt: NOW - 90_000 }), name: 'Ben' };
    const both = [{ ...complete(), name: 'Ana' }, ben];
    expect(proposalsCoverageText({ ...COVERAGE, profiles: both })).toMatch(
      /^.*“Ana” \(301\), “Ben” \(302\).* <!date\^\d+\^\{ago\}\|[^\n]*$/u,
    );
    expect(proposalsCoverageText({ ...COVERAGE, profiles: both })).toMatchSnapshot();
    const old = [
      { ...complete(), name: 'Ana' },
      { ...ben, readAt: NOW - 3_600_000 },
    ];
    expect(proposalsCoverageText({ ...COVERAGE, profiles: old }).split('\n')).toHaveLength(2);
  });

  it('tells how far a first copy has come and how long it still takes, never 100 % before its end', () => {
    const copying = complete({ state: 'copying', held: 4_300, total: 10_000, leftMs: 720_000 });
    const text = (change: object) =>
      proposalsCoverageText({ ...COVERAGE, profiles: [{ ...copying, ...change, name: 'Ana' }] });
    expect(text({})).toMatch(/“Ana” \(301\).* 43%.* \(4,300 of 10,000\).* 12 /u);
    expect(text({ held: 10_020 })).toMatch(/ 99%.* \(10,000 of 10,000\)/u);
    expect([text({}), text({ state: 'waiting' })]).toMatchSnapshot();
  });

  it('names a profile that can’t be read, and why', () => {
    const trouble = { code: 'not-found', since: NOW, retryAt: NOW + 60_000 };
    const text = proposalsCoverageText({ ...COVERAGE, profiles: [complete({ trouble })] });
    expect(text).toContain(':warning: profile 301');
    const { what } = describeProfileFailure({ feed: 'outcomes', profile: { id: 301 }, ...trouble });
    expect(text).toContain(what);
    expect(text).toMatchSnapshot();
  });

  it('says what is not indexed or not loaded yet', () => {
    const behind = proposalsCoverageText({ ...COVERAGE, behind: 412 });
    const loading = proposalsCoverageText({ ...COVERAGE, isLoaded: false });
    expect(behind).toMatch(/^:hourglass_flowing_sand: 412 /mu);
    expect(loading).toMatch(/^:hourglass_flowing_sand: /mu);
    expect([behind, loading]).toMatchSnapshot();
  });
});

describe('a search that finds nothing', () => {
  it('offers what does find something', () => {
    const message = noProposalsFoundMessage('react is:hired', {
      instead: [{ query: 'react', total: 12 }],
      coverage: COVERAGE,
    });
    expect(asText(message)).toMatchSnapshot();
    expect(asText(message)).toContain('`react is:hired`');
    expect(asText(message)).toMatch(/`react` .*\b12\b/u);
    expect(JSON.stringify(message)).toContain(`"action_id":"${actionIds.proposalsTry}"`);
  });

  it('says that the copy is not complete', () => {
    const coverage = { ...COVERAGE, profiles: [complete({ state: 'copying', held: 5 })] };
    const { text } = noProposalsFoundMessage('react', { instead: [], coverage });
    expect(text).not.toBe(noProposalsFoundMessage('react', { instead: [], coverage: COVERAGE }).text);
    expect(text).toMatchSnapshot();
  });

  it('because nothing is followed says how to follow, with a profile that is known', () => {
    const known = [{ id: 301, name: 'Web studio' }];
    expect(noFollowedProfilesMessage(known).text).toContain('`/gig subscribe outcomes 301`');
    expect(noFollowedProfilesMessage([]).text).toContain('`/gig subscribe outcomes &lt;');
    expect([noFollowedProfilesMessage(known).text, noFollowedProfilesMessage([]).text]).toMatchSnapshot();
  });
});

describe('the piece of a letter', () => {
  const letter = `${'Before all that. '.repeat(30)}I know Café checkouts well. ${'And after. '.repeat(60)}`;

  it('stands around the word that was looked for, whatever its case and accents', () => {
    const piece = excerptAroundSearchWords(
      letter,
      listSearchWords({ terms: [word('CAFE')] }, undefined),
      200,
    );
    expect(piece).toMatch(/^….*Café checkouts.*… \[200 of 1,\d{3} characters\]$/u);
  });

  it('is its beginning where the word stands nowhere in it', () => {
    expect(excerptAroundSearchWords(letter, ['angular'], 40)).toMatch(
      /^Before all that\. Before .* \[40 of /u,
    );
    expect(excerptAroundSearchWords('Short.', ['angular'], 40)).toBe('Short.');
  });

  it('looks for no excluded words, and for those that were meant', () => {
    const query = { terms: [word('react', true), word('chekout')] };
    expect(listSearchWords(query, 'checkout or checked')).toEqual(['chekout', 'checkout', 'checked']);
  });

  it('never is longer than it says', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 3_000 }),
        fc.string({ minLength: 1 }),
        (text, sought) => {
          expect(excerptAroundSearchWords(text, [sought], 100).length).toBeLessThan(140);
        },
      ),
    );
  });

  function word(text: string, negated = false) {
    return { kind: 'word', text, negated } as const;
  }
});

describe('one proposal in full', () => {
  it('tells everything that is known of it', async () => {
    const facts = {
      proposal: proposal({
        organization: { id: 401 as never, label: 'Web team' },
        businessManager: { id: 12, name: 'Ben' },
        occupation: 'Front-end developer',
        boostOutbid: true,
        fromInvitation: true,
        archived: true,
        terms: { hourlyRate: 45, increasePercent: 10, increaseFrequency: 6 },
      }),
      profileReadAt: NOW,
    };
    const message = proposalDetailsMessage(facts);
    expectHarmless(message);
    await expect(asText(message)).toMatchFileSnapshot('__snapshots__/proposal-in-full.txt');
  });

  it('shows a letter and answers of 5,000 characters in the modal to the last word', () => {
    const long = `${'A good sentence. '.repeat(300)}THE END`;
    const answers = [1, 2, 3, 4, 5].map((n) => ({ question: `${n}?`, answer: `${long} of answer ${n}` }));
    const view = proposalView({ proposal: proposal({ coverLetter: long, answers }) });
    expectHarmlessView(view);
    for (const n of [1, 2, 3, 4, 5]) expect(viewWords(view)).toContain(`THE END of answer ${n}`);
    expect(viewWords(view).match(/THE END/gu)).toHaveLength(6);
    expect(viewWords(view)).not.toContain('…');
  });

  it('says in a message what it cuts, and offers to read it all', () => {
    const message = proposalDetailsMessage({ proposal: proposal({ coverLetter: 'word '.repeat(2_000) }) });
    expect(asText(message)).toMatch(/\b5,9\d\d\b.*\b9,999\b/u);
    expect(/^.*\b9,999\b.*$/mu.exec(asText(message))?.[0]).toMatchSnapshot();
    expect(presses(message)).toEqual([actionIds.proposalOpen]);
  });

  it('has no button that leads nowhere', () => {
    expect(asText(proposalDetailsMessage({ proposal: proposal() }))).not.toContain('-- actions');
    expect(JSON.stringify(proposalView({ proposal: proposal() }))).not.toContain('"action_id"');
  });

  it('does no harm, whatever strangers wrote', () => {
    fc.assert(
      fc.property(anyProposal, (each) => {
        const facts = { proposal: each, readAt: NOW, profileReadAt: NOW };
        expectHarmless(proposalDetailsMessage(facts));
        expectHarmlessView(proposalView(facts));
      }),
      { numRuns: 100 },
    );
  });

  it('of the heaviest letters and answers still fits into a modal', () => {
    for (const sign of ['"', '漢', '😀', '\n.', '&', 'x ']) {
      const text = sign.repeat(60_000);
      const answers = Array.from({ length: 80 }, () => ({ question: text, answer: text.slice(0, 900) }));
      expectHarmlessView(proposalView({ proposal: proposal({ coverLetter: text, answers }) }));
      expectHarmless(proposalDetailsMessage({ proposal: proposal({ coverLetter: text, answers }) }));
    }
  });

  it('loses no character between its parts but white space, and splits no pair', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('word ', '😀', 'x'.repeat(500), '\n'), { maxLength: 200 }),
        (pieces) => {
          const text = pieces.join('').repeat(5);
          const parts = splitIntoParts(text);
          expect(parts.join('').replaceAll(/\s/gu, '')).toBe(text.replaceAll(/\s/gu, ''));
          for (const part of parts) {
            expect(part.length).toBeLessThanOrEqual(3_000);
            expect(part).not.toMatch(/\p{Cs}/u);
          }
        },
      ),
    );
  });
});

describe('what a button carries', () => {
  it('is the query as it was typed, within Slack’s limit', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), fc.integer({ min: 1, max: 9_999 }), (query, page) => {
        const written = proposalsPageValueCodec.write({ query, page });
        expect(written.length).toBeLessThanOrEqual(2_000);
        expect(proposalsPageValueCodec.read(written)).toEqual({ query, page });
      }),
    );
  });
});
