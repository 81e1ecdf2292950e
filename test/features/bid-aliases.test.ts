/** The app treats a uid and a `~id` as one project as soon as the marketplace shows that they match. */
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { bidsMissingFromFormText } from '../../src/slack/bids/bid-outcome.ts';
import { invalidProjectReferenceMessage } from '../../src/slack/kit/project/project-lines.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { type BidAtHand, begin } from './begin-bid.ts';
import { CREATE, OTHER_SETUP, SETUP } from './bidder.ts';
import { type World, wordsOf } from './world.ts';

const PROFILE = 31;

interface Played {
  readonly bid: BidAtHand;
  readonly world: World;
}

/** Ada and ben may bid with two setups. */
async function play(): Promise<Played> {
  const { bid, world } = await begin();
  world.marketplace.addSetup({ id: OTHER_SETUP, name: 'Slow setup', status: 'active' });
  await world.pass(6 * MINUTE);
  await world.gig('web', 'setups');
  return { bid, world };
}

async function openByUid({ bid, world }: Played, user = 'ben', channel = 'web'): Promise<void> {
  await world.gig(channel, `bid ${bid.project.uid}`, user);
  await world.pass(SECOND);
}

async function lookUp({ bid, world }: Played): Promise<void> {
  await world.gig('web', `lookup ${bid.project.uid}`);
  await world.pass(2 * SECOND);
}

describe('a bid by uid', () => {
  it('that was created stands on the card, and takes its setup in the form of the card', async () => {
    const played = await play();
    const { bid, world } = played;
    await openByUid(played);
    await bid.submit();
    expect(bid.creates()[0]?.body).toMatchObject({ marketplace_job_id: bid.project.uid });
    expect(bid.cardWords()).toContain(`#${bid.job().id}`);
    await world.gig('web', `bid ${bid.project.ciphertext} ${SETUP}`);
    const answer = await bid.submit('ada');
    expect(JSON.stringify(answer.errors)).toContain(String(bid.job().id));
    expect(bid.creates()).toHaveLength(1);
  });

  it('without an answer joins the card’s project after a lookup: no setup bids twice unseen', async () => {
    const played = await play();
    const { bid, world } = played;
    await bid.open('ada');
    world.marketplace.injectFault(CREATE, { kind: 'drop', when: 'after' });
    await openByUid(played);
    await bid.submit();
    expect(bid.cardLines()).toBe('');
    await lookUp(played);
    expect(bid.cardWords()).toMatch(bid.bidBy('ben', 'Fast setup'));
    expect(await bid.states()).toEqual(['unknown']);
    expect(bid.cardLines()).toMatchSnapshot();
    await bid.submit('ada');
    expect(bid.creates()).toHaveLength(1);
    expect(bid.screenAsRead('ada')).toMatchSnapshot();
    expect(findPressable(bid.view('ada'), 'Open Again')).toBeDefined();
    await world.gig('web', `job ${bid.job().id}`, 'ben');
    await world.pass(10 * SECOND);
    expect(bid.cardWords()).toMatch(new RegExp(`Fast setup.*#${bid.job().id}`, 'u'));
    expect(bid.creates()).toHaveLength(1);
  });

  it('that is answered with the uid is linked by a lookup alone', async () => {
    const played = await play();
    const { bid, world } = played;
    world.marketplace.setModes({ echoedJobIds: true });
    await openByUid(played);
    await bid.submit();
    expect(bid.cardLines()).toBe('');
    await lookUp(played);
    expect(bid.cardWords()).toContain(`#${bid.job().id}`);
    await bid.press('Bid with another setup', 'ada');
    await world.pass(2 * SECOND);
    expect(bid.screen('ada')).toMatch(bid.bidBy('ben', 'Fast setup'));
  });

  it('is news to a form of the card with another setup', async () => {
    const played = await play();
    const { bid } = played;
    await bid.open('ada');
    await openByUid(played);
    await bid.submit();
    await bid.submit('ada', { setup: String(OTHER_SETUP) });
    expect(bid.creates()).toHaveLength(1);
    expect(bid.screen('ada')).toContain(bidsMissingFromFormText(1));
    expect(bid.screen('ada')).toMatch(bid.bidBy('ben', 'Fast setup'));
    await bid.submit('ada', { setup: String(OTHER_SETUP) });
    expect(bid.creates()).toHaveLength(2);
  });
});

