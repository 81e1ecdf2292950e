/** The response clock while a bid waits for its second approval. */
import { expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { BidAtHand, begin } from './begin-bid.ts';
import { ROUND_THE_CLOCK, setResponse } from './response-form.ts';
import { pressHeld, setRules } from './spending-rules.ts';
import { postOf } from './world.ts';

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
