import type { Button } from '@slack/types';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProjectBidding } from '../../../src/bidding/project-bidding.ts';
import { BidId, JobId } from '../../../src/ids.ts';
import { cardMessage } from '../../../src/slack/messages/card.ts';
import { expectHarmless } from '../harmless.ts';
import { ANA, BEN, NOW, view } from '../samples.ts';
import { asText } from './as-text.ts';
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
} from './bidding-samples.ts';

const DATE = (at: number) => `<!date^${at / 1_000}^\u200b{date_short_pretty} at {time}|`;

/** The card's last lines: what stands in its context above the buttons, and the buttons. */
function shown(it: ProjectBidding, change: Parameters<typeof view>[0] = { density: 'compact' }) {
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
    labels: buttons.map((each) => each.text.text),
    primary: buttons.filter((each) => each.style === 'primary').map((each) => each.text.text),
    menu: menu?.options.map((each) => each.text.text) ?? [],
    all: asText(cardMessage(view(change), it)),
  };
}

describe('a card of a project that nobody bid on', () => {
  it('offers Bid first, for the project', () => {
    const { buttons, labels, primary, menu } = shown(NO_BIDDING);
    expect(labels).toEqual(['Bid', 'Details', 'Claim']);
    expect(primary).toEqual(['Bid']);
    expect(buttons[0]).toEqual({
      type: 'button',
      action_id: 'bid_open',
      text: { type: 'plain_text', text: 'Bid', emoji: false },
      value: '~0123456789',
      accessibility_label: 'Bid: Rebuild our checkout in React',
      style: 'primary',
    });
    expect(menu).not.toContain('Bid with another setup…');
  });

  it('offers none once it is skipped', () => {
    const skip = { by: BEN, at: NOW, reason: 'not-a-fit' } as const;
    expect(shown(bidding({}, job()), { card: { skip } }).labels).toEqual(['Undo skip']);
    expect(shown(bidding({}, job()), { card: { skip } }).state).toContain('scheduled for');
  });
});

