/** The piece of a letter around what was searched for, and proposals of any size in a message or a window. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProposalId } from '../../../src/ids.ts';
import { REPLACEABLE_BLOCKS } from '../../../src/slack/kit/chart-block.ts';
import { findMessageLimitProblems, findViewLimitProblems } from '../../../src/slack/kit/check-limits.ts';
import { toPlainBlocks } from '../../../src/slack/kit/plain-blocks.ts';
import { proposalDetailsMessage } from '../../../src/slack/proposals/proposal-details.ts';
import { PROPOSALS_PAGE_SIZE, proposalsMessage } from '../../../src/slack/proposals/proposals-found.ts';
import { excerptAroundSearchWords, listSearchWords } from '../../../src/slack/proposals/proposals-table.ts';
import { proposalView } from '../../../src/slack/proposals/show-proposal.ts';
import { plainProposal } from '../../plain-proposal.ts';

function word(text: string, negated = false) {
  return { kind: 'word', text, negated } as const;
}

describe('the piece of a letter', () => {
  const letter = `${'Before all that. '.repeat(30)}I know Café checkouts well. ${'And after. '.repeat(60)}`;

  it('stands around the word that was looked for, whatever its case and accents', () => {
    const sought = listSearchWords({ terms: [word('CAFE')] }, undefined);
    const piece = excerptAroundSearchWords(letter, sought, 200);
    expect(piece).toMatch(/^….*Café checkouts.*… \[200 of 1,\d{3} characters\]$/u);
  });

  it('is its beginning where the word stands nowhere in it', () => {
    const piece = excerptAroundSearchWords(letter, ['angular'], 40);
    expect(piece).toMatch(/^Before all that\. Before .* \[40 of /u);
    expect(excerptAroundSearchWords('Short.', ['angular'], 40)).toBe('Short.');
  });

  it('looks for no excluded words, and for those that were meant', () => {
    const query = { terms: [word('react', true), word('chekout')] };
    expect(listSearchWords(query, 'checkout or checked')).toEqual(['chekout', 'checkout', 'checked']);
  });

  it('never is longer than it says', () => {
    const text = fc.string({ unit: 'binary', maxLength: 3_000 });
    fc.assert(
      fc.property(text, fc.string({ minLength: 1 }), (whole, sought) => {
        expect(excerptAroundSearchWords(whole, [sought], 100).length).toBeLessThan(140);
      }),
    );
  });
});

it('a page of the longest names has every proposal, also where Slack refuses tables', () => {
  const name = 'Name '.repeat(40).trim();
  const hits = Array.from({ length: PROPOSALS_PAGE_SIZE }, (_, n) =>
    plainProposal(n + 1, {
      jobTitle: `${n + 1} ${name}`,
      freelancer: { id: 1, name },
      template: { id: 12, name },
      coverLetter: 'x '.repeat(20_000),
    }),
  );
  const coverage = { profiles: [], isLoaded: true, behind: 0 };
  const message = proposalsMessage({ query: 'name', offset: 0, total: 200, hits, coverage });
  const plain = toPlainBlocks(message.blocks ?? [], new Set(REPLACEABLE_BLOCKS));
  for (const blocks of [message.blocks ?? [], plain])
    expect(findMessageLimitProblems({ ...message, blocks })).toEqual([]);
  for (const { id } of hits) expect(JSON.stringify(plain)).toContain(`${id} Name Name`);
});

it.each(['"', '漢', '😀', '\n.', '&', 'x '])('the heaviest letter and answers of %j fit', (sign) => {
  const text = sign.repeat(60_000);
  const answers = Array.from({ length: 80 }, () => ({ question: text, answer: text.slice(0, 900) }));
  const proposal = { ...plainProposal(1), id: ProposalId.parse(1), coverLetter: text, answers };
  expect(findMessageLimitProblems(proposalDetailsMessage({ proposal }))).toEqual([]);
  expect(findViewLimitProblems(proposalView({ proposal }))).toEqual([]);
});

it('a window shows a letter and answers of 5,000 characters to the last word', () => {
  const long = `${'A good sentence. '.repeat(300)}THE END`;
  const answers = [1, 2, 3, 4, 5].map((n) => ({ question: `${n}?`, answer: `${long} of answer ${n}` }));
  const view = JSON.stringify(proposalView({ proposal: plainProposal(1, { coverLetter: long, answers }) }));
  expect(view.match(/THE END/gu)).toHaveLength(6);
});
