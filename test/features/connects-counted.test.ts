/**
 * A week's connects are what was spent, or may have been: no more once that is proven, and no less before.
 */
import { expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Message } from '../kit/read-screen.ts';
import { type Desk, PATHS, setRules } from '../kit/start-desk.ts';

const reviewed = appTestWith({ reviews: true });

/** A bid with 30 of 40 connects that waits for review, and its request. */
async function bidWithBoost(desk: Desk): Promise<{ card: Message; request: Message }> {
  await setRules(desk.person('ada'), { 'Connects a week for this channel': '40' });
  const card = await desk.market.publish().cardIn('web');
  const ben = desk.person('ben');
  await (await ben.press(card, 'Bid')).send({ 'Bidding setup': 'Fast setup', Boost: '30' });
  await ben.close();
  const [request] = card.replies().filter((it) => it.offers('Reject'));
  return { card, request: request ?? expect.fail('no request for approval') };
}

/** Connects of this week, as the form with the rules shows them. */
async function connectsOf(desk: Desk): Promise<number> {
  const ada = desk.person('ada');
  const form = await (await ada.type('/gig settings')).press('Spending Rules');
  const [, used] = /([\d,]+) connects? used/u.exec(form.text) ?? [];
  await ada.close();
  return Number(used);
}

reviewed('an approval that wasn’t done gives back what it reserved', async ({ desk, ada, market }) => {
  const { request } = await bidWithBoost(desk);
  expect(await connectsOf(desk)).toBe(30);
  market.fail(PATHS.approve, { kind: 'drop', when: 'before' });
  await (await ada.press(request, 'Review')).send();
  expect(await connectsOf(desk)).toBe(30);
  await desk.pass(30 * MINUTE);
  expect(request.text).toContain('never reached the marketplace');
  expect(await connectsOf(desk)).toBe(0);
});

reviewed(
  'a rejection gives back nothing while an approval may have been done',
  async ({ desk, ada, market }) => {
    const { card, request } = await bidWithBoost(desk);
    market.fail(PATHS.approve, presetFaults.timeoutAfterEffect());
    await (await ada.press(request, 'Review')).send();
    const silent = market.fail(PATHS.bidStatus, presetFaults.status(503), 1_000);
    await desk.pass(20 * MINUTE);
    const [open] = card.replies().filter((it) => it.offers('Reject'));
    if (!open)
      return expect.fail(
        card
          .replies()
          .map((it) => it.text)
          .join('\n'),
      );
    await (await ada.press(open, 'Reject')).send({ Reason: 'Too cheap' });
    await ada.close();
    expect(await connectsOf(desk)).toBe(30);
    silent.cancel();
    await desk.pass(30 * MINUTE);
    expect(await connectsOf(desk)).toBe(30);
  },
);
