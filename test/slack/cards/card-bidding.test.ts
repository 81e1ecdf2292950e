import type { Button } from '@slack/types';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProjectBidsAndJobs } from '../../../src/bidding/project-bidding.ts';
import type { Job } from '../../../src/bidding/records.ts';
import { BidId, JobId } from '../../../src/ids.ts';
import type { ListedProject } from '../../../src/marketplace/schema.ts';
import { approveShownButton } from '../../../src/slack/bids/approval-message.ts';
import { disqualifiedBlock } from '../../../src/slack/bids/bid-buttons.ts';
import { cardMessage } from '../../../src/slack/cards/card-message.ts';
import { cardMenuValues } from '../../../src/slack/kit/button-values.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { refusalReasonText } from '../../../src/slack/kit/words/marketplace-failure.ts';
import {
  anyBidding,
  approval,
  bid,
  bidding,
  foreignJob,
  JOB,
  job,
  linked,
  NO_BIDDING,
  WAITING,
  withoutAna,
} from '../bids/bidding-samples.ts';
import { expectHarmless } from '../harmless.ts';
import { asText, textOf } from '../kit/as-text.ts';
import { ANA, BEN, listed, NOW, view } from '../samples.ts';

const DATE = (at: number) => `<!date^${at / 1_000}^`;
/** In the order of a card without bids. */
const OWN = [actionIds.details, actionIds.claim];
/** After a bid: its state, and no Claim. */
const AFTER = [actionIds.jobRefresh, actionIds.details];

/** The card's last lines: the context above the buttons, and the buttons. */
function shown(it: ProjectBidsAndJobs, change: Parameters<typeof view>[0] = { density: 'compact' }) {
  const { blocks = [] } = cardMessage(view(change), it);
  const last = blocks.at(-1);
  const elements = last?.type === 'actions' ? last.elements : [];
  const buttons = elements.filter((each): each is Button => each.type === 'button');
  const menu = elements.find((each) => each.type === 'overflow');
  const state = blocks
    .filter((block) => block.type === 'context')
    .flatMap((block) => block.elements.map((each) => (each.type === 'mrkdwn' ? each.text : '')));
  return {
    state: state.join('\n'),
    buttons,
    presses: buttons.map((each) => each.action_id),
    primary: buttons.filter((each) => each.style === 'primary').map((each) => each.action_id),
    menu: menu?.options.map((each) => each.value) ?? [],
    all: asText(cardMessage(view(change), it)),
  };
}

describe('a card of a project that nobody bid on', () => {
  it('offers Bid first, for the project', () => {
    const { buttons, presses, primary, menu } = shown(NO_BIDDING);
    expect(presses).toEqual([actionIds.bid, ...OWN]);
    expect(primary).toEqual([actionIds.bid]);
    expect(buttons[0]).toEqual({
      type: 'button',
      action_id: 'bid_open',
      text: { type: 'plain_text', text: 'Bid', emoji: false },
      value: '~0123456789',
      accessibility_label: expect.stringContaining('Rebuild our checkout in React'),
      style: 'primary',
    });
    expect(menu).not.toContain(cardMenuValues.bid);
  });

  it('offers none once it is skipped', () => {
    const skip = { by: BEN, at: NOW, reason: 'not-a-fit' } as const;
    expect(shown(bidding({}, job()), { card: { skip } }).presses).toEqual([actionIds.unskip]);
    expect(shown(bidding({}, job()), { card: { skip } }).state).toContain(DATE(NOW + 1_800_000));
  });
});

/** Approve, as requests and Review offer it. */
function approveOf(waiting: Job, project: Partial<ListedProject> = {}): Button {
  const subject = { job: waiting, bid: bid(), project: { ...listed(), ...project } };
  return approveShownButton({ job: waiting, subject });
}

