/** Presses on the App Home, and their effects there and in the channel. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { DRAFT_DISCARDED, HOME_ITEM_OUTDATED_NOTICE } from '../../src/slack/home/create-home-action.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { asRead, refusalFor } from './as-read.ts';
import { BidAtHand } from './begin-bid.ts';
import { approvals, grant, SETUP, startBidWorld } from './bidder.ts';
import { buttonsOf } from './buttons.ts';
import { HomeAtHand } from './home-desk.ts';
import { submit } from './template-play.ts';
import { type World, wordsOf } from './world.ts';

let world: World;
let bid: BidAtHand;
let home: HomeAtHand;

/** Ada is an admin, ben is a bidder, vic has no role. */
async function start(reviews = false): Promise<void> {
  const begun = await startBidWorld({ reviews });
  world = begun.world;
  bid = new BidAtHand(begun);
  home = new HomeAtHand(world);
  world.slack.addUser({ name: 'vic' });
  world.slack.invite('web', 'vic');
}

afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

/** The channel's last message outside threads. */
const told = () => wordsOf(world.slack.messages('web').at(-1) ?? expect.fail('nothing was told'));
/** The Home's line with the result of a press. */
const firstLine = (user: string) => home.words(user).split('\n')[0] ?? '';
const dms = (user: string) => world.slack.directMessages(user).map(wordsOf).join('\n');

/** Opens Review on the Home, and approves there. */
async function approve(user: string): Promise<void> {
  await home.press(user, 'Review');
  await world.slack.submitView({ user, values: {} });
  await world.pass(5 * SECOND);
}

describe('approving on a Home', () => {
  beforeEach(async () => {
    await start(true);
    await bid.open();
    await bid.submit();
    await world.pass(2 * SECOND);
  });

  it('asks first, approves once, and is told on the Home, on the card and in its thread', async () => {
    expect(await home.open('ben')).toMatchSnapshot();
    expect(home.offers('ben', actionIds.homeReview)).toBe(true);
    const old = home.view('ben');
    await home.open('ada');
    await approve('ada');
    expect(approvals(world)).toHaveLength(1);
    expect(bid.screenAsRead('ada')).toContain(`#${bid.job().id}`);
    expect(bid.screenAsRead('ada')).toContain('@ada');
    expect(bid.screenAsRead('ada')).toMatchSnapshot();
    expect(home.offers('ada', actionIds.homeReview)).toBe(false);
    expect(bid.cardLines()).toContain('@ada');
    expect(bid.cardLines()).toMatchSnapshot();
    expect(bid.thread().at(-1)).toContain(`<@${world.slack.user('ada').id}>`);
    await home.pressOn(old, 'ben', 'Review');
    expect(approvals(world)).toHaveLength(1);
    expect(bid.screenAsRead('ben')).toContain('@ada');
    expect(bid.screenAsRead('ben')).toMatchSnapshot();
    expect(dms('ben')).toBe('');
  });

  it('says before that it overrules the AI, with its reason', async () => {
    const job = bid.job();
    world.marketplace.updateJob(job.id, { reason: 'Disqualified: wrong stack' });
    await world.pass(60 * SECOND);
    await world.gig('web', `job ${job.id}`);
    const words = await home.open('ben');
    expect(words).toContain('Disqualified: wrong stack');
    expect(words).toMatchSnapshot();
    await home.press('ben', 'Review');
    expect(bid.screen()).toContain("overrides the AI's disqualification: Disqualified: wrong stack");
  });

  it('is offered only to bidders of that channel, and refused to others who press anyway', async () => {
    await home.open('ben');
    await home.open('vic');
    expect(home.offers('vic', actionIds.homeReview)).toBe(false);
    await home.pressOn({ ...home.view('ben'), id: home.view('vic').id }, 'vic', 'Review');
    expect(home.words('vic')).toContain(asRead(world, refusalFor('bidder')));
    expect(approvals(world)).toEqual([]);
  });

  it('tells of a marketplace that fails', async () => {
    await home.open('ben');
    world.marketplace.injectFault(
      { method: 'POST' },
      { kind: 'answer', status: 403, json: { error: 'Not you' } },
    );
    await approve('ben');
    expect(bid.screen()).toContain(`#${bid.job().id}`);
    expect(bid.screenAsRead()).toMatchSnapshot();
    expect(home.offers('ben', actionIds.homeReview)).toBe(true);
  });
});

