/** Budgets apply to the marketplace's billing periods, despite wrong single answers and clocks. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { FAST, startWorld, type World } from './world.ts';

const BUDGET = 30;

let world: World;
beforeEach(async () => {
  world = await startWorld({ ...FAST });
  world.marketplace.addFilter({ id: 101 });
  await world.gig('web', `budget ${BUDGET}`);
  await world.gig('web', 'subscribe filter 101');
  await world.pass(MINUTE);
});
afterEach(() => world.stop());

/** Jumps ahead in time, with new projects after each jump. */
async function live(days: number, projectsADay: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    for (let count = 0; count < projectsADay; count++) world.marketplace.publishProject(101);
    await world.pass(2 * MINUTE);
    world.clock.moveBy(DAY - 2 * MINUTE);
    await world.pass(0);
  }
}

/** Half a second apart. */
function publish(count: number): void {
  for (let left = count; left > 0; left--) {
    world.marketplace.publishProject(101);
    world.clock.moveBy(SECOND / 2);
  }
}

function charged(): number[] {
  return world.marketplace.consumedCredits().periods.map((period) => period.charged);
}

describe('one budget a billing period is spent', () => {
  it.each(['fixed', 'rolling', 'sometimes-wrong'] as const)(
    'where the reset date is %s',
    async (resetDate) => {
      world.marketplace.setModes({ resetDate });
      await live(36, 4);
      expect(Math.max(...charged())).toBeLessThanOrEqual(BUDGET);
      // Each period's budget is used, so no period was taken for the one before.
      for (const each of charged().slice(0, 2)) expect(each).toBeGreaterThanOrEqual(BUDGET - 10);
    },
  );

  it('where the clock is 40 days ahead for two minutes', async () => {
    publish(60);
    await world.pass(5 * MINUTE);
    expect(charged()[0]).toBeGreaterThanOrEqual(BUDGET - 10);
    world.skew.ms = 40 * DAY;
    publish(60);
    await world.pass(2 * MINUTE);
    world.skew.ms = 0;
    await world.pass(HOUR);
    expect(charged()).toHaveLength(1);
    expect(charged()[0]).toBeLessThanOrEqual(BUDGET);
    expect(await world.gig('web', 'budget')).toMatch(new RegExp(`\\b\\d+ of ${BUDGET}\\b`));
    const left = world.marketplace.creditsResetAt() - world.clock.now();
    world.clock.moveBy(left + MINUTE);
    await world.pass(10 * MINUTE);
    expect(charged().at(-1)).toBeGreaterThanOrEqual(BUDGET - 10);
    expect(Math.max(...charged())).toBeLessThanOrEqual(BUDGET);
  });
});