describe('a card tells of a bid that', () => {
  it('is being sent', () => {
    const { state, presses, primary } = shown(bidding({ state: 'sending' }));
    expect(state).toContain(`<@${ANA}>`);
    expect(state).toMatchSnapshot();
    expect(presses).toEqual([actionIds.details]);
    expect(primary).toEqual([]);
  });

  it('waits for review, with Review', () => {
    const { state, presses, primary, menu, buttons } = shown(bidding({}, job(WAITING)));
    expect(state).toContain(`#${JOB}`);
    expect(state).toMatchSnapshot();
    expect(presses).toEqual([actionIds.jobReview, ...AFTER]);
    expect(primary).toEqual([actionIds.jobReview]);
    expect(menu).toEqual([cardMenuValues.bid, cardMenuValues.mute, cardMenuValues.assign]);
    expect(buttons[0]).toMatchObject({
      type: 'button',
      action_id: 'job_review',
      value: '12',
      style: 'primary',
    });
    expect(buttons[0]).toMatchSnapshot();
  });

  it('is being approved, without a second Approve', () => {
    const { state, presses } = shown(
      bidding({}, job({ ...WAITING, approval: approval({ state: 'sending' }) })),
    );
    expect(state).toContain(`<@${BEN}>`);
    expect(state).toMatchSnapshot();
    expect(presses).toEqual(AFTER);
  });

  it('was not approved, with an Approve in Review that knows the attempt', () => {
    const refused = approval({
      state: 'refused',
      attempt: 2,
      refusal: { code: 'bad-request', serverMessage: 'Limit & more' },
    });
    const { state, buttons } = shown(bidding({}, job({ ...WAITING, approval: refused })));
    expect(state).toContain(`<@${BEN}>`);
    expect(state).toContain('“Limit &amp; more”');
    expect(state).toMatchSnapshot();
    expect(buttons[0]?.value).toBe('12');
    expect(approveOf(job({ ...WAITING, approval: refused })).value).toContain('"job":12,"seen":2');
  });

  it('is scheduled, in the reader’s time', () => {
    const { state, presses } = shown(bidding({}, job({ approval: approval() })));
    expect(state).toContain(DATE(NOW + 1_800_000));
    expect(state).toContain(`<@${BEN}>`);
    expect(state).toMatchSnapshot();
    expect(presses).toEqual(AFTER);
  });

  it('is scheduled for a time of no known zone, as it was written', () => {
    const { state } = shown(bidding({}, job({ scheduledAt: '2026-11-20 09:30:00' })));
    expect(state).toContain('2026-11-20 09:30:00');
    expect(state).not.toContain('<!date');
  });

  it.each([
    ['processing', { status: 'processing', statusTitle: 'Bidding' }, 'Bidding'],
    ['of another version', { status: 'on_the_moon', statusTitle: '' }, 'on_the_moon'],
    ['unknown', { status: 'unknown', statusTitle: '' }, `#${JOB}`],
    ['queued', { status: 'queued', statusTitle: 'Queued', reason: 'A blocking job' }, 'A blocking job'],
    ['skipped', { status: 'skipped', reason: 'The daily limit is reached' }, 'The daily limit is reached'],
    ['failed', { status: 'failed', errorMessage: 'Out of connects', retryCount: 2 }, 'Out of connects'],
    ['completed', { status: 'completed', applicationUid: '44' }, `#${JOB}`],
    ['sent', { proposal: linked() }, '16 '],
    ['viewed', { proposal: linked({ boost: 0, viewed: true, boostOutbid: true }) }, ':eyes:'],
    ['interviewed', { proposal: linked({ viewed: true, interviewed: true }) }, ':speech_balloon:'],
    ['hired', { proposal: linked({ viewed: true, interviewed: true, hired: true }) }, ':tada:'],
    ['withdrawn', { proposal: linked({ withdrawn: true }) }, '16 '],
    ['gone', { follow: { state: 'gone', at: NOW } }, `#${JOB}`],
  ] as const)('became %s', (_, change, fact) => {
    const { state } = shown(bidding({}, job(change)));
    expect(state).toContain(fact);
    expect(state).toMatchSnapshot();
  });

  it('is not followed any more, with Refresh', () => {
    const { state, buttons, presses } = shown(bidding({}, job({ follow: { state: 'left', at: NOW } })));
    expect(state).toMatchSnapshot();
    expect(presses).toEqual(AFTER);
    expect(buttons[0]).toMatchObject({ action_id: 'job_refresh', value: '12' });
  });

  it('has become a proposal, with Proposal', () => {
    const { buttons, presses } = shown(bidding({}, job({ proposal: linked() })));
    expect(presses).toEqual([actionIds.proposalShow, actionIds.details]);
    expect(buttons[0]).toMatchObject({ action_id: 'proposal_show', value: '12' });
  });

  it('was skipped by the marketplace, with Try again', () => {
    const { state, presses, primary, buttons } = shown(
      bidding({ state: 'skipped' }, job({ status: 'skipped', reason: 'Only for the US' })),
    );
    expect(state).toContain('Only for the US');
    expect(state).toMatchSnapshot();
    expect(presses).toEqual([actionIds.bid, ...OWN]);
    expect(primary).toEqual([actionIds.bid]);
    expect(buttons[0]).toMatchObject({ action_id: 'bid_open', value: '7:0123456789' });
  });

  it('was refused, with the job in its way and Try again', () => {
    const refusal = { code: 'bad-request', serverMessage: 'A job exists already' };
    const { state, presses } = shown(bidding({ state: 'refused', refusal, job: JOB }));
    expect(state).toContain('“A job exists already”');
    expect(state).toContain(`#${JOB}`);
    expect(state).toMatchSnapshot();
    expect(presses).toEqual([actionIds.bid, ...OWN]);
    const known = shown(bidding({ state: 'refused', refusal }, job(WAITING)));
    expect(known.state).toContain(`#${JOB}`);
    expect(known.state).toMatchSnapshot();
    expect(known.presses).toEqual([actionIds.jobReview, actionIds.bid, ...OWN]);
    expect(known.primary).toEqual([actionIds.jobReview]);
  });

  it('was refused without words, in ours', () => {
    const refusal = { code: 'unauthorised' };
    const { state } = shown(bidding({ state: 'refused', refusal }));
    expect(state).toContain(refusalReasonText(refusal, 200));
    expect(state).toMatchSnapshot();
  });

  it('had no answer, with Check before Try again', () => {
    const { state, presses, primary, buttons } = shown(bidding({ state: 'unknown' }));
    expect(state).toContain(`<@${ANA}>`);
    expect(state).toMatchSnapshot();
    expect(presses).toEqual([actionIds.bidCheck, actionIds.bid, actionIds.details]);
    expect(primary).toEqual([actionIds.bidCheck]);
    expect(buttons[0]).toMatchObject({ action_id: 'bid_check', value: '7:0123456789' });
  });
});

