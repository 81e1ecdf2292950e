/** What people do on their Home, and what becomes of it there and in the channel. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { BidAtHand } from './begin-bid.ts';
import { approvals, grant, SETUP, startBidWorld } from './bidder.ts';
import { HomeAtHand } from './home-desk.ts';
import { type World, wordsOf } from './world.ts';

let world: World;
let bid: BidAtHand;
let home: HomeAtHand;

/** Ada is admin, ben is bidder, vic may neither. */
async function start(reviews = false): Promise<void> {
  const begun = await startBidWorld({ reviews });
  world = begun.world;
  bid = new BidAtHand(begun);
  home = new HomeAtHand(world);
  world.slack.addUser({ name: 'vic' });
  world.slack.invite('web', 'vic');
}

afterEach(async () => {
  expect(world.slack.errors()).toEqual([]);
  await world.stop();
});

/** The last message of the channel that stands in no thread. */
const told = () => wordsOf(world.slack.messages('web').at(-1) ?? expect.fail('nothing was told'));
const dms = (user: string) => world.slack.directMessages(user).map(wordsOf).join('\n');

describe('approving on a Home', () => {
  beforeEach(async () => {
    await start(true);
    await bid.open();
    await bid.submit();
    await world.pass(2 * SECOND);
  });

  it('asks first, approves once, and is told on the Home, on the card and in its thread', async () => {
    expect(await home.open('ben')).toContain('# Waiting for your approval\n*Rebuild our checkout*');
    const old = home.view('ben');
    await home.open('ada');
    await home.press('ada', 'Approve');
    expect(approvals(world)).toHaveLength(1);
    expect(home.words('ada')).toMatch(/^:white_check_mark: \*Job #\d+ is approved\* by @ada/u);
    expect(home.words('ada')).not.toContain('Waiting for your approval');
    expect(bid.cardWords()).toContain('approved by');
    expect(bid.thread().join('\n')).toContain('approved job #');
    await home.pressOn(old, 'ben', 'Approve');
    expect(approvals(world)).toHaveLength(1);
    expect(home.words('ben')).toMatch(/^Job #\d+ was approved by @ada already/u);
    expect(dms('ben')).toBe('');
  });

  it('says before that it overrules the AI, with its reason', async () => {
    const job = bid.job();
    world.marketplace.settleJob(job.id, { reason: 'Disqualified: wrong stack' });
    await world.pass(60 * SECOND);
    await world.gig('web', `job ${job.id}`);
    const words = await home.open('ben');
    expect(words).toContain('The AI disqualified this project: Disqualified: wrong stack');
    const confirm = JSON.stringify(home.view('ben').blocks);
    expect(confirm).toContain("This overrides the AI's disqualification: Disqualified: wrong stack");
  });

  it('is offered to bidders of that channel alone, and refused to others who press all the same', async () => {
    await home.open('ben');
    expect(await home.open('vic')).not.toContain('Waiting');
    await home.pressOn({ ...home.view('ben'), id: home.view('vic').id }, 'vic', 'Approve');
    expect(home.words('vic')).toContain(':lock: This is for bidders and admins.');
    expect(approvals(world)).toEqual([]);
  });

  it('tells of a marketplace that fails', async () => {
    await home.open('ben');
    world.marketplace.fault({ method: 'POST' }, { kind: 'answer', status: 403, json: { error: 'Not you' } });
    await home.press('ben', 'Approve');
    expect(home.words('ben')).toContain('was not approved');
    expect(home.words('ben')).toContain('Waiting for your approval');
  });
});

describe('claims and drafts on a Home', () => {
  beforeEach(() => start());

  it('are the own ones alone: released there, the card is free', async () => {
    await bid.press('Claim');
    await world.pass(2 * SECOND);
    expect(await home.open('vic')).not.toContain('Claimed by you');
    expect(await home.open('ben')).toMatch(
      /# Claimed by you\n\*Rebuild our checkout.*\n.*in #web · to the card/u,
    );
    const old = home.view('ben');
    await home.press('ben', 'Release');
    expect(home.words('ben')).not.toContain('Claimed by you');
    expect(bid.cardWords()).not.toContain('Claimed by');
    await bid.press('Claim', 'vic');
    await world.pass(2 * SECOND);
    await home.pressOn(old, 'ben', 'Release');
    expect(home.words('ben')).toContain('@vic');
    expect(bid.cardWords()).toContain('Claimed by');
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
    expect(await home.open('ben')).toContain('*Invitation: Come and build*');
    await home.press('ben', 'Release');
    expect(home.words('ben')).not.toContain('Come and build');
    expect(told()).not.toContain('Claimed by');
  });

  it('of bids go on with what was typed, and are discarded', async () => {
    await bid.open();
    await world.slack.submitView({
      user: 'ben',
      values: { setup: String(SETUP), bid_amount: '3', cover_letter: 'Dear' },
    });
    await world.pass(2 * SECOND);
    await world.slack.closeView({ user: 'ben' });
    expect(await home.open('vic')).not.toContain('Begun by you');
    expect(await home.open('ben')).toContain('# Begun by you\nBid: *Rebuild our checkout');
    await home.press('ben', 'Resume', 'Bid:');
    expect(bid.screen()).toContain('Dear');
    await world.slack.closeView({ user: 'ben' });
    const old = home.view('ben');
    await home.press('ben', 'Discard', 'Bid:');
    expect(home.words('ben')).toContain('The draft is discarded.');
    expect(home.words('ben')).not.toContain('Begun by you');
    await home.pressOn(old, 'ben', 'Resume', 'Bid:');
    expect(home.words('ben')).toContain('That had changed meanwhile, so nothing was done.');
  });

  it('of templates, too', async () => {
    await world.gig('web', 'template new', 'ben');
    await world.slack.closeView({ user: 'ben' });
    expect(await home.open('ben')).toContain('Template: _without a name_');
    await home.press('ben', 'Resume', 'Template:');
    expect(world.slack.view('ben')?.callbackId).toBe('template');
    await world.slack.closeView({ user: 'ben' });
    await home.press('ben', 'Discard', 'Template:');
    expect(home.words('ben')).toContain('The draft without a name is discarded.');
    expect(home.words('ben')).not.toContain('Template:');
  });
});

describe('a channel on a Home', () => {
  beforeEach(() => start());

  it('is paused and resumed by admins, and hears of it', async () => {
    await home.open('ada');
    await home.press('ada', 'Pause', 'web');
    expect(told()).toContain('paused new projects in this channel');
    expect(home.words('ada')).toContain(':double_vertical_bar: paused by @ada');
    await home.press('ada', 'Resume', 'web');
    expect(told()).toContain('resumed this channel');
    expect(home.words('ada')).not.toContain('paused by');
    expect(dms('ada')).toBe('');
  });

  it('gets its budget in a small window, where a mistake stands at its field', async () => {
    await home.open('ada');
    await home.press('ada', 'Set budget');
    const wrong = await world.slack.submitView({ user: 'ada', values: { budget: 'plenty' } });
    expect(wrong.errors).toEqual({ budget: 'A whole number of credits from 0 to 1,000,000, or off.' });
    await world.slack.submitView({ user: 'ada', values: { budget: '40' } });
    await world.pass(2 * SECOND);
    expect(told()).toContain("set this channel's budget to 40 credits a period");
    expect(home.words('ada')).toContain('1 of 40 credits');
    expect(await world.gig('web', 'budget')).toContain('1 of 40 credits');
  });

  it('offers to others what they may do, and refuses the rest', async () => {
    await home.open('ada');
    const words = await home.open('vic');
    expect(words).toContain('[Settings]');
    expect(words).not.toMatch(/Pause|Set budget/u);
    for (const label of ['Pause', 'Set budget']) {
      await home.pressOn({ ...home.view('ada'), id: home.view('vic').id }, 'vic', label);
      expect(home.words('vic')).toContain(':lock: This is for admins');
    }
    expect(world.slack.view('vic')).toBeUndefined();
    expect(await world.gig('web', 'list')).toContain('live');
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
    expect(words.match(/Set budget/gu)).toHaveLength(1);
    expect(words.indexOf('Set budget')).toBeLessThan(words.indexOf('*#web*'));
  });

  it('loses a subscription, which it hears of; a second press finds that it is gone', async () => {
    await home.open('vic');
    const old = home.view('vic');
    await home.press('vic', 'Unsubscribe');
    expect(told()).toContain('ended the subscription to “React work” (101)');
    expect(home.words('vic')).toContain('None of your channels follows anything.');
    await home.pressOn(old, 'vic', 'Unsubscribe');
    expect(home.words('vic')).toContain('That had changed meanwhile, so nothing was done.');
  });

  it('loses what it follows of a profile, which it hears of', async () => {
    const { id } = world.marketplace.addProfile({});
    world.marketplace.addInvitation({ profileId: id });
    await world.gig('web', `subscribe invitations ${id}`);
    expect(await home.open('vic')).toContain('*Invitations of');
    const old = home.view('vic');
    await home.press('vic', 'Unsubscribe', 'Invitations of');
    expect(told()).toContain('ended the subscription to the invitations of');
    expect(home.words('vic')).not.toContain('Invitations of');
    expect(home.words('vic')).toContain('“React work” (101)');
    await home.pressOn(old, 'vic', 'Unsubscribe', 'Invitations of');
    expect(home.words('vic')).toContain('That had changed meanwhile, so nothing was done.');
  });

  it('gets a digest at once, and its Home says when the next one comes', async () => {
    await world.gig('web', 'digest at 09:00 Europe/Berlin daily');
    expect(await home.open('vic')).toContain('next digest 6 Jan 2026, 08:00 UTC');
    const before = world.slack.messages('web').length;
    await home.press('vic', 'Digest now');
    expect(home.words('vic')).toContain('The digest is on its way');
    await world.until('the digest', () => world.slack.messages('web').length > before);
  });

  it('does nothing for a press that names no Home', async () => {
    await home.open('ada');
    const value = JSON.stringify({ channel: world.slack.channel('web').id });
    const card = bid.card();
    await world.slack.press({ message: card, user: 'ada', actionId: 'home_pause', value, force: true });
    await world.pass(2 * SECOND);
    expect(await world.gig('web', 'list')).toContain('live');
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
        'home_approve',
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