describe('claims and drafts on a Home', () => {
  beforeEach(() => start());

  it('are the own ones alone: released there, the card is free', async () => {
    await bid.press('Claim');
    await world.pass(2 * SECOND);
    await home.open('vic');
    expect(home.offers('vic', actionIds.homeRelease)).toBe(false);
    expect(await home.open('ben')).toMatchSnapshot();
    expect(home.offers('ben', actionIds.homeRelease)).toBe(true);
    const old = home.view('ben');
    await home.press('ben', 'Release');
    expect(home.offers('ben', actionIds.homeRelease)).toBe(false);
    expect(bid.cardLines()).toBe('');
    await bid.press('Claim', 'vic');
    await world.pass(2 * SECOND);
    await home.pressOn(old, 'ben', 'Release');
    expect(home.words('ben')).toContain('@vic');
    expect(bid.cardLines()).toContain('@vic');
  });

  it('of invitations stand there, too', async () => {
    const { marketplace } = world;
    const { id } = marketplace.addProfile({});
    marketplace.addInvitation({ profileId: id, title: 'Older' });
    await world.gig('web', `subscribe invitations ${id}`);
    await world.pass(60 * SECOND);
    marketplace.addInvitation({ profileId: id, title: 'Come and build' });
    await world.until('the invitation', () => told().includes('Come and build'), 600 * SECOND);
    const card = world.slack.messages('web').at(-1) ?? expect.fail('no card');
    await world.slack.press({ message: card, user: 'ben', actionId: 'invitation_claim' });
    await world.pass(2 * SECOND);
    expect(await home.open('ben')).toContain('Come and build');
    await home.press('ben', 'Release');
    expect(home.words('ben')).not.toContain('Come and build');
    expect(told()).not.toContain('<@');
  });

  it('of bids go on with what was typed, and are discarded', async () => {
    await bid.open();
    await world.slack.submitView({
      user: 'ben',
      values: { setup: String(SETUP), bid_amount: '3', cover_letter: 'Dear' },
    });
    await world.pass(2 * SECOND);
    await world.slack.closeView({ user: 'ben' });
    await home.open('vic');
    expect(home.offers('vic', actionIds.homeBidResume)).toBe(false);
    expect(await home.open('ben')).toMatchSnapshot();
    await home.press('ben', 'Continue', actionIds.homeBidResume);
    expect(bid.screen()).toContain('Dear');
    await world.slack.closeView({ user: 'ben' });
    const old = home.view('ben');
    await home.press('ben', 'Discard', actionIds.homeBidDiscard);
    expect(home.words('ben')).toContain(DRAFT_DISCARDED);
    expect(home.offers('ben', actionIds.homeBidResume)).toBe(false);
    await home.pressOn(old, 'ben', 'Continue', actionIds.homeBidResume);
    expect(home.words('ben')).toContain(HOME_ITEM_OUTDATED_NOTICE);
  });

  it('show only where something was typed', async () => {
    await bid.open();
    await world.slack.closeView({ user: 'ben' });
    await world.gig('web', 'template new', 'ben');
    await world.slack.closeView({ user: 'ben' });
    await home.open('ben');
    for (const id of [actionIds.homeBidResume, actionIds.homeTemplateResume])
      expect(home.offers('ben', id)).toBe(false);
  });

  it('of templates, too', async () => {
    await world.gig('web', 'template new', 'ben');
    await submit(world, { name: 'Shop letter', 'sender.organizationId': '7' });
    await world.slack.closeView({ user: 'ben' });
    expect(await home.open('ben')).toMatchSnapshot();
    await home.press('ben', 'Continue', actionIds.homeTemplateResume);
    expect(world.slack.view('ben')?.callbackId).toBe('template');
    await world.slack.closeView({ user: 'ben' });
    await home.press('ben', 'Discard', actionIds.homeTemplateDiscard);
    expect(firstLine('ben')).toMatchSnapshot();
    expect(home.offers('ben', actionIds.homeTemplateResume)).toBe(false);
  });
});

