/** The bid form shows the current state: claims, existing bids, and whether its setup may bid. */
import { describe, expect, it } from 'vitest';
import { SetupId } from '../../../src/ids.ts';
import type { BiddingSetup } from '../../../src/marketplace/schema.ts';
import { bidFormView } from '../../../src/slack/bids/bid-form.ts';
import type { BidFormFacts } from '../../../src/slack/bids/bid-form-facts.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { plainTemplate } from '../../plain-template.ts';
import { actionsOf, expectHarmlessView, initialOf, viewWords } from '../kit/harmless-view.ts';
import { ANA, BEN, NOW } from '../samples.ts';
import { bid, draft, facts, NIGHT } from './bid-form-facts.ts';
import { JOB, job } from './bidding-samples.ts';

describe('how things stand', () => {
  it('says who claimed the project', () => {
    const words = (by: typeof ANA) => viewWords(bidFormView(facts({ claim: { by, at: NOW } })));
    expect(words(BEN)).toContain(`<@${BEN}>`);
    expect(words(BEN)).toMatchSnapshot();
    expect(words(ANA)).not.toContain(`<@${ANA}>`);
    expect(words(ANA)).toMatchSnapshot();
  });

  it('shows the bid of the chosen setup, and that there is one for each', () => {
    const view = bidFormView(facts({ bids: [{ bid: bid({ job: JOB }), job: job() }] }));
    expect(viewWords(view)).toMatchSnapshot();
    expect(viewWords(view)).toContain(`#${JOB}`);
    expectHarmlessView(view);
  });

  it('asks to check a bid without an answer first', () => {
    const view = bidFormView(facts({ bids: [{ bid: bid({ state: 'unknown' }) }] }));
    expect(viewWords(view)).toMatch(/\b2\b/u);
    expect(viewWords(view)).toMatchSnapshot();
    expect(actionsOf(view)).toContain(actionIds.bidCheck);
  });

  it('asks the same of one whose earlier attempt went without an answer', () => {
    for (const state of ['refused', 'skipped'] as const) {
      const of = (change: object) =>
        bidFormView(facts({ bids: [{ bid: bid({ state, attempt: 2, ...change }) }] }));
      expect(actionsOf(of({ doubtSince: NOW - 9 }))).toContain(actionIds.bidCheck);
      expect(actionsOf(of({}))).not.toContain(actionIds.bidCheck);
      for (const view of [of({ doubtSince: NOW - 9 }), of({})]) {
        expect(viewWords(view)).toMatch(/\b3\./u);
        expect(viewWords(view)).toMatchSnapshot();
      }
    }
  });

  it('shows bids of other setups in a line each', () => {
    const other = bid({ request: { setup: SetupId.parse(8), marketplaceJobId: '~0123456789' } });
    const bids = [{ bid: { ...other, id: '8:0123456789' as never, setupName: 'Day' } }];
    expect(viewWords(bidFormView(facts({ bids })))).toContain(' Day');
  });
});

/** The texts of the view's warnings. */
function alertsOf(view: ReturnType<typeof bidFormView>): readonly string[] {
  const blocks = view.blocks as readonly { type: string; text?: { text: string } }[];
  return blocks.flatMap(({ type, text }) => (type === 'alert' && text ? [text.text] : []));
}

describe('the setup', () => {
  const alerts = (change: Partial<BiddingSetup>, more: Partial<BidFormFacts> = {}) =>
    alertsOf(bidFormView(facts({ setups: { setups: [{ ...NIGHT, ...change }] }, ...more })));
  const words = (change: Partial<BiddingSetup>, more: Partial<BidFormFacts> = {}) =>
    viewWords(bidFormView(facts({ setups: { setups: [{ ...NIGHT, ...change }] }, ...more })));

  it('tells its template, schedule, delay and what it sent today', () => {
    const [line = ''] = words({}).match(/^.*Shops.*$/gmu) ?? [];
    for (const fact of ['Mon–Fri 9–17 (Europe/Oslo)', ' 5 ', ' 3 of 20']) expect(line).toContain(fact);
    expect(line).toMatchSnapshot();
  });

  it('is marked where it may not bid', () => {
    const marked = words({ status: 'Paused', sentToday: 20 });
    expect(marked).toMatch(/^paused .*\(20 of 20\)$/mu);
    expect(alerts({ status: 'Paused', sentToday: 20 }).join('\n')).toMatch(/“paused”.*\n.*20 of 20/u);
    expect(marked).toMatchSnapshot();
    const { template: _none, ...bare } = NIGHT;
    const untemplated = viewWords(bidFormView(facts({ setups: { setups: [bare] } })));
    expect(alertsOf(bidFormView(facts({ setups: { setups: [bare] } })))).toHaveLength(1);
    expect(untemplated).toMatchSnapshot();
    expect(alerts({})).toEqual([]);
  });

  it('is said to be ineligible where its template sends as a freelancer, or is not found', () => {
    const freelancer = plainTemplate(3, { sender: { type: 'Freelancer' } });
    for (const template of [{ kind: 'read', template: freelancer }, { kind: 'not-found' }] as const) {
      const warnings = alerts({}, { template });
      expect(warnings).toHaveLength(1);
      expect(warnings).toMatchSnapshot();
    }
  });

  it('that has vanished is said to be gone, and nothing stays chosen', () => {
    const view = bidFormView(facts({ setups: { setups: [{ ...NIGHT, id: SetupId.parse(8) }] } }));
    expect(alertsOf(view)).toEqual([expect.stringMatching(/\b7\b/u)]);
    expect(viewWords(view)).toMatchSnapshot();
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
    const [hint = ''] = viewWords(view).match(/^.*\/gig bid .*$/gmu) ?? [];
    expect(hint).toMatch(/\b30\b/u);
    expect(hint).toMatchSnapshot();
    expectHarmlessView(view);
  });
});
