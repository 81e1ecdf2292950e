/** Approve is offered to those alone who may approve; others read why not, and can request the role. */
import { expect } from 'vitest';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { offering } from '../kit/read-screen.ts';
import { PATHS, sendBid, setRules } from '../kit/start-desk.ts';

const reviewed = appTestWith({ reviews: true });
const LIMIT = 'Second approval above this amount';

for (const [what, test] of [
  ['a bid that waits for review', reviewed],
  ['a bid that waits for second approvals', appTest],
] as const)
  test(`of ${what}, a person without the role reads who approves, and requests access`, async ({
    market,
    ada,
    ben,
    cem,
  }) => {
    if (test === appTest) await setRules(ada, { [LIMIT]: '500', 'Number of second approvals': '2' });
    const card = await market.publish().cardIn('web');
    await sendBid(ben, card, { 'Fixed-price bid': '600' });
    const request = offering(card, 'Review');
    const own = await ben.press(request, 'Review');
    expect(own.text.includes('[Approve]')).toBe(test === reviewed);
    expect(/You sent this/u.test(own.text)).toBe(test === appTest);
    await ben.close();
    const seen = await cem.press(request, 'Review');
    expect(seen.text).toContain('Rebuild our checkout');
    expect(seen.text).toMatch(/Only bidders and admins.*@ada/su);
    expect(seen.text).not.toContain('[Approve]');
    expect((await seen.press('Request Access')).text).toMatch(/request/iu);
    expect(ada.reads('web').findLast((it) => it.offers('Grant'))?.text).toContain('cem');
    await cem.close();
    const window = await ada.press(request, 'Review');
    expect(window.text).toContain('[Approve]');
    if (test === reviewed) return;
    await window.send();
    expect((await ada.press(request, 'Review')).text).toContain('counts already');
    expect(market.requests(PATHS.bid)).toEqual([]);
  });

reviewed('the person who asked reads that another has to approve', async ({ market, ada, ben }) => {
  const card = await market.publish().cardIn('web');
  await sendBid(ben, card, { 'Fixed-price bid': '600' });
  await setRules(ada, { [LIMIT]: '500', 'Second approval options': ['Not by the person who asked'] });
  const request = offering(card, 'Review');
  const own = await ben.press(request, 'Review');
  expect(own.text).toContain("can't give one");
  expect(own.text).not.toContain('[Approve]');
  expect((await ada.press(request, 'Review')).text).toContain('[Approve]');
});
