/**
 * The weekly cap on connects, of a channel and of each person. A week's connects are what was spent, or may
 * have been: no more once that is proven, and no less before.
 */
import { describe, expect } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { presetFaults } from '../../src/workbench/marketplace/faults.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { type Message, offering } from '../kit/read-screen.ts';
import { type Desk, PATHS, sendBid, setRules } from '../kit/start-desk.ts';

const reviewed = appTestWith({ reviews: true });
const CHANNEL = 'Connects a week for this channel';

/** Connects of this week, as the form with the rules shows them. */
async function connectsOf(desk: Desk): Promise<number> {
  const ada = desk.person('ada');
  const form = await (await ada.type('/gig settings')).press('Spending Rules');
  const [, used] = /([\d,]+) connects? used/u.exec(form.text) ?? [];
  await ada.close();
  return Number(used);
}

/** Bids on a new project with this boost. */
async function bidWith(desk: Desk, boost: number, by = 'ben') {
  const card = await desk.market.publish({ title: `Shop ${desk.app.clock.now()}` }).cardIn('web');
  return { card, answer: await sendBid(desk.person(by), card, { Boost: boost }) };
}

const warnings = (desk: Desk) =>
  desk
    .person('ada')
    .reads('web')
    .filter((it) => it.text.includes('weekly cap'))
    .map((it) => it.text);

describe('the weekly cap of a channel', () => {
  appTest(
    'sends nothing above it, warns once at 80 %, and begins anew on Monday',
    async ({ desk, market, ada }) => {
      await setRules(ada, { [CHANNEL]: '50' });
      await bidWith(desk, 30);
      expect(warnings(desk)).toEqual([]);
      await bidWith(desk, 10);
      expect(warnings(desk)).toHaveLength(1);
      expect(warnings(desk)[0]).toContain('40 of 50 connects');
      const { answer } = await bidWith(desk, 11);
      expect(market.jobs).toHaveLength(2);
      for (const part of ['50 connects', '40', '11 connects']) expect(answer.text).toContain(part);
      await bidWith(desk, 10);
      expect(market.jobs).toHaveLength(3);
      await bidWith(desk, 1);
      expect(market.jobs).toHaveLength(3);
      expect(warnings(desk)).toHaveLength(1);
      expect(await connectsOf(desk)).toBe(50);
      await desk.restart(7 * DAY);
      await bidWith(desk, 1);
      expect(market.jobs).toHaveLength(4);
      expect(await connectsOf(desk)).toBe(1);
    },
  );

  appTest(
    'counts what waits until it is canceled, and is checked again when it is sent',
    async ({ desk, market, ada, ben }) => {
      await setRules(ada, { [CHANNEL]: '30', 'Cancel window': '5 minutes' });
      const { card } = await bidWith(desk, 30);
      await desk.restart();
      const { answer } = await bidWith(desk, 1);
      expect(answer.text).toContain('30 connects');
      await ben.press(offering(card, 'Cancel'), 'Cancel');
      expect(await connectsOf(desk)).toBe(0);
      const waiting = await bidWith(desk, 20);
      expect(await connectsOf(desk)).toBe(20);
      await setRules(ada, { [CHANNEL]: '19' });
      await desk.pass(6 * MINUTE);
      expect(market.jobs).toEqual([]);
      expect(
        waiting.card
          .replies()
          .map((it) => it.text)
          .join(),
      ).toContain('exceed the weekly cap');
      expect(await connectsOf(desk)).toBe(0);
    },
  );

  reviewed(
    'counts an approval of the same bid once, and what the proposal says it spent',
    async ({ desk, market, ada }) => {
      await setRules(ada, { [CHANNEL]: '100' });
      const { card } = await bidWith(desk, 12);
      await ada.press(offering(card, 'Review'), 'Review');
      await ada.form().send();
      expect(market.requests(PATHS.approve)).toHaveLength(1);
      expect(await connectsOf(desk)).toBe(12);
      const { connects } = market.service.turnJobIntoProposal(market.jobs[0]?.id ?? 0);
      await desk.pass(30 * MINUTE);
      expect(await connectsOf(desk)).toBe(connects);
    },
  );
});

describe('the warning about what a proposal spent', () => {
  const sunday = Date.parse('2026-01-11T12:00:00Z');
  for (const [when, start, count] of [
    ['before', sunday, 1],
    ['after', sunday + 11.6 * HOUR, 0],
  ] as const)
    appTestWith({ start })(`is about this week: known ${when} its end`, async ({ desk, market, ada }) => {
      await setRules(ada, { [CHANNEL]: '15' });
      await bidWith(desk, 9);
      await desk.pass(30 * MINUTE);
      expect(warnings(desk)).toEqual([]);
      market.service.turnJobIntoProposal(market.jobs[0]?.id ?? 0);
      await desk.pass(3 * HOUR);
      expect(warnings(desk)).toHaveLength(count);
    });
});

appTest('the weekly cap of a person holds for each person alone', async ({ desk, market, ada, ben }) => {
  await setRules(ada, { 'Connects a week for each person': '20' });
  await bidWith(desk, 20);
  const { answer } = await bidWith(desk, 1);
  expect(market.jobs).toHaveLength(1);
  expect(answer.text).toContain('20 connects');
  await bidWith(desk, 20, 'ada');
  expect(market.jobs).toHaveLength(2);
  expect(
    ben
      .inbox()
      .map((it) => it.text)
      .join(),
  ).toContain('your weekly cap');
});

describe('what an approval reserved', () => {
  /** A bid with 30 of 40 connects that waits for review, and its request. */
  async function bidForReview(desk: Desk): Promise<{ card: Message; request: Message }> {
    await setRules(desk.person('ada'), { [CHANNEL]: '40' });
    const { card } = await bidWith(desk, 30);
    return { card, request: offering(card, 'Reject') };
  }

  reviewed('comes back if it wasn’t done', async ({ desk, ada, market }) => {
    const { request } = await bidForReview(desk);
    expect(await connectsOf(desk)).toBe(30);
    market.fail(PATHS.approve, { kind: 'drop', when: 'before' });
    await (await ada.press(request, 'Review')).send();
    expect(await connectsOf(desk)).toBe(30);
    await desk.pass(30 * MINUTE);
    expect(request.text).toContain('never reached the marketplace');
    expect(await connectsOf(desk)).toBe(0);
  });

  reviewed('stays at a rejection while it may have been done', async ({ desk, ada, market }) => {
    const { card, request } = await bidForReview(desk);
    market.fail(PATHS.approve, presetFaults.timeoutAfterEffect());
    await (await ada.press(request, 'Review')).send();
    const silent = market.fail(PATHS.bidStatus, presetFaults.status(503), 1_000);
    await desk.pass(20 * MINUTE);
    await (await ada.press(offering(card, 'Reject'), 'Reject')).send({ Reason: 'Too cheap' });
    await ada.close();
    expect(await connectsOf(desk)).toBe(30);
    silent.cancel();
    await desk.pass(30 * MINUTE);
    expect(await connectsOf(desk)).toBe(30);
  });
});
