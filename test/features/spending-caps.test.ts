/** The weekly cap on connects: for a channel and for each person, with one warning. */
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { connectsUses, connectsWeeks } from '../../src/spending/records.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { type BidAtHand, begin } from './begin-bid.ts';
import { creates, grant, openBid, submitBid } from './bidder.ts';
import { pressHeld, setRules } from './spending-rules.ts';
import { type World, wordsOf } from './world.ts';

/** Projects besides the first one. */
async function publish(world: World, count: number): Promise<readonly ProjectWithFilterIds[]> {
  const all: ProjectWithFilterIds[] = [];
  for (let number = 1; number <= count; number++) {
    world.clock.moveBy(SECOND);
    all.push(
      world.marketplace.publishProject(101, {
        title: `Project ${number}`,
        usOnly: false,
        ukOnly: false,
        budget: { type: 'fixed', fixedAmount: 700 },
      }),
    );
  }
  await world.until(
    'the cards',
    () => all.every((it) => world.told('web').includes(it.ciphertext)),
    5 * MINUTE,
  );
  return all;
}

async function send(world: World, project: ProjectWithFilterIds, boost: string, user = 'ben'): Promise<void> {
  if (world.slack.view(user)) await world.slack.closeView({ user, all: true });
  await openBid(world, project, user);
  await submitBid(world, user, { boost });
}

async function totals(world: World): Promise<Readonly<Record<string, number>>> {
  return world.read(async (tx) => {
    const all = await tx.list(connectsWeeks, { prefix: [world.slack.team.id as never], limit: 50 });
    return Object.fromEntries(all.map(({ value }) => [`${value.subject} ${value.week}`, value.connects]));
  });
}

/** Every total is the sum of what its bids use. */
async function expectTotalsRight(world: World): Promise<void> {
  const sums: Record<string, number> = {};
  await world.read(async (tx) => {
    for (const { value } of await tx.list(connectsUses, {
      prefix: [world.slack.team.id as never],
      limit: 50,
    }))
      for (const subject of ['channel', value.user]) {
        const key = `${subject} ${value.weeks[0]?.week}`;
        sums[key] = (sums[key] ?? 0) + value.connects;
      }
  });
  expect(await totals(world)).toEqual(sums);
}

const warnings = (bid: BidAtHand) =>
  bid.world.slack
    .messages('web')
    .map(wordsOf)
    .filter((it) => it.includes('weekly cap'));

describe('the weekly cap of a channel', () => {
  it('sends nothing above it, with the numbers, warns once at 80 %, and begins anew on Monday', async () => {
    const { bid, world } = await begin();
    await grant(world, ['ben']);
    await setRules(world, { 'channel-cap': '50' });
    const [second, third, fourth] = await publish(world, 3);
    if (!second || !third || !fourth) return expect.fail('too few projects');
    await send(world, bid.project, '30');
    expect(creates(world)).toHaveLength(1);
    expect(warnings(bid)).toEqual([]);
    await send(world, second, '10');
    expect(creates(world)).toHaveLength(2);
    expect(warnings(bid)).toHaveLength(1);
    expect(warnings(bid)[0]).toContain('40 of 50 connects');
    await send(world, third, '11');
    expect(creates(world)).toHaveLength(2);
    for (const part of ['50 connects', '40', '11 connects']) expect(bid.screen('ben')).toContain(part);
    await send(world, third, '10');
    expect(creates(world)).toHaveLength(3);
    expect(warnings(bid)).toHaveLength(1);
    await send(world, fourth, '1');
    expect(creates(world)).toHaveLength(3);
    await expectTotalsRight(world);
    await world.crash();
    world.clock.moveBy(7 * DAY);
    await world.restart();
    await world.pass(MINUTE);
    await send(world, fourth, '1');
    expect(creates(world)).toHaveLength(4);
    await expectTotalsRight(world);
  });

  it('gets back what a canceled, rejected or refused bid reserved, also over a kill', async () => {
    const { bid, world } = await begin();
    await grant(world, ['ben']);
    await setRules(world, { 'channel-cap': '30', 'cancel-window': '60' });
    await send(world, bid.project, '30');
    await world.crash();
    await world.restart();
    const [second] = await publish(world, 1);
    if (!second) return expect.fail('no project');
    await send(world, second, '1');
    expect(bid.screen('ben')).toContain('30 connects');
    await pressHeld(bid, 'Cancel', 'ben');
    await world.pass(2 * SECOND);
    await expectTotalsRight(world);
    await send(world, second, '30');
    await world.pass(2 * MINUTE);
    expect(creates(world)).toHaveLength(1);
    await expectTotalsRight(world);
  });

  it('is checked again at the moment of sending', async () => {
    const { bid, world } = await begin();
    await setRules(world, { 'cancel-window': '60' });
    await bid.open();
    await bid.submit('ben', { boost: '20' });
    await setRules(world, { 'channel-cap': '19' });
    await world.pass(2 * MINUTE);
    expect(bid.creates()).toEqual([]);
    expect(await bid.states()).toEqual(['refused']);
    await expectTotalsRight(world);
  });

  it('counts an approval of the same bid once, and what the proposal says it spent', async () => {
    const { bid, world } = await begin({ reviews: true });
    await setRules(world, { 'channel-cap': '100' });
    await bid.open();
    await bid.submit('ben', { boost: '12' });
    await bid.press('Approve', 'ada', 'accept');
    await world.pass(5 * SECOND);
    expect(bid.approvals()).toHaveLength(1);
    const proposal = world.marketplace.turnJobIntoProposal(bid.job().id);
    await world.pass(30 * MINUTE);
    const all = await totals(world);
    expect(Object.values(all)).toEqual([proposal.connects, proposal.connects]);
    await expectTotalsRight(world);
  });

  it.each([
    ['before', Date.parse('2026-01-11T12:00:00Z'), 1],
    ['after', Date.parse('2026-01-11T23:40:00Z'), 0],
  ])(
    'warns of what a proposal spent if it is known %s the week ends: the warning is about this week',
    async (_, start, count) => {
      const { bid, world } = await begin({ start });
      await setRules(world, { 'channel-cap': '15' });
      await bid.open();
      await bid.submit('ben', { boost: '9' });
      await world.pass(30 * MINUTE);
      expect(warnings(bid)).toEqual([]);
      const { connects } = world.marketplace.turnJobIntoProposal(bid.job().id);
      expect(connects).toBeGreaterThanOrEqual(12);
      await world.pass(3 * HOUR, MINUTE);
      expect(Object.values(await totals(world))).toEqual([connects, connects]);
      expect(warnings(bid)).toHaveLength(count);
    },
  );
});

describe('the weekly cap of a person', () => {
  it('holds for each person alone', async () => {
    const { bid, world } = await begin();
    await grant(world, ['ben']);
    await setRules(world, { 'person-cap': '20' });
    const [second] = await publish(world, 1);
    if (!second) return expect.fail('no project');
    await send(world, bid.project, '20');
    await send(world, second, '1');
    expect(creates(world)).toHaveLength(1);
    expect(bid.screen('ben')).toContain('20 connects');
    await send(world, second, '20', 'ada');
    expect(creates(world)).toHaveLength(2);
    expect(world.slack.directMessages('ben').map(wordsOf).join()).toContain('your weekly cap');
    await expectTotalsRight(world);
  });
});
