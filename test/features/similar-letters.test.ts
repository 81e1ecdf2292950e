/** A warning about a letter that nearly repeats one sent to another client. */
import { expect, it } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/clock.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { BidAtHand, begin } from './begin-bid.ts';
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

const SAME = /\d\d% the same as one sent to another client/u;

it('a repeated letter is named in the result and to the approvers', async () => {
  const { bid } = await begin({ reviews: true });
  await bid.open();
  await bid.submit('ben', { cover_letter: LETTER });
  expect(bid.screen()).not.toMatch(SAME);
  const next = await another(bid);
  await next.open();
  await next.submit('ben', { cover_letter: REPEATED });
  expect(next.creates()).toHaveLength(2);
  for (const words of [next.screen(), wordsOf(next.request())]) {
    expect(words).toMatch(SAME);
    expect(words).toContain('Rebuild our checkout');
  }
  const { ledger } = await next.books();
  const sent = ledger.entries.findLast((it) => it.entry === 'decision' && it.kind === 'bid');
  expect(sent).toMatchObject({ shown: { text: expect.stringMatching(/warning: \d\d% of the letter/u) } });
});

it('a form that opens again with a repeated letter says so; others are sent without a word', async () => {
  const { bid, world } = await begin();
  await bid.open();
  await bid.submit('ben', { cover_letter: LETTER });
  const next = await another(bid);
  const view = await next.open();
  const more = findPressable(view, 'Add More Space') ?? expect.fail('no button');
  const { actionId, blockId } = more;
  await world.slack.press({ view, user: 'ben', actionId, blockId, values: { cover_letter: REPEATED } });
  await world.pass(2 * SECOND);
  expect(next.screen()).toMatch(SAME);
  await world.slack.closeView({ user: 'ben', all: true });
  await next.open();
  await world.pass(2 * SECOND);
  expect(next.screen()).toMatch(SAME);
  await next.submit('ben', { cover_letter: OWN });
  expect(next.creates()).toHaveLength(2);
  expect(next.screen()).not.toMatch(SAME);
  const same = await another(next, 'Rebuild our checkout');
  await same.open();
  await same.submit('ben', { cover_letter: LETTER });
  expect(same.creates()).toHaveLength(3);
  expect(same.screen()).not.toMatch(SAME);
});

it('a letter of 31 days ago is forgotten', async () => {
  const { bid, world } = await begin();
  await bid.open();
  await bid.submit('ben', { cover_letter: LETTER });
  await world.crash();
  world.clock.moveTo(world.clock.now() + 31 * DAY);
  await world.restart();
  await world.pass(MINUTE);
  const later = await another(bid, 'A shop for lamps');
  await later.open();
  await later.submit('ben', { cover_letter: REPEATED });
  expect(later.creates()).toHaveLength(2);
  expect(later.screen()).not.toMatch(SAME);
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
  expect(bid.screen()).toMatch(SAME);
  expect(bid.screen()).toContain('Lamps');
});
