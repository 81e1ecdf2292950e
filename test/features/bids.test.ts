/** From a card to a proposal: a bid is sent as it was filled in, and each change is told once. */
import { expect } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { offering } from '../kit/read-screen.ts';
import { FAST_SETUP, PATHS, SHOP, sendBid } from '../kit/start-desk.ts';

const [QUESTION = ''] = SHOP.clientQuestions ?? [];

appTest('a bid arrives exactly as it was filled in, and the card says who bid', async ({ market, ben }) => {
  const published = market.publish();
  const card = await published.cardIn('web');
  const letter = '  Dear client,\r\n\n\u{1F44B} we have built 12 shops. ';
  const answer = await sendBid(ben, card, {
    'Fixed-price bid': '1,500',
    Boost: '12',
    'Cover letter': letter,
    [QUESTION]: 'Twelve shops <in React> & more',
  });
  expect(market.requests(PATHS.bid).map((it) => it.body)).toEqual([
    {
      setup_id: FAST_SETUP.id,
      marketplace_job_id: published.project.ciphertext,
      bid_amount: 1500,
      boost_bid_amount: 12,
      cover_letter: letter,
      answers: [{ question: QUESTION, answer: 'Twelve shops <in React> & more' }],
    },
  ]);
  const id = `#${market.jobs[0]?.id}`;
  expect(answer.text).toContain(id);
  expect(card.text).toMatch(new RegExp(`@ben with Fast setup: .*${id}`, 'u'));
  expect(card.replies().map((it) => it.text)).toEqual([expect.stringContaining(id)]);
  expect((await ben.press(card, 'Bid with another setup')).text).not.toContain('Restored your draft');
});

appTest('a bid is followed to its proposal, through a kill', async ({ desk, market, ada, ben, pass }) => {
  const card = await market.publish().cardIn('web');
  await sendBid(ben, card);
  const { id } = market.jobs[0] ?? expect.fail('no job');
  await (await ada.type('/gig list 101')).press('Unsubscribe');
  const profile = market.service.addProfile();
  const proposal = market.service.addProposal({
    profileId: profile.id,
    applicationUid: '987654321',
    connects: 16,
    boost: 10,
    submissionPosition: 3,
  });
  await pass(2 * MINUTE);
  market.service.updateJob(id, { status: 'processing' });
  await desk.restart();
  await pass(20 * MINUTE);
  market.service.updateJob(id, { status: 'completed', applicationUid: proposal.applicationUid });
  await desk.restart();
  await pass(HOUR);
  const told = card.replies().map((it) => it.text);
  expect(told).toEqual([
    expect.stringContaining('was created'),
    expect.stringMatching(/bidding/iu),
    expect.stringContaining(proposal.applicationUid),
    expect.stringContaining('16 connects'),
  ]);
  expect(card.text).toMatch(/16 connects/u);
  const asked = market.requests(PATHS.bidStatus).length;
  await pass(3 * HOUR);
  expect(market.requests(PATHS.bidStatus)).toHaveLength(asked);
  expect((await ben.press(card, 'Proposal')).text).toContain('16 connects');
});

appTest('readings of a job that make no sense end nothing', async ({ market, ben, pass }) => {
  const card = await market.publish().cardIn('web');
  await sendBid(ben, card);
  const { id } = market.jobs[0] ?? expect.fail('no job');
  const other = { id: id + 1, status: 'completed', processed_at: '2026-01-01' };
  const zeros = { id, status: 'scheduled', error_message: 0, processed_at: 0 };
  for (const effect of [
    presetFaults.wrongJson({ success: true, job: other }),
    presetFaults.wrongJson({ success: true, job: zeros }),
    presetFaults.html(200),
  ]) {
    market.fail(PATHS.bidStatus, effect);
    await ben.type(`/gig job ${id}`);
  }
  expect(card.replies()).toHaveLength(1);
  const strange = { id, status: 'on_the_moon', status_title: '' };
  market.fail(PATHS.bidStatus, presetFaults.wrongJson({ success: true, job: strange }));
  await ben.type(`/gig job ${id}`);
  expect(card.replies().at(-1)?.text).toContain('on_the_moon');
  market.service.updateJob(id, { status: 'failed', errorMessage: 'Out of connects' });
  await pass(20 * MINUTE);
  expect(card.replies().at(-1)?.text).toContain('Out of connects');
});

appTestWith({ reviews: true })(
  'approvers read that the AI had disqualified the project',
  async ({ market, ada, ben, pass }) => {
    market.service.addFilter({ id: 102, name: 'Judged', qualifier: true });
    await ada.type('/gig subscribe filter 102');
    const published = market.publish({ ...SHOP, title: 'A doubtful job' }, 102);
    const verdict = { decision: 'disqualified', reason: 'The client never hires' } as const;
    market.service.setVerdict(published.project.id, verdict);
    const card = await published.cardIn('web');
    await pass(MINUTE);
    await sendBid(ben, card, { 'Cover letter': 'Dear client' });
    await pass(2 * MINUTE);
    const request = offering(card, 'Approve');
    expect(request.text).toContain('The client never hires');
    await ben.press(request, 'Approve');
    expect(market.requests(PATHS.approve)).toHaveLength(1);
  },
);
