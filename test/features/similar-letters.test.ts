/** A warning about a letter that nearly repeats one sent to another client. */
import { expect } from 'vitest';
import { DAY, MINUTE } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { type Desk, SHOP, sendBid } from '../kit/start-desk.ts';

const LETTER =
  'Hi Anna,\nYour checkout sounds like what I did for a furniture store last year, where orders doubled. ' +
  'I would begin with a tested version of the payment flow, and show it to you on Friday. ' +
  'My colleague Tom would test it on six devices while I finish the catalog. Best regards, Ben';
const REPEATED = LETTER.replace('Hi Anna', 'Dear Jonas').replace('checkout', 'booking calendar');
const OWN =
  'Dear Jonas,\nBefore I write code I would like to know how your calendar and your rooms work together. ' +
  'I moved the calendar of a language school to Rails without a day offline, and refunds dropped since then.';
const SAME = /\d\d% the same as one sent to another client/u;

const cardOf = ({ market }: Desk, title: string) => market.publish({ ...SHOP, title }).cardIn('web');

appTestWith({ reviews: true })(
  'a repeated letter is named in the result, and to approvers',
  async ({ desk, ben }) => {
    const first = await sendBid(ben, await cardOf(desk, 'Checkout'), { 'Cover letter': LETTER });
    expect(first.text).not.toMatch(SAME);
    const card = await cardOf(desk, 'Calendar');
    const next = await sendBid(ben, card, { 'Cover letter': REPEATED });
    const request = card.replies().findLast((it) => it.offers('Reject'));
    for (const text of [next.text, request?.text]) {
      expect(text).toMatch(SAME);
      expect(text).toContain('Checkout');
    }
  },
);

appTest('a form that opens again with a repeated letter says so; others don’t', async ({ desk, ben }) => {
  await sendBid(ben, await cardOf(desk, 'Checkout'), { 'Cover letter': LETTER });
  const card = await cardOf(desk, 'Calendar');
  const form = await ben.press(card, 'Bid');
  expect((await form.press('Add More Space', { 'Cover letter': REPEATED })).text).toMatch(SAME);
  await ben.close();
  const again = await ben.press(card, 'Bid');
  expect(again.text).toMatch(SAME);
  const own = { 'Cover letter (part 1': OWN };
  expect((await again.send({ 'Bidding setup': 'Fast', ...own })).text).not.toMatch(SAME);
  await ben.close();
  // The same project once more: to the same client.
  const same = await sendBid(ben, await cardOf(desk, 'Checkout'), { 'Cover letter': LETTER });
  expect(same.text).not.toMatch(SAME);
});

appTest('a letter of 31 days ago is forgotten', async ({ desk, ben, pass }) => {
  await sendBid(ben, await cardOf(desk, 'Checkout'), { 'Cover letter': LETTER });
  await desk.restart(31 * DAY);
  await pass(MINUTE);
  const later = await sendBid(ben, await cardOf(desk, 'Lamps'), { 'Cover letter': REPEATED });
  expect(later.text).toContain('Bid created');
  expect(later.text).not.toMatch(SAME);
});

appTest('letters of proposals that were copied count, too', async ({ app, desk, market, ada, ben, pass }) => {
  const profile = market.service.addProfile({ id: 301 });
  const submittedAt = app.clock.now() - DAY;
  const sent = { profileId: profile.id, coverLetter: LETTER, jobTitle: 'Lamps', submittedAt };
  market.service.addProposal(sent);
  await ada.type('/gig subscribe outcomes 301', 'data');
  await pass(2 * MINUTE);
  const { text } = await sendBid(ben, await cardOf(desk, 'Calendar'), { 'Cover letter': REPEATED });
  expect(text).toMatch(SAME);
  expect(text).toContain('Lamps');
});
