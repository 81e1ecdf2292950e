/** Second approvals: nothing above a cap is sent before enough other people approve exactly what is shown. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { type BidAtHand, begin } from './begin-bid.ts';
import { grant, OTHER_SETUP, press } from './bidder.ts';
import { directChannel } from './follow-desk.ts';
import { changeSettings } from './settings-form.ts';
import { heldMessage, heldMessages, heldWords, pressAsSeen, pressHeld, setRules } from './spending-rules.ts';

const ABOVE = { bid_amount: '600', cover_letter: 'Dear client' };

async function beginWithRules(rules: Readonly<Record<string, string | readonly string[]>>, options = {}) {
  const begun = await begin(options);
  const { world } = begun;
  for (const name of ['cem', 'dan']) world.slack.addUser({ name });
  for (const name of ['cem', 'dan']) world.slack.invite('web', name);
  await grant(world, ['ben', 'cem', 'dan']);
  await setRules(world, { 'second-amount': '500', ...rules });
  return begun;
}

async function send(bid: BidAtHand, values: Readonly<Record<string, string>> = ABOVE, user = 'ben') {
  await bid.open(user);
  await bid.submit(user, values);
  await bid.world.pass(3 * SECOND);
}

describe('a bid above a cap', () => {
  it('waits for another person, who sees what is sent, and then goes out once', async () => {
    const { bid, world } = await beginWithRules({});
    await send(bid);
    expect(bid.creates()).toEqual([]);
    const words = heldWords(bid);
    for (const part of ['Rebuild our checkout', 'Dear client', '$600', '0 of 1 second approval'])
      expect(words).toContain(part);
    expect(words).toContain(`<@${world.slack.user('ada').id}>`);
    expect(bid.screen('ben')).toContain('the amount is above the limit');
    await world.pass(HOUR, MINUTE);
    expect(bid.creates()).toEqual([]);
    await pressHeld(bid, 'Approve', 'ada');
    await world.pass(5 * SECOND);
    expect(bid.creates()).toHaveLength(1);
    expect(await bid.states()).toEqual(['created']);
    expect(heldWords(bid)).toContain(`1 of 1 second approval: <@${world.slack.user('ada').id}>`);
    expect(await world.gig('web', 'audit')).toContain('gave a second approval to the bid');
  });

  it('below it goes out at once; an unknown amount needs a second approval', async () => {
    const { bid } = await beginWithRules({});
    await send(bid, { bid_amount: '500' });
    expect(bid.creates()).toHaveLength(1);
    const other = await beginWithRules({});
    await send(other.bid, {});
    expect(other.bid.creates()).toEqual([]);
    expect(heldWords(other.bid)).toContain("the amount isn't known");
  });

  it('counts connects with the boost, and an unknown price as above', async () => {
    const { bid } = await beginWithRules({ 'second-connects': '30', 'second-amount': '1000000' });
    await send(bid, { bid_amount: '100', boost: '31' });
    expect(heldWords(bid)).toContain('its connects are above the limit');
    const other = await beginWithRules({ 'second-connects': '30', 'second-amount': '1000000' });
    await send(other.bid, { bid_amount: '100' });
    expect(heldWords(other.bid)).toContain("its price in connects isn't known");
  });

  it.each([
    ['waits for a client who never hired or spent', { totalHires: 0, totalSpent: 0 }, 0],
    ['waits for no client who hired', { totalHires: 1, totalSpent: 0 }, 1],
    ['waits for no client who spent', { totalHires: 0, totalSpent: 90 }, 1],
  ])('%s', async (_, history, sent) => {
    const rules = { 'second-amount': '1000000', 'second-options': ['new-clients'] };
    const { bid } = await beginWithRules(rules, { client: history });
    await send(bid, { bid_amount: '100' });
    expect(bid.creates()).toHaveLength(sent);
  });

  it('needs as many different people as chosen; the sender, and a person twice, do not count', async () => {
    const { bid, world } = await beginWithRules({ 'second-approvals': '2' });
    await send(bid);
    await pressHeld(bid, 'Approve', 'ben');
    await world.pass(2 * SECOND);
    expect(heldWords(bid)).toContain('0 of 2 second approvals');
    await pressHeld(bid, 'Approve', 'cem');
    await world.pass(2 * SECOND);
    await pressHeld(bid, 'Approve', 'cem');
    await world.pass(2 * SECOND);
    expect(heldWords(bid)).toContain(`1 of 2 second approvals: <@${world.slack.user('cem').id}>`);
    expect(bid.creates()).toEqual([]);
    await pressHeld(bid, 'Approve', 'ada');
    await world.pass(5 * SECOND);
    expect(bid.creates()).toHaveLength(1);
  });

  it('is refused to people who may not bid, and ends with Reject or Cancel', async () => {
    for (const label of ['Reject', 'Cancel'] as const) {
      const { bid, world } = await beginWithRules({});
      world.slack.addUser({ name: 'vic' });
      await send(bid);
      const message = heldMessage(bid);
      await pressHeld(bid, 'Approve', 'vic');
      await pressHeld(bid, label, 'vic');
      await world.pass(2 * SECOND);
      expect(await bid.states()).toEqual(['held']);
      await pressHeld(bid, label, 'cem');
      await world.pass(2 * SECOND);
      await pressAsSeen(world, message, 'Approve', 'ada');
      await world.pass(HOUR, MINUTE);
      expect(bid.creates()).toEqual([]);
      expect(await bid.states()).toEqual(['refused']);
    }
  });

  it('starts the cancel window after the last approval, and can still be canceled', async () => {
    const { bid, world } = await beginWithRules({ 'cancel-window': '60' });
    await send(bid);
    await pressHeld(bid, 'Approve', 'ada');
    await world.pass(30 * SECOND);
    expect(bid.creates()).toEqual([]);
    expect(findPressable(heldMessage(bid), 'Approve')).toBeUndefined();
    await pressHeld(bid, 'Cancel', 'cem');
    await world.pass(10 * MINUTE);
    expect(bid.creates()).toEqual([]);
  });

  it('expires with the time for approvals: silence means no', async () => {
    const { bid, world } = await beginWithRules({});
    await changeSettings(world, 'web', { 'approval-hours': '1' });
    await send(bid);
    const message = heldMessage(bid);
    await world.pass(30 * MINUTE, MINUTE);
    await world.crash();
    await world.restart();
    await world.pass(40 * MINUTE, MINUTE);
    expect(await bid.states()).toEqual(['refused']);
    expect(heldWords(bid)).toContain('Not enough people approved it in time');
    await pressAsSeen(world, message, 'Approve', 'ada');
    await world.pass(HOUR, MINUTE);
    expect(bid.creates()).toEqual([]);
  });

  it('does not count a person who lost the role, and asks again', async () => {
    const { bid, world } = await beginWithRules({ 'second-approvals': '2' });
    await send(bid);
    await pressHeld(bid, 'Approve', 'cem');
    await world.pass(2 * SECOND);
    await grant(world, ['ben', 'dan']);
    await pressHeld(bid, 'Approve', 'dan');
    await world.pass(10 * SECOND);
    expect(bid.creates()).toEqual([]);
    expect(heldMessages(bid)).toHaveLength(2);
    expect(heldWords(bid)).toContain(`1 of 2 second approvals: <@${world.slack.user('dan').id}>`);
    await pressHeld(bid, 'Approve', 'ada');
    await world.pass(10 * SECOND);
    expect(bid.creates()).toHaveLength(1);
  });

  it.each([0, 1, 2, 3, 5, 8, 13, 21, 34, 55])(
    'is never sent without it, whenever the process is killed (%i turns after Approve)',
    async (turns) => {
      const { bid, world } = await beginWithRules({ 'second-approvals': '2' });
      await send(bid);
      await pressHeld(bid, 'Approve', 'ada').catch(() => undefined);
      await world.pass(2 * SECOND);
      const pressing = pressHeld(bid, 'Approve', 'cem').catch(() => undefined);
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      await world.crash();
      await pressing;
      await world.restart();
      await world.pass(5 * MINUTE);
      const [stored] = (await bid.books()).bids;
      const given = stored?.hold?.second?.given.length ?? 0;
      expect(bid.creates().length).toBeLessThanOrEqual(given >= 2 ? 1 : 0);
      expect(stored?.state === 'held').toBe(given < 2);
    },
  );

  it('does not count a person who left the workspace a moment ago, and asks again', async () => {
    const { bid, world } = await beginWithRules({ 'second-approvals': '2' });
    await send(bid);
    await pressHeld(bid, 'Approve', 'cem');
    await world.pass(2 * SECOND);
    world.slack.deactivate('cem');
    await world.pass(30 * SECOND);
    await pressHeld(bid, 'Approve', 'dan');
    await world.pass(10 * SECOND);
    expect(bid.creates()).toEqual([]);
    expect(heldWords(bid)).toContain(`1 of 2 second approvals: <@${world.slack.user('dan').id}>`);
    await pressHeld(bid, 'Approve', 'ada');
    await world.pass(10 * SECOND);
    expect(bid.creates()).toHaveLength(1);
  });

  it('has one outcome if two people approve, reject and cancel at once', async () => {
    const { bid, world } = await beginWithRules({});
    await send(bid);
    const message = heldMessage(bid);
    await Promise.all([
      pressAsSeen(world, message, 'Approve', 'ada'),
      pressAsSeen(world, message, 'Reject', 'cem'),
      pressAsSeen(world, message, 'Approve', 'dan'),
      pressAsSeen(world, message, 'Cancel', 'ben'),
    ]);
    await world.pass(MINUTE);
    const [stored] = (await bid.books()).bids;
    expect(bid.creates()).toHaveLength(stored?.hold?.ended?.kind === 'sent' ? 1 : 0);
  });
});

describe('a bid on a project of a channel with rules', () => {
  async function sendFrom(where: 'dm' | 'data', rules: Readonly<Record<string, string>>) {
    const { bid, world } = await begin();
    await setRules(world, rules);
    const channel = where === 'dm' ? directChannel(world, 'ada') : 'data';
    await world.gig(channel, `lookup ${bid.project.ciphertext}`, 'ada');
    const answer = world.slack.ephemerals('ada', channel).at(-1) ?? expect.fail('no answer');
    await press(world, 'Bid', { message: answer }, 'ada');
    await world.pass(2 * SECOND);
    await bid.submit('ada', { bid_amount: '600', boost: '20' });
    return { bid, world };
  }

  it.each(['dm', 'data'] as const)('follows them from %s, too', async (where) => {
    const { bid, world } = await sendFrom(where, { 'second-amount': '500', 'cancel-window': '30' });
    await world.pass(5 * MINUTE);
    expect(await bid.states()).toEqual(['held']);
    expect(bid.creates()).toEqual([]);
    const capped = await sendFrom(where, { 'channel-cap': '43' });
    expect(capped.bid.creates()).toEqual([]);
    expect(capped.bid.screen('ada')).toContain('another channel');
    expect(capped.bid.screen('ada')).not.toContain('43');
    const free = await sendFrom(where, { 'second-amount': '600', 'channel-cap': '44' });
    expect(free.bid.creates()).toHaveLength(1);
  });
});

describe('an approval above a cap', () => {
  const rules = { 'second-options': ['not-by-asker'] };

  it('needs another person after the first, never the one who asked', async () => {
    const { bid, world } = await beginWithRules({}, { reviews: true });
    await setRules(world, { 'second-amount': null });
    await send(bid);
    expect(bid.creates()).toHaveLength(1);
    await setRules(world, { 'second-amount': '500', ...rules });
    await bid.press('Approve', 'ben', 'accept');
    await world.pass(3 * SECOND);
    expect(bid.told('ben')).toContain("can't give one");
    await bid.press('Approve', 'cem', 'accept');
    await world.pass(3 * SECOND);
    expect(bid.approvals()).toEqual([]);
    for (const user of ['cem', 'ben']) {
      await pressHeld(bid, 'Approve', user);
      await world.pass(3 * SECOND);
    }
    expect(bid.approvals()).toEqual([]);
    await pressHeld(bid, 'Approve', 'dan');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
    const [job] = (await bid.books()).jobs;
    expect(job?.approval?.state).toBe('approved');
  });

  it('ends with Reject, together with its request', async () => {
    const { bid, world } = await beginWithRules({ 'second-amount': '1000' }, { reviews: true });
    await send(bid);
    await setRules(world, { 'second-amount': '500' });
    await bid.press('Approve', 'cem', 'accept');
    await world.pass(3 * SECOND);
    await pressHeld(bid, 'Reject', 'dan');
    await world.pass(3 * SECOND);
    const [job] = (await bid.books()).jobs;
    expect(job?.approval?.state).toBe('refused');
    expect(job?.review?.ended?.kind).toBe('rejected');
    await world.pass(HOUR, MINUTE);
    expect(bid.approvals()).toEqual([]);
    expect(findPressable(bid.request(), 'Ask Again')).toBeDefined();
  });

  it('is not sent if the job changes while it waits', async () => {
    const { bid, world } = await beginWithRules({ 'second-amount': '1000' }, { reviews: true });
    await send(bid);
    await setRules(world, { 'second-amount': '500' });
    await bid.press('Approve', 'cem', 'accept');
    await world.pass(3 * SECOND);
    const message = heldMessage(bid);
    world.marketplace.updateJob(bid.job().id, { scheduledAt: world.clock.now() + 5 * HOUR });
    await pressAsSeen(world, message, 'Approve', 'dan');
    await world.pass(10 * SECOND);
    expect(bid.approvals()).toEqual([]);
    await pressHeld(bid, 'Approve', 'dan');
    await world.pass(10 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
  });

  it('makes approvals void once the job has changed, and asks again', async () => {
    const { bid, world } = await beginWithRules({ 'second-amount': '1000' }, { reviews: true });
    await send(bid);
    await setRules(world, { 'second-amount': '500', 'second-approvals': '2' });
    await bid.press('Approve', 'cem', 'accept');
    await world.pass(3 * SECOND);
    const message = heldMessage(bid);
    await pressHeld(bid, 'Approve', 'ada');
    await world.pass(3 * SECOND);
    expect(heldWords(bid)).toContain('1 of 2 second approvals');
    world.marketplace.updateJob(bid.job().id, { scheduledAt: world.clock.now() + 9 * HOUR });
    await world.pass(5 * MINUTE);
    await pressAsSeen(world, message, 'Approve', 'dan');
    await world.pass(10 * SECOND);
    expect(bid.approvals()).toEqual([]);
    expect(bid.told('dan')).toContain('Scheduled');
    expect(heldMessages(bid)).toHaveLength(2);
    expect(heldWords(bid)).toContain('0 of 2 second approvals');
    for (const user of ['ada', 'dan']) {
      await pressHeld(bid, 'Approve', user);
      await world.pass(10 * SECOND);
    }
    expect(bid.approvals()).toHaveLength(1);
  });
});

describe('another bid on the project', () => {
  it('that was sent since is not joined by one that waited', async () => {
    const { bid, world } = await beginWithRules({});
    world.marketplace.addSetup({
      id: OTHER_SETUP,
      name: 'Slow setup',
      filter: { id: 101, name: 'React work' },
      status: 'active',
    });
    await send(bid);
    await world.pass(6 * MINUTE);
    await world.gig('web', `bid ${bid.project.ciphertext} Slow`, 'cem');
    await world.pass(2 * SECOND);
    await bid.submit('cem', { setup: String(OTHER_SETUP), bid_amount: '100' });
    await world.pass(5 * SECOND);
    expect(bid.creates()).toHaveLength(1);
    await pressHeld(bid, 'Approve', 'ada');
    await world.pass(MINUTE);
    expect(bid.creates()).toHaveLength(1);
    expect(heldWords(bid)).toContain('Another bid on this project was sent');
  });
});
