/** Who decided, what was shown, what it cost, how it ended: kept over every kill. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { offering } from '../kit/read-screen.ts';
import { type Desk, FAST_SETUP, PATHS, sendBid } from '../kit/start-desk.ts';
import { exportAudit } from './read-audit.ts';

const reviewed = appTestWith({ reviews: true });

/** The newest decisions of a kind, as the exported log has them, oldest first. */
async function decided(desk: Desk, ...kinds: readonly string[]) {
  const { rows } = await exportAudit(desk, desk.person('ada'));
  return rows.filter((it) => kinds.includes(it['action'] ?? '')).toReversed();
}

describe('a bid', () => {
  reviewed(
    'has who, what was shown, its cost and its end; so have its approvals',
    async ({ desk, market, ada, ben }) => {
      const card = await market.publish().cardIn('web');
      const letter = 'I built three "shops".';
      await sendBid(ben, card, { 'Fixed-price bid': '450', Boost: '12', 'Cover letter': letter });
      await (await ada.press(offering(card, 'Reject'), 'Reject')).send({ Reason: 'Too cheap' });
      await ada.close();
      await ben.press(offering(card, 'Ask Again'), 'Ask Again');
      await ada.press(offering(card, 'Approve'), 'Approve');
      const [sent, rejected, approved] = await decided(desk, 'bid', 'approval-rejected', 'approve');
      expect(sent).toMatchObject({ person: ben.id, subject: 'Rebuild our checkout', outcome: 'created' });
      expect(sent).toMatchObject({
        boost_connects: '12',
        shown: expect.stringContaining(`letter: ${letter}`),
      });
      expect(rejected).toMatchObject({ person: ada.id, shown: expect.stringContaining('Too cheap') });
      expect(approved).toMatchObject({ person: ada.id, outcome: 'approved' });
      expect(approved?.['shown']).toContain(letter);
      for (const row of [sent, rejected, approved]) {
        expect(Number(row?.['ledger_number'])).toBeGreaterThan(0);
        expect(row?.['ledger_hash']).toMatch(/^[a-f\d]{16,64}$/u);
      }
    },
  );

  appTest('that was killed before its answer has an unknown end', async ({ desk, slack, market, ben }) => {
    const held = market.fail(PATHS.bid, { kind: 'hold-headers' });
    const card = await market.publish().cardIn('web');
    await ben.press(card, 'Bid');
    void slack.submitView({ user: 'ben', values: { setup: String(FAST_SETUP.id) } });
    await desk.app.until('the request', () => held.hits() === 1);
    await desk.restart();
    held.release();
    expect(await decided(desk, 'bid')).toMatchObject([{ outcome: 'unknown' }]);
  });

  appTest.for([2, 9, 34])(
    'has a decision for its request, and none without, %i turns after the form was sent',
    async (turns, { desk, slack, market, ben }) => {
      const card = await market.publish().cardIn('web');
      await ben.press(card, 'Bid');
      void slack.submitView({ user: 'ben', values: { setup: String(FAST_SETUP.id) } });
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      await desk.restart();
      const isStored = card.text.includes('@ben');
      expect(await decided(desk, 'bid')).toHaveLength(isStored ? 1 : 0);
      expect(market.requests(PATHS.bid).length).toBeLessThanOrEqual(isStored ? 1 : 0);
    },
  );
});