describe('a card with a job whose approval went without an answer', () => {
  const of = (change: object) =>
    shown(bidding({}, job({ ...WAITING, approval: approval({ state: 'unknown', ...change }) })));

  it('offers no other while it is being read', () => {
    const { state, presses } = of({});
    expect(state).toContain(`<@${BEN}>`);
    expect(state).toMatchSnapshot();
    expect(presses).not.toContain(actionIds.jobReview);
  });

  it('offers one where it can’t be read, says so, and what came of the last', () => {
    const { state, presses, buttons } = of({ mayRepeat: true, refusal: { code: 'forbidden' } });
    expect(state).toContain(`<@${BEN}>`);
    expect(state).toContain(refusalReasonText({ code: 'forbidden' }, 120));
    expect(state).toMatchSnapshot();
    expect(presses[0]).toBe(actionIds.jobReview);
    expect(buttons[0]?.value).toBe('12');
    const repeated = approval({ state: 'unknown', mayRepeat: true, refusal: { code: 'forbidden' } });
    expect(approveOf(job({ ...WAITING, approval: repeated })).confirm?.text?.text).toMatchSnapshot();
  });
});

describe('a card with a bid that came to nothing after an attempt without an answer', () => {
  it.each([
    ['refused', { state: 'refused', refusal: { code: 'forbidden' } }],
    ['skipped', { state: 'skipped' }],
  ] as const)('that was %s tells both, and offers Check first', (_, change) => {
    const { state, presses, primary } = shown(bidding({ ...change, attempt: 2, doubtSince: NOW - 9 }));
    expect(state).toContain(`<@${ANA}>`);
    expect(state).not.toBe(shown(bidding({ ...change, attempt: 2 })).state);
    expect(state).toMatchSnapshot();
    expect(presses).toEqual([actionIds.bidCheck, actionIds.bid, actionIds.details]);
    expect(primary).toEqual([actionIds.bidCheck]);
  });

  it('says nothing of it once the bid is a job', () => {
    expect(shown(bidding({ doubtSince: NOW - 9 }, job())).state).toBe(shown(bidding({}, job())).state);
  });
});

describe('a card with a bid that another job stands in the way of', () => {
  it('names that job, and says how it stands once', () => {
    const own = { bid: bid({ job: JOB }), job: job({ proposal: linked() }) };
    const refusal = { code: 'bad-request', serverMessage: 'A job exists already' };
    const late = {
      bid: bid({ id: BidId.parse('8:1'), setupName: 'Day', state: 'refused', refusal, at: NOW + 1 }),
    };
    const { state } = shown({ bids: [own, { ...late, job: job({ proposal: linked() }) }], otherJobs: [] });
    const [first, second] = state.split('\n');
    expect(second).toContain('“A job exists already”');
    expect(second).toContain(`#${JOB}`);
    expect(first).toContain('16 ');
    expect(second).not.toContain('16 ');
    expect(state).toMatchSnapshot();
  });
});

