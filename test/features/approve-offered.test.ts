/** Approve is offered to those alone who may approve; others read why not, and can request the role. */
import { expect } from 'vitest';
import { appTestWith } from '../kit/app-test.ts';
import { SHOP } from '../kit/start-desk.ts';

const appTest = appTestWith({ reviews: true });

appTest(
  'a person without the role reads who approves, and requests access',
  async ({ market, ada, ben, cem }) => {
    const card = await market.publish(SHOP).cardIn('web');
    const form = await ben.press(card, 'Bid');
    await form.send({ Setup: 'Fast setup' });
    await ben.close();
    const request = ada
      .reads('web')
      .flatMap((it) => it.thread)
      .find((it) => it.offers('Review'));
    expect(request).toBeDefined();
    if (!request) return;
    expect((await ben.press(request, 'Review')).text).toContain('Approve');
    await ben.close();
    const seen = await cem.press(request, 'Review');
    expect(seen.text).toContain('Rebuild our checkout');
    expect(seen.text).toMatch(/Only bidders and admins/u);
    expect(seen.text).toMatch(/@ada/u);
    expect(seen.text).not.toMatch(/^Approve$/mu);
    const asked = await seen.press('Request Access');
    expect(asked.text).toMatch(/request/iu);
    const grant = ada.reads('web').findLast((it) => it.offers('Grant'));
    expect(grant?.text).toMatch(/cem/u);
  },
);