describe('a subscription', () => {
  const bare = appTestWith({ empty: true });

  /** A filter with 30 past projects. */
  async function addFilter({ app, market }: Desk): Promise<void> {
    market.service.addFilter({ id: 102, name: 'Shops' });
    for (let made = 0; made < 30; made++) {
      app.clock.moveBy(SECOND);
      market.service.publishProject(102);
    }
  }

  const untilPast = ({ app, person }: Desk) =>
    app.until('the past projects', () =>
      person('ada')
        .reads('web')
        .some((it) => /past projects posted/u.test(it.text)),
    );
  const total = ({ market }: Desk) => market.service.consumedCredits().total;

  bare('has who subscribed and unsubscribed, and what was shown', async ({ desk, ada }) => {
    await addFilter(desk);
    await ada.type('/gig subscribe filter 102 -wordpress');
    await ada.type('/gig subscribe filter 102 react');
    await (await ada.type('/gig list')).press('Unsubscribe');
    const rows = await decided(desk, 'subscribed', 'unsubscribed');
    expect(rows).toMatchObject([
      { action: 'subscribed', subject: 'filter 102', shown: expect.stringContaining('-wordpress') },
      { action: 'subscribed', shown: expect.stringContaining('filter: 102\nrules: react') },
      { action: 'unsubscribed', person: ada.id, subject: 'filter 102' },
    ]);
  });

  bare('with past projects has what they have cost, also over kills', async ({ desk, ada }) => {
    await addFilter(desk);
    await ada.type('/gig subscribe filter 102 backfill 18');
    for (let kills = 0; kills < 3; kills++) {
      for (let turn = 0; turn < kills * 9; turn++) await setImmediate();
      await desk.restart();
    }
    await untilPast(desk);
    const [row] = await decided(desk, 'subscribed');
    expect(row).toMatchObject({ outcome: 'done' });
    expect(Number(row?.['credits'])).toBeGreaterThanOrEqual(18);
    expect(Number(row?.['credits'])).toBeLessThanOrEqual(total(desk));
    expect((await ada.type('/gig audit')).text).toMatch(/18 past projects.*done: posted 18 of 18/u);
  });

  bare.for(['a lost answer', 'a kill'])(
    'has what a page cost that had no answer: %s',
    async (what, { desk, ada, market }) => {
      await addFilter(desk);
      await ada.type('/gig subscribe filter 102');
      await desk.pass(30 * SECOND);
      const before = total(desk);
      const lost = market.fail(PATHS.projects, { kind: 'hold-headers' });
      await ada.type('/gig subscribe filter 102 backfill 18');
      await desk.app.until('the lost page', () => lost.hits() === 1);
      if (what === 'a kill') await desk.restart();
      await untilPast(desk);
      const row = (await decided(desk, 'subscribed')).at(-1);
      // The answers after the lost one prove what that has cost.
      expect(row).toMatchObject({
        outcome: 'done',
        credits: String(total(desk) - before),
        uncertain_credits: '',
      });
      expect(total(desk)).toBeGreaterThan(before);
    },
  );

  bare(
    'that ends without an answer has what is uncertain, and later what it has cost',
    async ({ desk, ada, market }) => {
      await addFilter(desk);
      await ada.type('/gig subscribe filter 102');
      await desk.pass(30 * SECOND);
      const before = total(desk);
      const lost = market.fail(PATHS.projects, { kind: 'drop', when: 'after' });
      await ada.type('/gig subscribe filter 102 backfill 18');
      await desk.app.until('the lost page', () => lost.hits() === 1);
      const cost = total(desk) - before;
      await (await ada.type('/gig list')).press('Unsubscribe');
      const uncertain = (await decided(desk, 'subscribed')).at(-1);
      expect(uncertain).toMatchObject({ outcome: 'stopped', credits: '0', uncertain_credits: '18' });
      await ada.type('/gig subscribe filter 102');
      await desk.pass(5 * MINUTE);
      const [, known] = await decided(desk, 'subscribed');
      expect(cost).toBeGreaterThan(0);
      expect(known).toMatchObject({ outcome: 'stopped', credits: String(cost), uncertain_credits: '' });
    },
  );

  bare.for([2, 9, 34])(
    'is never there without its decision: %i turns',
    async (turns, { desk, slack, ada }) => {
      await addFilter(desk);
      const text = 'subscribe filter 102 backfill 5';
      void slack.runSlashCommand({ user: 'ada', channel: 'web', text });
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      await desk.restart();
      const isThere = (await ada.type('/gig list')).offers('Unsubscribe');
      expect(await decided(desk, 'subscribed')).toHaveLength(isThere ? 1 : 0);
    },
  );
});
