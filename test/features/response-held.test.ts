/** The response clock and a bid that waits before it is sent: its claim is in use, so it doesn't expire. */
import { expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { BidAtHand, begin } from './begin-bid.ts';
import { ROUND_THE_CLOCK, setResponse } from './response-form.ts';
import { pressHeld, setRules } from './spending-rules.ts';
import { postOf, wordsOf } from './world.ts';

async function beginHeld() {
  const begun = await begin();
  const { bid, world } = begun;
  await setResponse(world, 'web', { ...ROUND_THE_CLOCK, 'duty-user': world.slack.user('ada').id });
  await setRules(world, { 'second-amount': '0' });
  await bid.press('Claim', 'ben');
  await world.pass(2 * SECOND);
  await bid.open();
  await bid.submit('ben', { bid_amount: '600' });
  expect(await bid.states()).toEqual(['held']);
  const stages = () =>
    world.slack
      .thread('web', bid.card().ts)
      .filter((it) => postOf(it).startsWith('response:'))
      .map(wordsOf);
  const claimer = () => bid.cardWords().includes(`Claimed by <@${world.slack.user('ben').id}>`);
  return { bid, world, stages, claimer };
}

it('keeps the claim while the bid waits for a second approval, and sends no stage', async () => {
  const { world, stages, claimer } = await beginHeld();
  expect(claimer()).toBe(true);
  await world.pass(3 * HOUR, MINUTE);
  expect(stages()).toEqual([]);
  expect(claimer()).toBe(true);
});

it('gives the claim its whole time again once the bid was rejected', async () => {
  const { bid, world, stages, claimer } = await beginHeld();
  await world.pass(3 * HOUR, MINUTE);
  await pressHeld(bid, 'Reject', 'ada');
  await world.pass(40 * MINUTE, MINUTE);
  expect(stages()).toEqual([]);
  expect(claimer()).toBe(true);
  await world.pass(50 * MINUTE, MINUTE);
  expect(claimer()).toBe(false);
});

it('nudges nobody about a project whose bid waits, until the bid is canceled', async () => {
  const { world } = await begin();
  await setRules(world, { 'second-amount': '1' });
  await setResponse(world, 'web', { ...ROUND_THE_CLOCK, 'lead-user': world.slack.user('ada').id });
  // Cards posted before the clock was on have none.
  const project = world.marketplace.publishProject(101, {
    title: 'Posted later',
    usOnly: false,
    ukOnly: false,
  });
  await world.until('the card', () => world.told('web').length > 1, 2 * MINUTE);
  const bid = new BidAtHand({ world, project });
  await bid.open();
  await bid.submit('ben', { cover_letter: 'Hello' });
  expect(await bid.states()).toEqual(['held']);
  const stages = () =>
    world.slack.thread('web', bid.card().ts).filter((it) => postOf(it).startsWith('response:'));
  await world.pass(30 * MINUTE);
  expect(stages()).toEqual([]);
  await pressHeld(bid, 'Cancel', 'ben');
  await world.pass(3 * MINUTE);
  expect(stages()).toHaveLength(1);
});