describe('a channel on a Home', () => {
  beforeEach(() => start());

  it('is paused and resumed by admins, and hears of it', async () => {
    await home.open('ada');
    await home.press('ada', 'Pause', 'web');
    expect(told()).toContain(`<@${world.slack.user('ada').id}>`);
    expect(asRead(world, told())).toMatchSnapshot();
    expect(home.words('ada')).toMatch(/:double_vertical_bar: .*@ada/u);
    await home.press('ada', 'Resume', 'web');
    expect(asRead(world, told())).toMatchSnapshot();
    expect(home.words('ada')).not.toContain(':double_vertical_bar:');
    expect(dms('ada')).toBe('');
  });

  it('gets its budget in a small window, where a mistake stands at its field', async () => {
    await home.open('ada');
    await home.press('ada', 'Set Budget');
    const wrong = await world.slack.submitView({ user: 'ada', values: { budget: 'plenty' } });
    expect(Object.keys(wrong.errors)).toEqual(['budget']);
    expect(wrong.errors).toMatchSnapshot();
    await world.slack.submitView({ user: 'ada', values: { budget: '40' } });
    await world.pass(2 * SECOND);
    expect(told()).toMatch(/\b40\b/u);
    expect(asRead(world, told())).toMatchSnapshot();
    expect(home.words('ada')).toMatch(/\b1 of 40\b/u);
    expect(await world.gig('web', 'budget')).toMatch(/\b1 of 40\b/u);
  });

  it('offers to others what they may do, and refuses the rest', async () => {
    await home.open('ada');
    await home.open('vic');
    expect(home.offers('vic', actionIds.homeSettings)).toBe(true);
    for (const id of [actionIds.homePause, actionIds.homeBudget]) expect(home.offers('vic', id)).toBe(false);
    for (const label of ['Pause', 'Set Budget']) {
      await home.pressOn({ ...home.view('ada'), id: home.view('vic').id }, 'vic', label);
      expect(home.words('vic')).toContain(asRead(world, refusalFor('admin')));
    }
    expect(world.slack.view('vic')).toBeUndefined();
    expect(await world.gig('web', 'list')).toContain(':large_green_circle:');
    await home.press('vic', 'Settings');
    expect(world.slack.view('vic')?.title).toBeTruthy();
  });

  it('shows to an admin of that channel alone what an admin of it may do', async () => {
    world.marketplace.addFilter({ id: 102, name: 'Anything' });
    await world.gig('data', 'subscribe filter 102');
    world.slack.invite('data', 'vic');
    await grant(world, ['vic'], 'data');
    await world.gig('data', 'access');
    const field = world.slack.view('ada')?.blocks.find((it) => it.block_id.startsWith('admins:'))?.block_id;
    await world.slack.submitView({
      user: 'ada',
      values: { [field ?? '']: [world.slack.user('vic').id] },
    });
    await world.pass(2 * SECOND);
    const words = await home.open('vic');
    const [own, ...others] = buttonsOf(home.view('vic'), actionIds.homeBudget);
    expect(others).toEqual([]);
    expect(own?.value).toContain(world.slack.channel('data').id);
    expect(words.indexOf(`[${own?.label}]`)).toBeLessThan(words.indexOf('*#web*'));
  });

  it('loses a subscription, which it hears of; a second press finds that it is gone', async () => {
    await home.open('vic');
    const old = home.view('vic');
    await home.press('vic', 'Unsubscribe');
    expect(told()).toContain('“React work” (101)');
    expect(asRead(world, told())).toMatchSnapshot();
    expect(home.words('vic')).toMatchSnapshot();
    expect(home.offers('vic', actionIds.homeUnsubscribe)).toBe(false);
    await home.pressOn(old, 'vic', 'Unsubscribe');
    expect(home.words('vic')).toContain(HOME_ITEM_OUTDATED_NOTICE);
  });

  it('loses what it follows of a profile, which it hears of', async () => {
    const { id } = world.marketplace.addProfile({});
    world.marketplace.addInvitation({ profileId: id });
    await world.gig('web', `subscribe invitations ${id}`);
    await home.open('vic');
    expect(home.offers('vic', actionIds.homeFeedEnd)).toBe(true);
    const old = home.view('vic');
    await home.press('vic', 'Unsubscribe', actionIds.homeFeedEnd);
    expect(told()).toContain(`<@${world.slack.user('vic').id}>`);
    expect(asRead(world, told())).toMatchSnapshot();
    expect(home.offers('vic', actionIds.homeFeedEnd)).toBe(false);
    expect(home.words('vic')).toContain('“React work” (101)');
    await home.pressOn(old, 'vic', 'Unsubscribe', actionIds.homeFeedEnd);
    expect(home.words('vic')).toContain(HOME_ITEM_OUTDATED_NOTICE);
  });

  it('gets a digest at once, and its Home says when the next one comes', async () => {
    await world.gig('web', 'digest at 09:00 Europe/Berlin daily');
    expect(await home.open('vic')).toContain('Jan 6, 2026, 8:00 AM UTC');
    const before = world.slack.messages('web').length;
    await home.press('vic', 'Post Digest');
    expect(firstLine('vic')).toMatchSnapshot();
    await world.until('the digest', () => world.slack.messages('web').length > before);
  });

  it('does nothing for a press that names no Home', async () => {
    await home.open('ada');
    const value = JSON.stringify({ channel: world.slack.channel('web').id });
    const card = bid.card();
    await world.slack.press({ message: card, user: 'ada', actionId: 'home_pause', value, force: true });
    await world.pass(2 * SECOND);
    expect(await world.gig('web', 'list')).toContain(':large_green_circle:');
  });

  it.each(['{}', 'nonsense', '{"channel":"D1","filter":101}', '{"channel":"C99999999","filter":101}'])(
    'believes nothing of a value like %s',
    async (value) => {
      await home.open('vic');
      for (const actionId of [
        'home_unsubscribe',
        'home_feed_end',
        'home_pause',
        'home_budget',
        'home_release',
        'home_review',
        'home_bid_resume',
        'home_template_discard',
        'home_settings',
      ])
        await world.slack.press({ view: home.view('vic'), user: 'vic', actionId, value, force: true });
      await world.pass(5 * SECOND);
      expect(world.slack.view('vic')).toBeUndefined();
      expect(home.words('vic')).toContain('“React work” (101)');
    },
  );
});
