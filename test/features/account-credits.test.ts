/** An account without credits, until somebody tops it up in the marketplace's dashboard. */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTest } from '../kit/app-test.ts';

const OUT = /on hold: the marketplace account has no credits left/u;
const BACK = /New projects are back/u;

appTest(
  'a top-up is noticed within a minute, and each channel hears it once',
  async ({ market, ada, pass }) => {
    await ada.type('/gig subscribe filter 101', 'data');
    const heard = (channel: string, what: RegExp) =>
      ada.reads(channel).filter(({ text }) => what.test(text)).length;
    for (const round of [1, 2]) {
      market.service.setCredits(0);
      const found = market.publish({ title: `A lake house ${round}` });
      await pass(20 * MINUTE);
      for (const channel of ['web', 'data']) {
        expect(heard(channel, OUT)).toBe(round);
        expect(heard(channel, BACK)).toBe(round - 1);
      }
      market.service.topUpCredits(500);
      await pass(MINUTE);
      await found.cardIn('web');
      await found.cardIn('data');
      await pass(20 * MINUTE);
      for (const channel of ['web', 'data']) expect(heard(channel, BACK)).toBe(round);
    }
  },
);
