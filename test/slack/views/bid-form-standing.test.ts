/** The bid form says how things stand: claims, bids that there are, and whether its setup may bid. */
import { describe, expect, it } from 'vitest';
import { SetupId } from '../../../src/ids.ts';
import type { BiddingSetup } from '../../../src/marketplace/schema.ts';
import { bidFormView } from '../../../src/slack/views/bid-form.ts';
import type { BidFormFacts } from '../../../src/slack/views/bid-form-facts.ts';
import { JOB, job } from '../messages/bidding-samples.ts';
import { ANA, BEN, NOW } from '../samples.ts';
import { bid, draft, facts, NIGHT } from './bid-form-facts.ts';
import { expectHarmlessView, initialOf, viewWords } from './harmless-view.ts';

describe('how things stand', () => {
  it('says who claimed the project', () => {
    const words = (by: typeof ANA) => viewWords(bidFormView(facts({ claim: { by, at: NOW } })));
    expect(words(BEN)).toContain(`Claimed by <@${BEN}>`);
    expect(words(ANA)).toContain('You claimed this project');
  });

  it('shows the bid of the chosen setup, and that there is one for each', () => {
    const view = bidFormView(facts({ bids: [{ bid: bid({ job: JOB }), job: job() }] }));
    expect(viewWords(view)).toContain('choose another setup to bid again');
    expect(viewWords(view)).toContain('(job #12)');
    expectHarmlessView(view);
  });

  it('asks to check a bid without an answer first', () => {
    const view = bidFormView(facts({ bids: [{ bid: bid({ state: 'unknown' }) }] }));
    expect(viewWords(view)).toContain('Check first; sending makes it attempt 2.');
    expect(JSON.stringify(view)).toContain('"action_id":"bid_check"');
  });

  it('asks the same of one whose earlier attempt went without an answer', () => {
    for (const state of ['refused', 'skipped'] as const) {
      const words = (change: object) =>
        JSON.stringify(bidFormView(facts({ bids: [{ bid: bid({ state, attempt: 2, ...change }) }] })));
      expect(words({ doubtSince: NOW - 9 })).toContain('Check first; sending makes it attempt 3.');
      expect(words({ doubtSince: NOW - 9 })).toContain('"action_id":"bid_check"');
      expect(words({})).toContain('Sending makes it attempt 3.');
      expect(words({})).not.toContain('"action_id":"bid_check"');
    }
  });

  it('shows bids of other setups in a line each', () => {
    const other = bid({ request: { setup: SetupId.parse(8), marketplaceJobId: '~0123456789' } });
    const bids = [{ bid: { ...other, id: '8:0123456789' as never, setupName: 'Day' } }];
    expect(viewWords(bidFormView(facts({ bids })))).toContain('with Day');
  });
});

describe('the setup', () => {
  const words = (change: Partial<BiddingSetup>, more: Partial<BidFormFacts> = {}) =>
    viewWords(bidFormView(facts({ setups: { setups: [{ ...NIGHT, ...change }] }, ...more })));

  it('tells its template, schedule, delay and what it sent today', () => {
    expect(words({})).toContain(
      'Template: Shops · Schedule: Mon–Fri 9–17 (Europe/Oslo) · waits 5 minutes before it bids · sent today: 3 of 20',
    );
  });

  it('is marked where it may not bid', () => {
    const marked = words({ status: 'Paused', sentToday: 20 });
    expect(marked).toContain('paused · daily limit used up (20 of 20)');
    expect(marked).toContain('Its status is “paused”');
    const { template: _none, ...bare } = NIGHT;
    expect(viewWords(bidFormView(facts({ setups: { setups: [bare] } })))).toContain(
      'a cover letter of its own',
    );
  });

  it('is said to be ineligible where its template sends as a freelancer, or is not found', () => {
    expect(words({}, { template: 'freelancer-sender' })).toContain('not eligible for auto bidding');
    expect(words({}, { template: 'not-found' })).toContain(
      'does not find its template. If it was deleted, write a cover letter or choose another setup.',
    );
  });

  it('that has vanished is said to be gone, and nothing stays chosen', () => {
    const view = bidFormView(facts({ setups: { setups: [{ ...NIGHT, id: SetupId.parse(8) }] } }));
    expect(viewWords(view)).toContain('Setup 7 is not there any more');
    expect(initialOf(view, 'setup')).toBeUndefined();
  });

  it('is among the 100 of the menu when it is chosen, and the others are counted', () => {
    const setups = Array.from({ length: 130 }, (_, n) => ({
      ...NIGHT,
      id: SetupId.parse(n + 1),
      name: `Setup ${String(n + 1).padStart(3, '0')}`,
    }));
    const chosen = draft({}, { setup: SetupId.parse(130) });
    const view = bidFormView(facts({ draft: chosen, setups: { setups } }));
    expect(initialOf(view, 'setup')).toBe('130');
    expect(viewWords(view)).toContain('30 more are not in this menu: /gig bid <link> <setup id> takes any.');
    expectHarmlessView(view);
  });
});
