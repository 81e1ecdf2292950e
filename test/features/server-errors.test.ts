/** A server error is an answer: the app doesn't report a missing one, and the result stays unknown. */
import { describe, expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { type Message, offering } from '../kit/read-screen.ts';
import { PATHS, SHOP, sendBid } from '../kit/start-desk.ts';
import { addSenders, fillTemplate } from '../kit/template-play.ts';

const reviewed = appTestWith({ reviews: true });
const HTTP_500 = /HTTP 500/u;
const BID = { 'Fixed-price bid': '600' };

const threadOf = (card: Message) =>
  card
    .replies()
    .map((it) => it.text)
    .join('\n');

describe('HTTP 500', () => {
  appTest('on a bid is called an error, and nothing is sent again', async ({ market, ada, ben, pass }) => {
    const card = await market.publish(SHOP).cardIn('web');
    market.fail(PATHS.bid, presetFaults.errorAfterEffect(500));
    const told = await sendBid(ben, card, BID);
    const audit = await ada.type('/gig audit');
    for (const text of [told.text, card.text, threadOf(card), audit.text]) expect(text).toMatch(HTTP_500);
    await pass(10 * MINUTE);
    await ben.press(card, 'Check');
    expect(market.requests(PATHS.bid)).toHaveLength(1);
  });

  reviewed('on an approval is called one, too', async ({ app, market, ada, ben, pass }) => {
    const card = await market.publish(SHOP).cardIn('web');
    await sendBid(ben, card, BID);
    const window = await ada.press(offering(card, 'Review'), 'Review');
    market.fail(PATHS.approve, presetFaults.status(500));
    const sending = window.send();
    await app.settle();
    market.fail(PATHS.bidStatus, presetFaults.status(503), 1_000);
    const told = await sending;
    const audit = await ada.type('/gig audit');
    for (const text of [told.text, card.text, threadOf(card), audit.text]) expect(text).toMatch(HTTP_500);
    await pass(10 * MINUTE);
    expect(market.requests(PATHS.approve)).toHaveLength(1);
  });

  appTest('on a template is called one, too', async ({ desk, market, ada }) => {
    addSenders(desk);
    const review = await fillTemplate(ada);
    market.fail({ method: 'POST', path: '/proposal-templates' }, presetFaults.status(500));
    const told = await review.send();
    const lists = [await ada.type('/gig template drafts'), await ada.type('/gig audit')];
    for (const { text } of [told, ...lists]) expect(text).toMatch(HTTP_500);
  });
});

appTest('where nothing came, nothing is said of an answer', async ({ market, ben }) => {
  const card = await market.publish(SHOP).cardIn('web');
  market.fail(PATHS.bid, { kind: 'drop', when: 'before' });
  const told = await sendBid(ben, card, BID);
  expect(told.text).toContain("don't know");
  for (const text of [told.text, card.text, threadOf(card)]) expect(text).not.toMatch(/HTTP/u);
});
