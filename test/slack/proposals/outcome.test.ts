import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProposalId } from '../../../src/ids.ts';
import { type OutcomeList, type OutcomeNews, ProposalOutcome } from '../../../src/outbox/news.ts';
import { bidNewsMessage } from '../../../src/slack/bids/bid-messages.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { formatDate } from '../../../src/slack/kit/mrkdwn.ts';
import {
  outcomeListMessage,
  outcomesSummaryMessage,
  proposalOutcomeMessage,
} from '../../../src/slack/proposals/outcome-message.ts';
import { JOB } from '../bids/bidding-samples.ts';
import { expectHarmless } from '../harmless.ts';
import { anyText } from '../invitations/invitation-samples.ts';
import { asText, textOf } from '../kit/as-text.ts';
import { NOW } from '../samples.ts';

const news: OutcomeNews = {
  proposal: ProposalId.parse(17),
  outcomes: ['hired'],
  title: 'Rebuild our checkout',
  freelancer: 'Ana Silva',
  profile: 'Acme Agency',
  template: 'Shops',
  variant: 'B',
  connects: 16,
  boost: 10,
  position: 3,
  submittedAt: NOW,
};

describe('an outcome', () => {
  it('leads with what happened, and leads on to the proposal', () => {
    const { text, blocks = [] } = proposalOutcomeMessage(news);
    expect(asText(proposalOutcomeMessage(news))).toMatchSnapshot();
    expect(text).toMatch(/^Hired.*Rebuild our checkout$/u);
    const [head = ''] = blocks.map(textOf);
    expect(head).toMatch(/^:tada: /u);
    for (const fact of ['Ana Silva', 'Acme Agency', formatDate(NOW), '16', '10', '3', 'Shops', 'B'])
      expect(head).toContain(fact);
    expect(proposalOutcomeMessage(news).blocks?.at(-1)).toMatchObject({
      elements: [{ action_id: actionIds.proposalOpen, value: '17' }],
    });
  });

  it('of several at once names the weightiest first', () => {
    const several = proposalOutcomeMessage({ ...news, outcomes: ['viewed', 'outbid', 'interviewed'] });
    expect(several.text).toMatch(/^Interviewed, .*outbid, viewed.*Rebuild our checkout$/u);
    expect(several.text).toMatchSnapshot();
  });

  it('of which little is known leaves no gap', () => {
    const { proposal } = news;
    const message = proposalOutcomeMessage({ proposal, outcomes: ['viewed'] });
    expect(asText(message)).toMatchSnapshot();
    expect(message.blocks).toHaveLength(2);
    expect(textOf(message.blocks?.[0])).toMatch(/^:eyes: .*17\*$/u);
  });

  it('of a job of ours is a line in its thread', () => {
    const line = {
      about: 'proposal-outcome',
      job: JOB,
      proposal: 17,
      outcomes: ['hired', 'viewed'],
    } as const;
    const { text } = bidNewsMessage({ ...line, outcomes: [...line.outcomes] }, 'Rebuild our checkout');
    expect(text).not.toContain('\n');
    expect(text).toMatch(/^:tada: .*#12 \(“Rebuild our checkout”\).*hired, viewed/u);
    expect(text).toMatchSnapshot();
  });
});

describe('the rest of a flood', () => {
  it('is one line with what finds them', () => {
    const counts = [
      { outcome: 'viewed', count: 1_850 },
      { outcome: 'outbid', count: 5 },
    ] as const;
    const message = outcomesSummaryMessage({ proposals: 1_852, counts: [...counts] });
    const { text } = message;
    for (const fact of [' 1,850 ', ' 5 ']) expect(text).toContain(fact);
    for (const search of ['is:viewed', 'is:outbid']) expect(JSON.stringify(message.blocks)).toContain(search);
    expect(text).toContain('1,852');
    expect(text).toMatchSnapshot();
  });
});

describe('a list of outcomes', () => {
  const entry = (id: number, outcomes: OutcomeNews['outcomes'], title = `Job ${id}`) => ({
    at: NOW + id,
    news: { ...news, proposal: ProposalId.parse(id), outcomes, title },
  });
  const optionsOf = (list: OutcomeList) => {
    const [select] = (outcomeListMessage(list).blocks ?? []).flatMap((block) =>
      block.type === 'actions' ? block.elements : [],
    );
    return select?.type === 'static_select' ? (select.options ?? []) : [];
  };

  it('says how many of what, the newest first, and opens each proposal', () => {
    const entries = [entry(1, ['viewed']), entry(2, ['viewed']), entry(1, ['outbid'])];
    const list: OutcomeList = { of: 'hour', entries };
    const words = asText(outcomeListMessage(list));
    expect(words).toMatchSnapshot();
    expect(words.indexOf('Job 1')).toBeLessThan(words.indexOf('Job 2'));
    expect(optionsOf(list).map(({ value }) => value)).toEqual(['1', '2']);
  });

  it('of a hundred shows a few lines, and has all in its menu', () => {
    const entries = Array.from({ length: 100 }, (_, each) => entry(each + 1, ['viewed'], 'x'.repeat(200)));
    const rest = { proposals: 7, counts: [{ outcome: 'viewed' as const, count: 7 }] };
    const message = outcomeListMessage({ of: 'together', entries, rest });
    expectHarmless(message);
    expect(optionsOf({ of: 'together', entries })).toHaveLength(100);
    expect(asText(message).split('\n').length).toBeLessThan(20);
    expect(asText(message)).toContain('107');
    expect(JSON.stringify(message.blocks)).toContain('is:viewed');
  });
});

describe('whatever strangers write', () => {
  it('outcomes stay harmless and within the limits', () => {
    const outcomes = fc.uniqueArray(fc.constantFrom(...ProposalOutcome.options));
    fc.assert(
      fc.property(
        anyText,
        anyText,
        anyText,
        anyText,
        outcomes,
        (title, freelancer, profile, variant, which) => {
          const hostile = { ...news, title, freelancer, profile, variant, template: title, outcomes: which };
          expectHarmless(proposalOutcomeMessage(hostile));
          expectHarmless(outcomeListMessage({ of: 'hour', entries: [{ at: NOW, news: hostile }] }));
          const counts = which.map((outcome) => ({ outcome, count: 3 }));
          expectHarmless(outcomesSummaryMessage({ proposals: 9, counts }));
          const line = { about: 'proposal-outcome', job: JOB, proposal: 17, outcomes: which } as const;
          expectHarmless(bidNewsMessage(line, title));
        },
      ),
      { numRuns: 300 },
    );
  });
});