describe('a card tells of a bid that', () => {
  const who = `Bid by <@${ANA}> with Night shift`;

  it('is being sent', () => {
    const { state, labels, primary } = shown(bidding({ state: 'sending' }));
    expect(state).toBe(`:hourglass_flowing_sand: ${who}: sending…`);
    expect(labels).toEqual(['Details', 'Claim']);
    expect(primary).toEqual([]);
  });

  it('waits for review, with Approve', () => {
    const { state, labels, primary, menu, buttons } = shown(bidding({}, job(WAITING)));
    expect(state).toBe(`:dart: ${who}: waiting for review (job #12)`);
    expect(labels).toEqual(['Approve', 'Details', 'Claim']);
    expect(primary).toEqual(['Approve']);
    expect(menu).toEqual([
      'Bid with another setup…',
      'Skip: not a fit',
      'Skip for another reason…',
      'Mute country or word…',
      'Copy link',
    ]);
    expect(buttons[0]).toEqual({
      type: 'button',
      action_id: 'job_approve',
      text: { type: 'plain_text', text: 'Approve', emoji: false },
      value: '{"job":12,"seen":0}',
      accessibility_label: 'Approve job 12: Rebuild our checkout in React',
      confirm: {
        title: { type: 'plain_text', text: 'Approve job #12?', emoji: false },
        text: {
          type: 'plain_text',
          text: 'Job #12 then bids on “Rebuild our checkout in React” with Night shift, which spends connects.',
          emoji: false,
        },
        confirm: { type: 'plain_text', text: 'Approve', emoji: false },
        deny: { type: 'plain_text', text: 'Not yet', emoji: false },
      },
      style: 'primary',
    });
  });

  it('is being approved, without a second Approve', () => {
    const { state, labels } = shown(
      bidding({}, job({ ...WAITING, approval: approval({ state: 'sending' }) })),
    );
    expect(state).toContain(`waiting for review (job #12) · <@${BEN}> is approving it…`);
    expect(labels).toEqual(['Details', 'Claim']);
  });

  it('was not approved, with an Approve that knows the attempt', () => {
    const refused = approval({
      state: 'refused',
      attempt: 2,
      refusal: { code: 'bad-request', serverMessage: 'Limit & more' },
    });
    const { state, buttons } = shown(bidding({}, job({ ...WAITING, approval: refused })));
    expect(state).toContain(`<@${BEN}>'s approval was refused: “Limit &amp; more”`);
    expect(buttons[0]?.value).toBe('{"job":12,"seen":2}');
  });

  it('is scheduled, in the reader’s time', () => {
    const { state, labels } = shown(bidding({}, job({ approval: approval() })));
    expect(state).toBe(
      `:dart: ${who}: scheduled for ${DATE(NOW + 1_800_000)}20 Nov 2026, 09:30 UTC> (job #12) · approved by <@${BEN}>`,
    );
    expect(labels).toEqual(['Details', 'Claim']);
  });

  it('is scheduled for a time of no known zone, as it was written', () => {
    const { state } = shown(bidding({}, job({ scheduledAt: '2026-11-20 09:30:00' })));
    expect(state).toContain('scheduled for 2026-11-20 09:30:00 (job #12)');
  });

  it.each([
    [{ status: 'processing', statusTitle: 'Bidding' }, 'Bidding (job #12)'],
    [{ status: 'on_the_moon', statusTitle: '' }, 'on_the_moon (job #12)'],
    [{ status: 'unknown', statusTitle: '' }, 'state not known yet (job #12)'],
    [
      { status: 'queued', statusTitle: 'Queued', reason: 'A blocking job' },
      'Queued: A blocking job (job #12)',
    ],
    [
      { status: 'skipped', reason: 'The daily limit is reached' },
      'skipped: The daily limit is reached (job #12)',
    ],
    [
      { status: 'failed', errorMessage: 'Out of connects', retryCount: 2 },
      'failed after 2 retries: Out of connects (job #12)',
    ],
    [{ status: 'completed', applicationUid: '44' }, 'proposal sent (job #12)'],
    [{ proposal: linked() }, 'proposal sent · 16 connects · boost 10 · position 3'],
    [
      { proposal: linked({ boost: 0, viewed: true, boostOutbid: true }) },
      'proposal sent · 16 connects · position 3 · boost outbid · :eyes: viewed',
    ],
    [{ proposal: linked({ viewed: true, interviewed: true }) }, 'position 3 · :speech_balloon: interviewed'],
    [{ proposal: linked({ viewed: true, interviewed: true, hired: true }) }, 'position 3 · :tada: hired'],
    [{ proposal: linked({ withdrawn: true }) }, 'position 3 · withdrawn'],
    [{ follow: { state: 'gone', at: NOW } }, '(job #12) · the marketplace knows it no longer'],
  ] as const)('became %o: “%s”', (change, words) => {
    expect(shown(bidding({}, job(change))).state).toContain(words);
  });

  it('is not followed any more, with Refresh', () => {
    const { state, buttons, labels } = shown(bidding({}, job({ follow: { state: 'left', at: NOW } })));
    expect(state).toContain('(job #12) · not followed any more');
    expect(labels).toEqual(['Refresh', 'Details', 'Claim']);
    expect(buttons[0]).toMatchObject({ action_id: 'job_refresh', value: '12' });
  });

  it('has become a proposal, with Proposal', () => {
    const { buttons, labels } = shown(bidding({}, job({ proposal: linked() })));
    expect(labels).toEqual(['Proposal', 'Details', 'Claim']);
    expect(buttons[0]).toMatchObject({ action_id: 'proposal_show', value: '12' });
  });

  it('was skipped by the marketplace, with Try again', () => {
    const { state, labels, primary, buttons } = shown(
      bidding({ state: 'skipped' }, job({ status: 'skipped', reason: 'Only for the US' })),
    );
    expect(state).toBe(`:no_entry_sign: ${who}: skipped: Only for the US (job #12)`);
    expect(labels).toEqual(['Try again', 'Details', 'Claim']);
    expect(primary).toEqual(['Try again']);
    expect(buttons[0]).toMatchObject({ action_id: 'bid_open', value: '7:0123456789' });
  });

  it('was refused, with the job in its way and Try again', () => {
    const refusal = { code: 'bad-request', serverMessage: 'A job exists already' };
    const { state, labels } = shown(bidding({ state: 'refused', refusal, job: JOB }));
    expect(state).toBe(`:no_entry_sign: ${who}: refused: “A job exists already” · in its way: job #12`);
    expect(labels).toEqual(['Try again', 'Details', 'Claim']);
    const known = shown(bidding({ state: 'refused', refusal }, job(WAITING)));
    expect(known.state).toContain('in its way: waiting for review (job #12)');
    expect(known.labels).toEqual(['Approve', 'Try again', 'Details', 'Claim']);
    expect(known.primary).toEqual(['Approve']);
  });

  it('was refused without words, in ours', () => {
    expect(shown(bidding({ state: 'refused', refusal: { code: 'unauthorised' } })).state).toContain(
      'refused: the marketplace refuses our API token',
    );
  });

  it('had no answer, with Check before Try again', () => {
    const { state, labels, primary, buttons } = shown(bidding({ state: 'unknown' }));
    expect(state).toBe(`:grey_question: ${who}: no answer came: it is not known whether the job exists`);
    expect(labels).toEqual(['Check', 'Try again', 'Details', 'Claim']);
    expect(primary).toEqual(['Check']);
    expect(buttons[0]).toMatchObject({ action_id: 'bid_check', value: '7:0123456789' });
  });
});

