/** A channel hears once that its budget runs low, before it's used up, whatever the budget's size. */
import { describe, expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';

const FILTER = 201;
const warning = /This channel has used (\d+) of its (\d+) credits/u;
const onHold = /New projects are on hold: this channel has/u;

describe.each([
  [20, 18],
  [48, 46],
  [100, 98],
])('a budget of %d', (limit, count) => {
  const appTest = appTestWith({ empty: true });

  appTest(
    'warns once, then goes on hold, whether found at once or one by one',
    async ({ app, market, ada, pass }) => {
      for (const [place, channel] of ['web', 'data'].entries()) {
        market.service.addFilter({ id: FILTER + place });
        await ada.type(`/gig budget ${limit}`, channel);
        await ada.type(`/gig subscribe filter ${FILTER + place}`, channel);
        await pass(30 * SECOND);
        for (let i = 0; i < count; i++) {
          market.publish({}, FILTER + place);
          if (channel === 'web') await pass(15 * SECOND);
          else app.clock.moveBy(500);
        }
        await pass(8 * MINUTE);
        const heard = ada.reads(channel).map(({ text }) => text);
        const warned = heard.filter((text) => warning.test(text));
        expect(warned).toHaveLength(1);
        const [, used, of] = warning.exec(warned[0] ?? '') ?? [];
        expect(Number(of)).toBe(limit);
        if (limit >= 100) expect(Number(used)).toBeGreaterThanOrEqual(0.8 * limit);
        expect(Number(used)).toBeLessThanOrEqual(limit - 10);
        const held = heard.findIndex((text) => onHold.test(text));
        expect(held).toBeGreaterThan(heard.findIndex((text) => warning.test(text)));
        expect(heard.filter((text) => onHold.test(text))).toHaveLength(1);
      }
    },
  );
});