describe('a card with several bids', () => {
  const older = {
    bid: bid({ id: BidId.parse('8:0123456789'), setupName: 'Day shift', state: 'unknown', at: NOW - 9 }),
  };
  const newer = { bid: bid({ job: JOB }), job: job(WAITING) };

  it('tells them newest last, whatever the order they come in', () => {
    for (const bids of [
      [older, newer],
      [newer, older],
    ]) {
      const { state, presses, primary } = shown({ bids, otherJobs: [] });
      expect(state.split('\n').map((each) => /(\w+) shift/u.exec(each)?.[1])).toEqual(['Day', 'Night']);
      expect(presses).toEqual([actionIds.jobReview, actionIds.bidCheck, ...AFTER]);
      expect(primary).toEqual([actionIds.jobReview]);
    }
  });

  it('tells five and counts those before', () => {
    const bids = [1, 2, 3, 4, 5, 6, 7].map((n) => ({
      bid: bid({ id: BidId.parse(`${n}:1`), setupName: `Setup ${n}`, at: NOW + n, state: 'refused' }),
    }));
    const { state } = shown({ bids, otherJobs: [] });
    expect(state.split('\n')).toHaveLength(6);
    expect(state.split('\n')[0]).toMatch(/\b2\b/u);
    expect(state.split('\n')[0]).toMatchSnapshot();
    expect(state).not.toContain('Setup 2');
    expect(state.split('\n').at(-1)).toContain('Setup 7');
  });

  it('tells a job from elsewhere too, but not twice', () => {
    const other = foreignJob(WAITING);
    const { state, presses } = shown({ bids: [], otherJobs: [other] });
    expect(state).toContain('#13');
    expect(state).toMatchSnapshot();
    expect(presses).toEqual([actionIds.jobReview, actionIds.bid, ...AFTER]);
    const refused = bidding({ state: 'refused', refusal: { code: 'bad-request' } }, other);
    expect(shown({ ...refused, otherJobs: [other] }).state.match(/#13/gu)).toHaveLength(1);
  });
});

describe('Approve against the AI', () => {
  const verdict = { decision: 'Disqualified', reason: `Wrong stack. ${'x'.repeat(400)} End.`, other: {} };

  it.each(['full', 'compact'] as const)('says so in the question, and why on a %s card', (density) => {
    const { all } = shown(bidding({}, job(WAITING)), { density, project: { verdict } });
    const { confirm } = approveOf(job(WAITING), { verdict });
    expect(confirm?.title?.text).not.toBe(approveOf(job(WAITING)).confirm?.title?.text);
    expect(confirm?.title?.text).toContain('#12');
    expect(confirm?.text?.text).toMatch(/“Rebuild our checkout in React”.* Night shift/u);
    expect(confirm?.text?.text).toContain('Wrong stack.');
    expect(confirm).toMatchSnapshot();
    expect(all).toContain(' Wrong stack.');
    expect(all).toContain('End.');
    expect(all).toMatchSnapshot();
  });

  it('keeps the warning where the title is long', () => {
    const { confirm } = approveOf(job(WAITING), { verdict, title: 't'.repeat(900) });
    expect(confirm?.text?.text).toContain(': Wrong stack.');
  });

  it('takes the reason of the status where the list told no verdict', () => {
    const reason = 'AI disqualified: budget too low';
    const { confirm } = approveOf(job({ ...WAITING, reason }));
    expect(confirm?.text?.text).toContain(reason);
    expect(confirm).toMatchSnapshot();
  });

  it('says nothing of the AI where it was for the project', () => {
    const qualified = { decision: 'qualified', reason: 'Fits', other: {} };
    const { buttons, all } = shown(bidding({}, job(WAITING)), { project: { verdict: qualified } });
    expect(buttons).toEqual(shown(bidding({}, job(WAITING))).buttons);
    expect(all).not.toContain(textOf(disqualifiedBlock('Fits')));
    expect(all).toMatchSnapshot();
  });
});

describe('whatever the marketplace wrote', () => {
  it.each(['full', 'compact'] as const)(
    'a %s card with bids is harmless, with one primary button at most',
    (density) => {
      fc.assert(
        fc.property(anyBidding, (it) => {
          expectHarmless(cardMessage(view({ density }), withoutAna(it)));
          const { buttons, primary, menu } = shown(it, { density });
          expect(buttons.length).toBeLessThanOrEqual(4);
          expect(menu.length).toBeLessThanOrEqual(5);
          expect(primary.length).toBeLessThanOrEqual(1);
          expect(new Set(buttons.map((each) => each.action_id)).size).toBe(buttons.length);
        }),
        { numRuns: 60 },
      );
    },
  );

  it('names a job with the largest id', () => {
    const id = JobId.parse(Number.MAX_SAFE_INTEGER);
    expect(shown(bidding({}, job({ id }))).state).toContain(`#${id}`);
  });
});