describe('a card with a job whose approval went without an answer', () => {
  const of = (change: object) =>
    shown(bidding({}, job({ ...WAITING, approval: approval({ state: 'unknown', ...change }) })));

  it('offers no other while it is being read', () => {
    const { state, labels } = of({});
    expect(state).toContain(`no answer came to <@${BEN}>'s approval; how the job stands is being read`);
    expect(labels).not.toContain('Approve');
  });

  it('offers one where it can’t be read, says so, and what came of the last', () => {
    const { state, labels, buttons } = of({ mayRepeat: true, refusal: { code: 'forbidden' } });
    expect(state).toContain(
      `no answer came to <@${BEN}>'s approval; another was refused: our API token lacks the permission; how the job stands could not be read since`,
    );
    expect(labels[0]).toBe('Approve');
    expect(JSON.stringify(buttons[0])).toContain("The earlier approval's outcome is unknown");
  });
});

describe('a card with a bid that came to nothing after an attempt without an answer', () => {
  const who = `Bid by <@${ANA}> with Night shift`;
  const doubt = 'an earlier attempt has an unknown outcome: its job may exist';

  it.each([
    [{ state: 'refused', refusal: { code: 'forbidden' } }, 'refused: our API token lacks the permission'],
    [{ state: 'skipped' }, 'skipped'],
  ] as const)('tells both of %j, and offers Check first', (change, words) => {
    const { state, labels, primary } = shown(bidding({ ...change, attempt: 2, doubtSince: NOW - 9 }));
    expect(state).toBe(`:grey_question: ${who}: ${words} · ${doubt}`);
    expect(labels).toEqual(['Check', 'Try again', 'Details', 'Claim']);
    expect(primary).toEqual(['Check']);
  });

  it('says nothing of it once the bid is a job', () => {
    expect(shown(bidding({ doubtSince: NOW - 9 }, job())).state).not.toContain('no answer');
  });
});

