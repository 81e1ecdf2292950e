import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProposalId } from '../../../src/ids.ts';
import { Outcome, type OutcomeNews } from '../../../src/outbox/outcome-news.ts';
import { bidNewsMessage } from '../../../src/slack/messages/bid-news.ts';
import { outcomeMessage, outcomesRestMessage } from '../../../src/slack/messages/outcome-message.ts';
import { expectHarmless } from '../harmless.ts';
import { NOW } from '../samples.ts';
import { asText } from './as-text.ts';
import { JOB } from './bidding-samples.ts';
import { anyText } from './invitation-samples.ts';

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
    const sent = `<!date^${NOW / 1_000}^\u200b{date_short_pretty} at {time}|20 Nov 2026, 09:00 UTC>`;
    expect(asText(outcomeMessage(news))).toBe(
      [
        'text: Hired: Rebuild our checkout',
        '-- section',
        ':tada: *Hired: Rebuild our checkout*',
        `Ana Silva · Acme Agency · sent ${sent}`,
        '16 connects · boost 10 · position 3 · template Shops, variant B',
        '-- context',
        '`/gig proposal 17` shows it in full.',
        '',
      ].join('\n'),
    );
  });

  it('of several at once names the weightiest first', () => {
    const several = outcomeMessage({ ...news, outcomes: ['viewed', 'outbid', 'interviewed'] });
    expect(several.text).toBe('Interviewed, boost outbid, viewed: Rebuild our checkout');
  });

  it('of which little is known leaves no gap', () => {
    const { proposal } = news;
    expect(asText(outcomeMessage({ proposal, outcomes: ['viewed'] }))).toBe(
      [
        'text: Viewed: proposal 17',
        '-- section',
        ':eyes: *Viewed: proposal 17*',
        '-- context',
        '`/gig proposal 17` shows it in full.',
        '',
      ].join('\n'),
    );
  });

  it('of a job of ours is a line in its thread', () => {
    const line = {
      about: 'proposal-outcome',
      job: JOB,
      proposal: 17,
      outcomes: ['hired', 'viewed'],
    } as const;
    expect(bidNewsMessage({ ...line, outcomes: [...line.outcomes] }, 'Rebuild our checkout').text).toBe(
      ':tada: *The proposal of job #12 (“Rebuild our checkout”): hired, viewed.* `/gig proposal 17` shows it.',
    );
  });
});

describe('the rest of a flood', () => {
  it('is one line with what finds them', () => {
    const counts = [
      { outcome: 'viewed', count: 1_850 },
      { outcome: 'outbid', count: 5 },
    ] as const;
    expect(outcomesRestMessage({ proposals: 1_852, counts: [...counts] }).text).toBe(
      ':inbox_tray: *1,852 more proposals have news:* 1,850 viewed, 5 boost outbid.\n`/gig proposals is:viewed` or `/gig proposals is:outbid` finds them.',
    );
  });
});

describe('whatever strangers write', () => {
  it('outcomes stay harmless and within the limits', () => {
    const outcomes = fc.uniqueArray(fc.constantFrom(...Outcome.options));
    fc.assert(
      fc.property(
        anyText,
        anyText,
        anyText,
        anyText,
        outcomes,
        (title, freelancer, profile, variant, which) => {
          const hostile = { ...news, title, freelancer, profile, variant, template: title, outcomes: which };
          expectHarmless(outcomeMessage(hostile));
          const counts = which.map((outcome) => ({ outcome, count: 3 }));
          expectHarmless(outcomesRestMessage({ proposals: 9, counts }));
          const line = { about: 'proposal-outcome', job: JOB, proposal: 17, outcomes: which } as const;
          expectHarmless(bidNewsMessage(line, title));
        },
      ),
      { numRuns: 300 },
    );
  });
});
