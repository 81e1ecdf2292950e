/** Projects that a filter lists hours after their date. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import { type Desk, PATHS, SHOP } from '../kit/start-desk.ts';

/** 10 projects every 20 minutes. */
async function beBusy({ market, pass }: Pick<Desk, 'market' | 'pass'>, hours: number): Promise<void> {
  for (let minute = 0; minute < hours * 60; minute += 20) {
    for (let count = 0; count < 10; count++) market.publish({ ...SHOP, title: 'One of many' });
    await pass(20 * MINUTE);
  }
}

appTest(
  'come within about an hour, once, and nothing else is charged',
  async ({ ada, app, desk, market }) => {
    await beBusy(desk, 1);
    const before = market.service.creditsRemaining();
    market.publish({ ...SHOP, title: 'Checked for a while', publishedAt: app.clock.now() - 40 * MINUTE });
    await beBusy(desk, 4 / 3);
    const titles = ada.reads('web').map((it) => it.text);
    expect(titles.filter((it) => it.includes('Checked for a while'))).toHaveLength(1);
    expect(before - market.service.creditsRemaining()).toBe(4 * 10 + 1);
    const whole = market.requests(PATHS.projects).filter(({ query }) => query['limit'] === '100');
    expect(whole.length).toBeLessThan(15);
  },
);

appTest('a new billing period buys none of the earlier one again', async ({ app, desk, market }) => {
  app.clock.moveBy(market.service.creditsResetAt() - app.clock.now() - 50 * MINUTE);
  await beBusy(desk, 1);
  const before = market.service.creditsRemaining();
  await beBusy(desk, 4 / 3);
  expect(before - market.service.creditsRemaining()).toBeLessThanOrEqual(4 * 10);
});
