/**
 * A bid through kills at every stage, and on a full disk: it is sent once at the most, and its card says
 * how it stands.
 */
import { setImmediate } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest } from '../kit/app-test.ts';
import { PATHS, sendBid } from '../kit/start-desk.ts';

describe('a kill', () => {
  appTest('between request and answer sends nothing again', async ({ desk, market, ben, pass }) => {
    const card = await market.publish().cardIn('web');
    const held = market.fail(PATHS.bid, presetFaults.timeoutAfterEffect());
    await (await ben.press(card, 'Bid')).send({ 'Bidding setup': 'Fast', 'Cover letter': 'Kept' });
    expect(card.text).toContain('sending…');
    await desk.restart();
    held.release();
    await pass(10 * MINUTE);
    expect(market.requests(PATHS.bid)).toHaveLength(1);
    expect(card.offers('Check')).toBe(true);
    expect(card.replies()).toHaveLength(1);
    await ben.close();
    const again = await ben.press(card, 'Try Again');
    expect(again.text).toContain('Kept');
    expect((await again.send()).text).toContain(`#${market.jobs[0]?.id}`);
    expect(market.jobs).toHaveLength(1);
  });

  appTest.for([0, 1, 3, 8, 21, 55])(
    '%i turns after the form was sent',
    async (turns, { desk, market, slack, ben, pass }) => {
      const card = await market.publish().cardIn('web');
      await ben.press(card, 'Bid');
      void slack.submitView({ user: 'ben', values: { setup: '7' } });
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      await desk.restart();
      await pass(2 * MINUTE);
      const [job] = market.jobs;
      const sent = market.requests(PATHS.bid).length;
      expect(sent).toBeLessThanOrEqual(1);
      // Stored but not sent, a person decides.
      if (sent === 0) expect(card.offers('Bid') || card.offers('Check')).toBe(true);
      else expect(card.text.includes(`#${job?.id}`) || card.offers('Check')).toBe(true);
      expect(card.replies().filter((it) => it.text.includes('Fast setup')).length).toBeLessThanOrEqual(1);
    },
  );

  appTest('leaves an open form and a request as good as they were', async ({ desk, market, ada, ben }) => {
    const card = await market.publish().cardIn('web');
    const form = await ada.press(card, 'Bid');
    await sendBid(ben, card);
    await desk.restart();
    expect((await form.send({ 'Bidding setup': 'Fast' })).text).toContain(`#${market.jobs[0]?.id}`);
    expect(market.requests(PATHS.bid)).toHaveLength(1);
  });
});

describe('a full disk', () => {
  appTest('sends no bid that could not be put on record first', async ({ app, market, ben, pass }) => {
    const card = await market.publish().cardIn('web');
    const form = await ben.press(card, 'Bid');
    app.room.full = true;
    await form.send({ 'Bidding setup': 'Fast' });
    expect(market.requests(PATHS.bid)).toEqual([]);
    app.room.full = false;
    await pass(2 * MINUTE);
    await ben.close();
    await sendBid(ben, card);
    expect(market.requests(PATHS.bid)).toHaveLength(1);
  });

  appTest('while the answer is in flight loses none of it', async ({ app, market, ben, pass }) => {
    const card = await market.publish().cardIn('web');
    const held = market.fail(PATHS.bid, presetFaults.timeoutAfterEffect());
    const form = await ben.press(card, 'Bid');
    await form.send({ 'Bidding setup': 'Fast' });
    app.room.full = true;
    held.release();
    await pass(30 * SECOND);
    expect(form.text).toContain(`#${market.jobs[0]?.id}`);
    app.room.full = false;
    await pass(5 * MINUTE);
    expect(market.requests(PATHS.bid)).toHaveLength(1);
    expect(card.text).toContain(`#${market.jobs[0]?.id}`);
  });
});