describe('bids under both keys', () => {
  it('that were claimed before the keys were linked stay, and all of them are seen', async () => {
    const played = await play();
    const { bid, world } = played;
    world.marketplace.injectFault(CREATE, { kind: 'drop', when: 'before' }, 2);
    await openByUid(played);
    await bid.submit();
    await bid.open('ada');
    await bid.submit('ada');
    expect(bid.creates()).toHaveLength(2);
    await lookUp(played);
    await world.gig('data', `bid ${bid.project.ciphertext}`, 'ada');
    const screen = bid.screen('ada');
    for (const user of ['ada', 'ben']) expect(screen).toMatch(bid.bidBy(user, 'Fast setup'));
    expect(await bid.states()).toEqual(['unknown', 'unknown']);
    await bid.submit('ada');
    expect(bid.creates()).toHaveLength(3);
    const words = bid.cardWords();
    for (const user of ['ada', 'ben']) expect(words).toMatch(bid.bidBy(user, 'Fast setup'));
    expect(words).toContain(`#${bid.job().id}`);
  });

  it('survive a crash with their link', async () => {
    const played = await play();
    const { bid, world } = played;
    await openByUid(played);
    await bid.submit();
    await world.crash();
    await world.restart();
    await world.pass(MINUTE);
    await world.gig('data', `bid ${bid.project.ciphertext} ${SETUP}`);
    const answer = await bid.submit('ada');
    expect(JSON.stringify(answer.errors)).toContain(String(bid.job().id));
    expect(bid.creates()).toHaveLength(1);
  });
});

it('a form goes on with what was typed under the other key', async () => {
  const played = await play();
  const { bid, world } = played;
  await openByUid(played);
  await bid.submit('ben', { cover_letter: 'Kept letter', bid_amount: '4' });
  await world.slack.closeView({ user: 'ben' });
  await lookUp(played);
  await bid.press('Bid');
  await world.pass(2 * SECOND);
  expect(bid.screen()).toContain('Kept letter');
  await bid.submit('ben', { bid_amount: '250' });
  expect(bid.job().coverLetter).toBe('Kept letter');
});

it('an invitation by uid shows the bid that was made on the card', async () => {
  const played = await play();
  const { bid, world } = played;
  world.marketplace.addProfile({ id: PROFILE, label: 'Ana Webb', type: 'freelancer' });
  await world.gig('data', `subscribe invitations ${PROFILE}`);
  await world.pass(MINUTE);
  world.marketplace.addInvitation({ profileId: PROFILE, title: 'Join', jobPostingUid: bid.project.uid });
  await world.pass(4 * MINUTE);
  const invitation = () => {
    const found = world.slack.messages('data').find((it) => wordsOf(it).includes('Join'));
    return found ?? expect.fail('no invitation');
  };
  await bid.open();
  await bid.submit();
  expect(wordsOf(invitation())).not.toContain('<@');
  await lookUp(played);
  expect(wordsOf(invitation())).toContain(`#${bid.job().id}`);
  await openByUid(played, 'ada', 'data');
  const answer = await bid.submit('ada');
  expect(JSON.stringify(answer.errors)).toContain(String(bid.job().id));
});

it('a uid need not be digits', async () => {
  const { bid, world } = await play();
  const project = world.marketplace.publishProject(101, { uid: 'ab_9-Xy', ciphertext: '~0212345678901' });
  expect(await world.gig('web', 'lookup ab_9-Xy')).toContain(project.title);
  await world.gig('web', 'bid ab_9-Xy', 'ben');
  await bid.submit();
  expect(bid.job().marketplaceJobId).toBe('~0212345678901');
  for (const bad of ['../x9', 'a/b9', 'a?b=9', 'a&b9', '-9', 'no digits', `a${'9'.repeat(100)}`])
    expect(await world.gig('web', `lookup ${bad}`)).toContain(
      invalidProjectReferenceMessage(bad, 'lookup ~012345678901234567').text,
    );
});
