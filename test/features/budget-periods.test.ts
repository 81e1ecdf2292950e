/** Budgets apply to the marketplace's billing periods, despite wrong single answers and clocks. */
import { describe, expect } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';
import type { Desk } from '../kit/start-desk.ts';

const BUDGET = 30;

/** Jumps ahead in time, with new projects after each jump. */
async function live({ app, market, pass }: Desk, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    for (let count = 0; count < 4; count++) market.publish({});
    await pass(2 * MINUTE);
    app.clock.moveBy(DAY - 2 * MINUTE);
    await pass(0);
  }
}

function publishMany({ app, market }: Desk, count: number): void {
  for (let left = count; left > 0; left--) {
    market.publish({});
    app.clock.moveBy(SECOND / 2);
  }
}

const charged = ({ market }: Desk) => market.service.consumedCredits().periods.map((it) => it.charged);

describe('one budget a billing period is spent', () => {
  appTest.for(['fixed', 'rolling', 'sometimes-wrong'] as const)(
    'where the reset date is %s',
    async (resetDate, { desk, market, ada }) => {
      await ada.type(`/gig budget ${BUDGET}`);
      market.service.setModes({ resetDate });
      await live(desk, 36);
      expect(Math.max(...charged(desk))).toBeLessThanOrEqual(BUDGET);
      // Each period's budget is used, so no period was taken for the one before.
      for (const each of charged(desk).slice(0, 2)) expect(each).toBeGreaterThanOrEqual(BUDGET - 10);
    },
  );

  appTest('where the clock is 40 days ahead for two minutes', async ({ desk, app, market, ada, pass }) => {
    await ada.type(`/gig budget ${BUDGET}`);
    publishMany(desk, 60);
    await pass(5 * MINUTE);
    expect(charged(desk)[0]).toBeGreaterThanOrEqual(BUDGET - 10);
    app.skew.ms = 40 * DAY;
    publishMany(desk, 60);
    await pass(2 * MINUTE);
    app.skew.ms = 0;
    await pass(HOUR);
    expect(charged(desk)).toHaveLength(1);
    expect(charged(desk)[0]).toBeLessThanOrEqual(BUDGET);
    expect((await ada.type('/gig budget')).text).toMatch(/\d+ of 30 credits/u);
    app.clock.moveBy(market.service.creditsResetAt() - app.clock.now() + MINUTE);
    await pass(10 * MINUTE);
    expect(charged(desk).at(-1)).toBeGreaterThanOrEqual(BUDGET - 10);
    expect(Math.max(...charged(desk))).toBeLessThanOrEqual(BUDGET);
  });
});
