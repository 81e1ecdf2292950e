/** Who decided, what was shown, what it cost, how it ended: kept over every kill. */
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditEntries } from '../../src/audit/audit.ts';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { subscriptions } from '../../src/feed/records.ts';
import { TeamId } from '../../src/ids.ts';
import { type BidAtHand, begin } from './begin-bid.ts';
import { CREATE, press, SETUP } from './bidder.ts';
import { unsubscribe } from './buttons.ts';
import { expectLedgerComplete, readLedger } from './read-ledger.ts';
import { posted, startWorld, type World, wordsOf } from './world.ts';

const PAGES = { path: /filters\/101\/projects/u };

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
    .filter((it) => it.entry === 'outcome' || !/^(?:access|budget|subscribed)/u.test(it.kind))
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

describe('a subscription', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
    world.marketplace.addFilter({ id: 101, name: 'React work' });
    for (let made = 0; made < 30; made++) {
      world.clock.moveBy(SECOND);
      world.marketplace.publishProject(101);
    }
    await world.pass(SECOND);
  });
  afterEach(() => world.stop());

  async function read() {
    const team = TeamId.parse(world.slack.team.id);
    return world.read(async (tx) => {
      const { entries, head } = await readLedger(tx, team);
      const audit = await tx.list(auditEntries, { prefix: [team], limit: 100 });
      const subscribed = await tx.list(subscriptions, { prefix: [team], limit: 100 });
      expectLedgerComplete(
        { entries, head },
        audit.map(({ value }) => value),
      );
      const outcomes = entries.filter((it) => it.entry === 'outcome');
      const made = entries.filter((it) => it.entry === 'decision' && it.kind.includes('subscribed'));
      return { decisions: made, outcomes, subscriptions: subscribed.map(({ value }) => value) };
    });
  }

  it('has who subscribed and unsubscribed, and what was shown', async () => {
    await world.gig('web', 'subscribe filter 101 -wordpress');
    await world.gig('web', 'subscribe filter 101 react');
    await unsubscribe(world, 'web', '101');
    const { decisions } = await read();
    expect(decisions).toMatchObject([
      { kind: 'subscribed', subject: 'filter 101', shown: { text: expect.stringContaining('-wordpress') } },
      { kind: 'subscribed', shown: { text: expect.stringContaining('filter: 101\nrules: react') } },
      { kind: 'unsubscribed', by: world.slack.user('ada').id, subject: 'filter 101' },
    ]);
  });

  it('with past projects has what they have cost, also over kills', async () => {
    await world.gig('web', 'subscribe filter 101 backfill 18');
    for (let kills = 0; kills < 6; kills++) {
      await world.pass(SECOND);
      for (let turn = 0; turn < kills * 5; turn++) await setImmediate();
      await world.crash();
      await world.restart();
    }
    await world.until('the end', () => posted(world, 'notice').some((it) => /past/u.test(wordsOf(it))));
    const { decisions, outcomes } = await read();
    expect(outcomes).toMatchObject([{ of: decisions[0]?.seq, result: 'done', words: /posted 18 of 18/u }]);
    const { credits = 0 } = outcomes[0]?.cost ?? {};
    expect(credits).toBeGreaterThanOrEqual(18);
    expect(credits).toBeLessThanOrEqual(world.marketplace.consumedCredits().total);
    expect(await world.gig('web', 'audit')).toMatch(/18 past projects.* → done: posted 18 of 18/u);
    await world.gig('web', 'audit export');
    const file = world.slack.files().at(-1)?.bytes.toString('utf8') ?? '';
    expect(file).toContain('"subscribed","subscribed to a filter","filter 101"');
    expect(file).toMatch(new RegExp(`"done",,,${credits},`, 'u'));
  });

  it.each([
    ['a lost answer', async () => undefined],
    ['a kill', () => world.crash().then(() => world.restart())],
  ])('with past projects has what a page cost that had no answer: %s', async (_, interrupt) => {
    await world.gig('web', 'subscribe filter 101');
    await world.pass(30 * SECOND);
    const before = world.marketplace.consumedCredits().total;
    const lost = world.marketplace.injectFault(PAGES, { kind: 'hold-headers' });
    await world.gig('web', 'subscribe filter 101 backfill 18');
    await world.until('the lost page', () => lost.hits() === 1, MINUTE);
    await interrupt();
    await world.until('the end', () => posted(world, 'notice').some((it) => /past/u.test(wordsOf(it))));
    const { outcomes, decisions } = await read();
    const [ended] = outcomes.filter(({ result }) => result === 'done');
    expect(ended).toMatchObject({ of: decisions.at(-1)?.seq, words: /posted 18 of 18/u });
    // The answers after the lost one prove what that has cost.
    const { total } = world.marketplace.consumedCredits();
    expect(total).toBeGreaterThan(before);
    expect(ended?.cost).toEqual({ credits: total - before });
    expect(outcomes.map(({ result }) => result)).toContain('lost-request');
  });

  it('that ends without an answer has what is uncertain, and later what it has cost', async () => {
    await world.gig('web', 'subscribe filter 101');
    await world.pass(30 * SECOND);
    const lost = world.marketplace.injectFault(PAGES, { kind: 'drop', when: 'after' });
    await world.gig('web', 'subscribe filter 101 backfill 18');
    await world.until('the lost page', () => lost.hits() === 1, MINUTE);
    await world.pass(SECOND);
    await unsubscribe(world, 'web', '101');
    const { outcomes } = await read();
    expect(outcomes).toMatchObject([
      {
        result: 'stopped',
        cost: { credits: 0, uncertainCredits: 18 },
        words: /0 credits, and up to 18 more/u,
      },
    ]);
    await world.gig('web', 'subscribe filter 101');
    await world.pass(5 * MINUTE);
    expect((await read()).outcomes.at(-1)).toMatchObject({ of: outcomes[0]?.of, cost: { credits: 18 } });
    expect((await read()).outcomes.at(-1)?.cost).not.toHaveProperty('uncertainCredits');
    await world.gig('web', 'audit export');
    const file = world.slack.files().at(-1)?.bytes.toString('utf8') ?? '';
    expect(file).toMatch(/"stopped",,,18,,/u);
  });

  it('that ends before its past projects has what they cost until then', async () => {
    await world.gig('web', 'budget 12');
    await world.gig('web', 'subscribe filter 101 backfill 18');
    await world.pass(2 * MINUTE);
    await unsubscribe(world, 'web', '101');
    const { outcomes } = await read();
    expect(outcomes).toMatchObject([{ result: 'stopped', cost: { credits: expect.any(Number) } }]);
  });

  it.each([0, 2, 5, 9, 14, 21, 34, 55])('is never there without its decision: %i turns', async (turns) => {
    void world.slack.runSlashCommand({
      user: 'ada',
      channel: 'web',
      text: 'subscribe filter 101 backfill 5',
    });
    for (let turn = 0; turn < turns; turn++) await setImmediate();
    await world.crash();
    await world.restart();
    await world.pass(MINUTE);
    const now = await read();
    expect(now.decisions).toHaveLength(now.subscriptions.length);
  });
});
