/** A letter that nearly repeats one sent to another client is asked about before it is sent. */
import { expect, it } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/clock.ts';
import { BidAtHand, begin } from './begin-bid.ts';
import { viewOf } from './bidder.ts';
import { wordsOf } from './world.ts';

const LETTER =
  'Hi Anna,\nYour checkout sounds like what I did for a furniture store last year, where orders doubled. ' +
  'I would begin with a tested version of the payment flow, and show it to you on Friday. ' +
  'My colleague Tom would test it on six devices while I finish the catalog. Best regards, Ben';
const REPEATED = LETTER.replace('Hi Anna', 'Dear Jonas').replace('checkout', 'booking calendar');
const OWN =
  'Dear Jonas,\nBefore I write code I would like to know how your calendar and your rooms work together. ' +
  'I moved the calendar of a language school to Rails without a day offline, and refunds dropped since then.';

/** A second project in the same channel. */
async function another({ world }: BidAtHand, title = 'A calendar for our rooms'): Promise<BidAtHand> {
  await world.slack.closeView({ user: 'ben', all: true });
  const budget = { type: 'fixed', fixedAmount: 700 } as const;
  const project = world.marketplace.publishProject(101, { title, budget, clientQuestions: [] });
  await world.until('the card', () => world.told('web').includes(project.ciphertext), MINUTE);
  return new BidAtHand({ world, project });
}

it('it is sent by a second press, and the approvers see it', async () => {
  const { bid, world } = await begin({ reviews: true });
  await bid.open();
  await bid.submit('ben', { cover_letter: LETTER });
  expect(bid.creates()).toHaveLength(1);
  const next = await another(bid);
  await next.open();
  await next.submit('ben', { cover_letter: REPEATED });
  expect(next.creates()).toHaveLength(1);
  expect(next.screen()).toContain('Rebuild our checkout');
  expect(next.screen()).toMatch(/\d\d% the same/u);
  expect(JSON.stringify(viewOf(world, 'ben'))).toContain('Send Anyway');
  await next.submit();
  expect(next.creates()).toHaveLength(2);
  expect(wordsOf(next.request())).toMatch(/\d\d% the same/u);
  const { ledger } = await next.books();
  const sent = ledger.entries.findLast((it) => it.entry === 'decision' && it.kind === 'bid');
  expect(sent).toMatchObject({ shown: { text: expect.stringMatching(/warning: \d\d% of the letter/u) } });
});

it('own words, other letters after a change, and the same project are sent at once', async () => {
  const { bid } = await begin();
  await bid.open();
  await bid.submit('ben', { cover_letter: LETTER });
  const next = await another(bid);
  await next.open();
  await next.submit('ben', { cover_letter: REPEATED });
  expect(next.creates()).toHaveLength(1);
  await next.submit('ben', { cover_letter: OWN });
  expect(next.creates()).toHaveLength(2);
  const same = await another(next, 'Rebuild our checkout');
  await same.open();
  await same.submit('ben', { cover_letter: LETTER });
  expect(same.creates()).toHaveLength(3);
});

it('a press that repeats the first one is asked once, and a letter of 31 days ago is forgotten', async () => {
  const { bid, world } = await begin();
  await bid.open();
  await bid.submit('ben', { cover_letter: LETTER });
  const next = await another(bid);
  const view = await next.open();
  await next.submit('ben', { cover_letter: REPEATED });
  const values = { cover_letter: REPEATED };
  await world.slack.submitView({ view, asItWas: true, user: 'ben', values });
  await world.pass(3 * SECOND);
  expect(next.creates()).toHaveLength(1);
  await world.crash();
  world.clock.moveTo(world.clock.now() + 31 * DAY);
  await world.restart();
  await world.pass(MINUTE);
  const later = await another(next, 'A shop for lamps');
  await later.open();
  await later.submit('ben', values);
  expect(later.creates()).toHaveLength(2);
});

it('also of the proposals that were copied', async () => {
  const { bid, world } = await begin();
  const profile = world.marketplace.addProfile({ id: 301 });
  const submittedAt = world.clock.now() - DAY;
  world.marketplace.addProposal({
    profileId: profile.id,
    coverLetter: LETTER,
    jobTitle: 'Lamps',
    submittedAt,
  });
  await world.gig('data', 'subscribe outcomes 301');
  await world.pass(2 * MINUTE);
  await bid.open();
  await bid.submit('ben', { cover_letter: REPEATED });
  expect(bid.creates()).toEqual([]);
  expect(bid.screen()).toContain('Lamps');
});
