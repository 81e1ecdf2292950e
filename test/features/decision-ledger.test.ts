/** Who decided, what was shown, what it cost, how it ended: kept over every kill. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { type BidAtHand, begin } from './begin-bid.ts';
import { CREATE, press, SETUP } from './bidder.ts';
import { expectLedgerComplete } from './read-ledger.ts';
import type { World } from './world.ts';

async function crash(world: World): Promise<void> {
  await world.crash();
  await world.restart();
  await world.pass(MINUTE);
}

/** The ledger, short; complete and unchanged. */
async function ledgerOf(bid: BidAtHand) {
  const { ledger, audit } = await bid.books();
  expectLedgerComplete(ledger, audit);
  return ledger.entries
    .filter(
      (it) => it.entry === 'outcome' || (!it.kind.startsWith('access') && !it.kind.startsWith('budget')),
    )
    .map((it) => (it.entry === 'decision' ? it.kind : it.result));
}

describe('a decision', () => {
  it('has who, what was shown, the cost, and how it ended', async () => {
    const { bid, world } = await begin({ reviews: true });
    await bid.open();
    await bid.submit('ben', { bid_amount: '450', boost: '12', cover_letter: 'I built three shops.' });
    await bid.press('Approve', 'ada', 'accept');
    await world.pass(5 * SECOND);
    expect(await ledgerOf(bid)).toEqual(['bid', 'created', 'approve', 'approved']);
    const { ledger } = await bid.books();
    const [sent, , approved] = ledger.entries.filter((it) => it.entry === 'outcome' || it.channel).slice(-4);
    expect(sent).toMatchObject({
      by: world.slack.user('ben').id,
      subject: 'Rebuild our checkout',
      cost: { boostConnects: 12 },
      shown: { text: expect.stringContaining('letter: I built three shops.'), hash: expect.any(String) },
    });
    expect(approved).toMatchObject({
      by: world.slack.user('ada').id,
      shown: { text: expect.stringContaining('I built three shops.') },
    });
  });

  it('of a rejection has its reason', async () => {
    const { bid, world } = await begin({ reviews: true });
    await bid.open();
    await bid.submit();
    await world.slack.closeView({ user: 'ben', all: true });
    await press(world, 'Reject', { message: bid.request() }, 'ada');
    await world.pass(SECOND);
    await world.slack.submitView({ user: 'ada', values: { reason: 'Too cheap' } });
    await world.pass(2 * SECOND);
    expect(await ledgerOf(bid)).toEqual(['bid', 'created', 'approval-rejected']);
    const { ledger } = await bid.books();
    expect(ledger.entries.at(-1)).toMatchObject({ shown: { text: expect.stringContaining('Too cheap') } });
  });
});

describe('a kill', () => {
  it('between the request and its answer leaves the decision, and an unknown outcome', async () => {
    const { bid, world } = await begin();
    const held = world.marketplace.injectFault(CREATE, { kind: 'hold-headers' });
    await bid.open();
    await world.slack.submitView({ user: 'ben', values: { setup: String(SETUP), cover_letter: 'Kept' } });
    await world.until('the request', () => held.hits() === 1, MINUTE);
    expect(await ledgerOf(bid)).toEqual(['bid']);
    await crash(world);
    held.release();
    expect(await ledgerOf(bid)).toEqual(['bid', 'unknown']);
    await world.pass(10 * MINUTE);
    expect((await ledgerOf(bid)).slice(0, 2)).toEqual(['bid', 'unknown']);
  });

  it.each([0, 2, 5, 9, 14, 21, 34, 55, 89])(
    '%i turns after the form was sent leaves a decision for each request, and none without its claim',
    async (turns) => {
      const { bid, world } = await begin();
      const view = await bid.open();
      void world.slack.submitView({ user: 'ben', view, values: { setup: String(SETUP) } });
      for (let turn = 0; turn < turns; turn++) await setImmediate();
      await crash(world);
      const told = (await ledgerOf(bid)).filter((it) => it === 'bid');
      expect(told.length).toBeGreaterThanOrEqual(bid.creates().length);
      expect(told).toHaveLength((await bid.states()).length);
    },
  );
});
