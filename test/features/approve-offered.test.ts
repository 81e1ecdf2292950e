/** Approve is offered to those alone who may approve; others read why not, and can request the role. */
import { expect } from 'vitest';
import { appTestWith, appTest as test } from '../kit/app-test.ts';
import { PATHS, SHOP, setRules } from '../kit/start-desk.ts';

const appTest = appTestWith({ reviews: true });

appTest(
  'a person without the role reads who approves, and requests access',
  async ({ market, ada, ben, cem }) => {
    const card = await market.publish(SHOP).cardIn('web');
    const form = await ben.press(card, 'Bid');
    await form.send({ 'Bidding setup': 'Fast setup' });
    await ben.close();
    const request = ada
      .reads('web')
      .flatMap((it) => it.replies())
      .find((it) => it.offers('Review'));
    expect(request).toBeDefined();
    if (!request) return;
    expect((await ben.press(request, 'Review')).text).toContain('Approve');
    await ben.close();
    const seen = await cem.press(request, 'Review');
    expect(seen.text).toContain('Rebuild our checkout');
    expect(seen.text).toMatch(/Only bidders and admins/u);
    expect(seen.text).toMatch(/@ada/u);
    expect(seen.text).not.toContain('[Approve]');
    const asked = await seen.press('Request Access');
    expect(asked.text).toMatch(/request/iu);
    const grant = ada.reads('web').findLast((it) => it.offers('Grant'));
    expect(grant?.text).toMatch(/cem/u);
  },
);

test('so it is with a bid that waits', async ({ desk, market, ada, ben, cem }) => {
  await setRules(desk.person('ada'), {
    'Second approval above this amount': '500',
    'Number of second approvals': '2',
  });
  const card = await market.publish(SHOP).cardIn('web');
  const form = await ben.press(card, 'Bid');
  await form.send({ 'Bidding setup': 'Fast setup', 'Fixed-price bid': '600' });
  await ben.close();
  const request = card.replies().findLast((it) => it.offers('Review'));
  if (!request) throw new Error('No bid waits');
  const own = await ben.press(request, 'Review');
  expect(own.text).toContain('You sent this');
  expect(own.text).not.toContain('[Approve]');
  await ben.close();
  const seen = await cem.press(request, 'Review');
  expect(seen.text).toContain('Rebuild our checkout');
  expect(seen.text).toMatch(/Only bidders and admins[\s\S]*@ada/u);
  expect(seen.text).not.toContain('[Approve]');
  const asked = await seen.press('Request Access');
  expect(asked.text).toMatch(/request/iu);
  expect(ada.reads('web').findLast((it) => it.offers('Grant'))?.text).toMatch(/cem/u);
  await cem.close();
  const window = await ada.press(request, 'Review');
  expect(window.text).toContain('[Approve]');
  await window.send();
  expect((await ada.press(request, 'Review')).text).toContain('counts already');
  expect(market.requests(PATHS.bid)).toEqual([]);
});

appTest('and with a job, for the person who asked for it', async ({ desk, market, ada, ben }) => {
  const card = await market.publish(SHOP).cardIn('web');
  const form = await ben.press(card, 'Bid');
  await form.send({ 'Bidding setup': 'Fast setup', 'Fixed-price bid': '600' });
  await ben.close();
  await setRules(desk.person('ada'), {
    'Second approval above this amount': '500',
    'Second approval options': ['Not by the person who asked'],
  });
  const request = card.replies().findLast((it) => it.offers('Review'));
  if (!request) throw new Error('No job waits');
  const own = await ben.press(request, 'Review');
  expect(own.text).toContain("can't give one");
  expect(own.text).not.toContain('[Approve]');
  expect((await ada.press(request, 'Review')).text).toContain('[Approve]');
});
