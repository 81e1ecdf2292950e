/** From a card to a proposal: a bid, its approval and its result, as people see them in Slack. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { begin } from './begin-bid.ts';
import { cardOf, OTHER_SETUP, openBid, press, SETUP, threadOf } from './bidder.ts';
import { unsubscribe } from './buttons.ts';
import { wordsOf } from './world.ts';

const LETTER = '  Dear client,\r\n\n\u{1F44B} we have built 12 shops. ';

describe('a bid', () => {
  it('reaches the marketplace exactly as it was filled in, and the card says who bid', async () => {
    const { bid, world } = await begin();
    await bid.open();
    const answer = await bid.submit('ben', {
      bid_amount: '1,500',
      boost: '12',
      cover_letter: LETTER,
      answer_0: 'Twelve shops <in React> & more',
    });
    expect(answer).toMatchObject({ acked: true, action: 'update' });
    expect(bid.creates().map((it) => it.body)).toEqual([
      {
        setup_id: SETUP,
        marketplace_job_id: bid.project.ciphertext,
        bid_amount: 1500,
        boost_bid_amount: 12,
        cover_letter: LETTER,
        answers: [{ question: 'Which shops have you built?', answer: 'Twelve shops <in React> & more' }],
      },
    ]);
    const job = bid.job();
    expect(bid.screen()).toContain(`#${job.id}`);
    const card = bid.card();
    const ben = world.slack.user('ben').id;
    expect(wordsOf(card)).toContain(`<@${ben}>`);
    expect(wordsOf(card)).toContain('Fast setup');
    expect(findPressable(card, 'Bid')).toMatchObject({ kind: 'option' });
    expect(threadOf(world, card)).toHaveLength(1);
    expect(threadOf(world, card)[0]).toContain(`#${job.id}`);
  });

  it('is followed to its proposal, each change told once, on the card and in its thread', async () => {
    const { bid, world } = await begin();
    await bid.open();
    await bid.submit();
    const { id } = bid.job();
    await unsubscribe(world, 'web', '101');
    const profile = world.marketplace.addProfile();
    const proposal = world.marketplace.addProposal({
      profileId: profile.id,
      applicationUid: '987654321',
      connects: 16,
      boost: 10,
      submissionPosition: 3,
    });
    await world.pass(2 * MINUTE);
    world.marketplace.updateJob(id, { status: 'processing' });
    await world.pass(20 * MINUTE);
    world.marketplace.updateJob(id, { status: 'completed', applicationUid: proposal.applicationUid });
    await world.pass(HOUR);
    const told = bid.thread();
    expect(told).toHaveLength(4);
    expect(bid.threadAsRead()).toMatchSnapshot();
    expect(told[2]).toContain(proposal.applicationUid);
    expect(told[3]).toMatch(/16 connects/u);
    expect(bid.cardWords()).toMatch(/16 connects/u);
    const asked = world.marketplace.requests().length;
    await world.pass(3 * HOUR);
    const later = world.marketplace.requests().slice(asked);
    expect(later.filter((it) => it.path.endsWith('/status'))).toEqual([]);
    await bid.press('Proposal');
    await world.pass(SECOND);
    expect(bid.toldAsRead()).toMatchSnapshot();
  });

  it('awaiting review is approved with a press, and says who pressed and who the API names', async () => {
    const { bid, world } = await begin({ reviews: true });
    await bid.open();
    await bid.submit('ben', { cover_letter: 'Dear client' });
    await world.pass(2 * SECOND);
    const request = bid.request();
    const denied = await press(world, 'Approve', { message: request }, 'ada', 'deny');
    expect(denied.sent).toBe(false);
    expect(denied.confirm?.text).toContain('Rebuild our checkout');
    await press(world, 'Approve', { message: request }, 'ada');
    await world.pass(5 * SECOND);
    expect(bid.job().status).toBe('scheduled');
    expect(bid.approvals()).toHaveLength(1);
    const told = bid.thread().join('\n');
    expect(told).toContain(`<@${world.slack.user('ada').id}>`);
    expect(findPressable(bid.card(), 'Review')).toBeUndefined();
  });

  it('says before approving that the AI had disqualified the project, and why', async () => {
    const { bid, world } = await begin();
    const filter = world.marketplace.addFilter({ id: 102, name: 'Judged', qualifier: true });
    world.marketplace.addSetup({
      id: OTHER_SETUP,
      name: 'Judged setup',
      filter: { id: 102, name: 'Judged' },
    });
    await world.gig('web', 'subscribe filter 102');
    await world.pass(20 * SECOND);
    const project = world.marketplace.publishProject(filter.id, {
      title: 'A doubtful job',
      clientQuestions: [],
    });
    world.marketplace.setVerdict(project.id, { decision: 'disqualified', reason: 'The client never hires' });
    await world.until('its card', () => world.told('web').includes(project.ciphertext), 5 * MINUTE);
    await world.pass(MINUTE);
    expect(await world.gig('web', 'setups', 'ben')).toContain('Judged setup');
    await openBid(world, project);
    await bid.submit('ben', { setup: String(OTHER_SETUP), cover_letter: 'Dear client' });
    await world.pass(2 * MINUTE);
    const [, request] = world.slack.thread('web', cardOf(world, project).ts).slice(1);
    if (!request) return expect.fail('nobody is asked to approve it');
    const answer = await press(world, 'Approve', { message: request });
    expect(answer.confirm?.text).toMatchSnapshot();
    expect(answer.confirm?.text).toContain('The client never hires');
    await world.pass(5 * SECOND);
    expect(threadOf(world, cardOf(world, project)).join('\n')).toContain('The client never hires');
  });
});