describe('a card with a bid that another job stands in the way of', () => {
  it('names that job, and says how it stands once', () => {
    const own = { bid: bid({ job: JOB }), job: job({ proposal: linked() }) };
    const refusal = { code: 'bad-request', serverMessage: 'A job exists already' };
    const late = {
      bid: bid({ id: BidId.parse('8:1'), setupName: 'Day', state: 'refused', refusal, at: NOW + 1 }),
    };
    const { state } = shown({ bids: [own, { ...late, job: job({ proposal: linked() }) }], others: [] });
    expect(state.split('\n')[1]).toBe(
      `:no_entry_sign: Bid by <@${ANA}> with Day: refused: “A job exists already” · in its way: job #12`,
    );
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
      const { state, labels, primary } = shown({ bids, others: [] });
      expect(state.split('\n').map((each) => /with (\w+)/u.exec(each)?.[1])).toEqual(['Day', 'Night']);
      expect(labels).toEqual(['Approve', 'Check', 'Details', 'Claim']);
      expect(primary).toEqual(['Approve']);
    }
  });

  it('tells five and counts those before', () => {
    const bids = [1, 2, 3, 4, 5, 6, 7].map((n) => ({
      bid: bid({ id: BidId.parse(`${n}:1`), setupName: `Setup ${n}`, at: NOW + n, state: 'refused' }),
    }));
    const { state } = shown({ bids, others: [] });
    expect(state.split('\n')).toHaveLength(6);
    expect(state).toContain('…and 2 earlier bids');
    expect(state).not.toContain('Setup 2');
    expect(state.split('\n').at(-1)).toContain('Setup 7');
  });

  it('tells a job from elsewhere too, but not twice', () => {
    const other = foreignJob(WAITING);
    const { state, labels } = shown({ bids: [], others: [other] });
    expect(state).toBe(':dart: Job, not bid from here: waiting for review (job #13)');
    expect(labels).toEqual(['Approve', 'Bid', 'Details', 'Claim']);
    const refused = bidding({ state: 'refused', refusal: { code: 'bad-request' } }, other);
    expect(shown({ ...refused, others: [other] }).state.match(/job #13/gu)).toHaveLength(1);
  });
});

describe('Approve against the AI', () => {
  const verdict = { decision: 'Disqualified', reason: `Wrong stack. ${'x'.repeat(400)} End.`, other: {} };

  it.each(['full', 'compact'] as const)('says so in the question, and why on a %s card', (density) => {
    const { buttons, all } = shown(bidding({}, job(WAITING)), { density, project: { verdict } });
    expect(buttons[0]?.confirm?.title?.text).toBe('Approve job #12 after all?');
    expect(buttons[0]?.confirm?.text?.text).toContain(
      "with Night shift, which spends connects. This overrides the AI's disqualification: Wrong stack.",
    );
    expect(all).toContain('The AI disqualified this project: Wrong stack.');
    expect(all).toContain('End.');
  });

  it('keeps the warning where the title is long', () => {
    const { buttons } = shown(bidding({ title: 't'.repeat(900) }, job(WAITING)), {
      project: { verdict, title: 't'.repeat(900) },
    });
    expect(buttons[0]?.confirm?.text?.text).toContain("This overrides the AI's disqualification: Wrong");
  });

  it('takes the reason of the status where the list told no verdict', () => {
    const reason = 'AI disqualified: budget too low';
    const { buttons } = shown(bidding({}, job({ ...WAITING, reason })));
    expect(buttons[0]?.confirm?.text?.text).toContain(`overrides the AI's disqualification: ${reason}`);
  });

  it('says nothing of the AI where it was for the project', () => {
    const qualified = { decision: 'qualified', reason: 'Fits', other: {} };
    const { buttons, all } = shown(bidding({}, job(WAITING)), { project: { verdict: qualified } });
    expect(buttons[0]?.confirm?.text?.text).not.toContain('AI');
    expect(all).not.toContain('The AI disqualified');
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
    expect(shown(bidding({}, job({ id }))).state).toContain(`job #${id}`);
  });
});
