/** What a long outage does to budgets: what people read of them, and how much it ties up. */
import { expect } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest } from '../kit/app-test.ts';
import { PATHS } from '../kit/start-desk.ts';

const uncertain = (text: string) => Number(/up to (\d+) uncertain/u.exec(text)?.[1] ?? 0);

appTest('an outage leaves spending, percentage and forecast as they are', async ({ market, ada, pass }) => {
  for (let i = 0; i < 43; i++) market.publish({});
  await pass(5 * MINUTE);
  const lost = market.fail({}, { kind: 'drop', when: 'after' }, Number.POSITIVE_INFINITY);
  await pass(4 * HOUR);
  expect(lost.hits()).toBeGreaterThan(50);
  const budget = (await ada.type('/gig budget')).text;
  const home = (await ada.home()).text;
  const status = (await ada.type('/gig status')).text;
  expect(budget).toContain('43 of 500 credits spent');
  expect(budget).toContain('457 credits left');
  expect(budget).not.toContain('in progress');
  expect(home).toContain('43 of 500 credits');
  for (const text of [budget, home]) {
    expect(text).toContain('9%');
    expect(text).not.toMatch(/runs out/u);
    expect(uncertain(text)).toBeGreaterThan(0);
    // The size of one page.
    expect(uncertain(text)).toBeLessThanOrEqual(100);
  }
  expect(status).toMatch(/43 spent by channels/u);
  expect(status).toMatch(/#web: 43 of 500/u);
  expect(ada.reads('web').filter(({ text }) => /has used|on hold/u.test(text))).toEqual([]);

  market.service.clearFaults();
  const found = market.publish({ title: 'A lake house' });
  await found.cardIn('web');
  await pass(MINUTE);
  expect((await ada.type('/gig budget')).text).toContain('44 of 500 credits spent');
  expect(uncertain((await ada.type('/gig budget')).text)).toBe(0);
  expect(market.service.consumedCredits().total).toBe(44);
});

appTest('while only lookups fail, a lost page stops no filter for long', async ({ market, pass }) => {
  for (let i = 0; i < 3; i++) market.publish({});
  await pass(MINUTE);
  market.fail(PATHS.lookup, presetFaults.status(500), Number.POSITIVE_INFINITY);
  market.fail(PATHS.projects, { kind: 'drop', when: 'after' }, 1);
  await market.publish({ title: 'A lake house' }).cardIn('web');
});
