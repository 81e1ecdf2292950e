import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { channelLedgerRecords } from '../../src/credits/records.ts';
import { ChartError } from '../../src/pictures/chart-renderer.ts';
import { Mortal } from '../mortal.ts';
import { plainProposal } from '../plain-proposal.ts';
import { ANA, CHANNEL, TEAM } from '../slack/samples.ts';
import { DigestWorld, FRIDAY, PROFILE, slackFailure } from './digest-world.ts';

/** A posted digest with data for charts. */
async function begin(): Promise<DigestWorld> {
  const world = new DigestWorld(FRIDAY - HOUR);
  await world.tell('one');
  await world.pass(HOUR);
  await world.digests.postDigestNow(CHANNEL, ANA, 'p');
  await world.deliver();
  return world;
}

const stateOf = async (world: DigestWorld) => (await world.newest()).pictures?.state;

describe('pictures of a digest', () => {
  it('come into its thread, once it stands there, all in one message', async () => {
    const world = new DigestWorld(FRIDAY - HOUR);
    const ledger = {
      at: FRIDAY - HOUR,
      order: 1,
      period: 1,
      credits: 12,
      shares: [{ channel: CHANNEL, credits: 12 }],
    };
    const purchase = { endpoint: 'lookup', subject: '~1' } as const;
    await world.put((tx) =>
      tx.put(channelLedgerRecords, [TEAM, CHANNEL, ledger.at, 1], { ...ledger, purchase }),
    );
    await world.followProfile();
    world.proposals = [
      plainProposal(2, { submittedAt: FRIDAY - DAY, profile: { id: PROFILE }, viewed: true, hired: true }),
      plainProposal(1, { submittedAt: FRIDAY - 31 * DAY, profile: { id: PROFILE } }),
    ];
    await world.tell('one');
    await world.pass(HOUR);
    await world.digests.postDigestNow(CHANNEL, ANA, 'p');
    world.begin();
    await world.pass(MINUTE);
    expect([world.uploaded.size, await stateOf(world)]).toEqual([0, 'waiting']);
    await world.deliver();
    await world.pass(2 * MINUTE);
    expect(world.shared).toEqual([['F1', 'F2', 'F3']]);
    expect(await stateOf(world)).toBe('shared');
    expect(world.drawn.map(({ kind }) => kind)).toEqual(['burn', 'funnel', 'hours']);
    expect(world.drawn[0]).toMatchObject({ limit: 500, spent: [{ at: FRIDAY - HOUR, total: 12 }] });
    expect(world.drawn[1]).toMatchObject({ days: 30, sent: 1, viewed: 1, interviewed: 1, hired: 1 });
    expect([...world.uploaded.values()][0]).toMatch(/^credits\.png: .*Nov 20: .*12 of 500 /u);
    expect([...world.uploaded.values()]).toMatchSnapshot();
    await world.pass(DAY);
    await world.end();
    expect(world.shared).toHaveLength(1);
  });

  it('are drawn by the wall clock of the channel', async () => {
    const world = new DigestWorld(Date.parse('2026-11-22T22:30:00Z'));
    await world.plan();
    await world.tell('one');
    await world.pass(MINUTE);
    await world.digests.postDigestNow(CHANNEL, ANA, 'p');
    await world.deliver();
    world.begin();
    await world.pass(MINUTE);
    await world.end();
    const [hours] = world.drawn;
    // Sunday evening in London is Sunday, 23:30, in Berlin.
    expect(hours?.kind === 'hours' && hours.counts[6]?.[23]).toBe(1);
  });

  it('without anything to show there are none, and a digest that tells nothing has none', async () => {
    const world = new DigestWorld(FRIDAY);
    await world.digests.postDigestNow(CHANNEL, ANA, 'p');
    await world.deliver();
    world.begin();
    await world.pass(HOUR);
    await world.end();
    expect([world.uploaded.size, await stateOf(world)]).toEqual([0, undefined]);
  });

  it.each([
    ['drawn', 'draw', new ChartError('late', 'not in 20 s')],
    ['uploaded', 'upload', slackFailure('refused')],
    ['uploaded for the time being', 'upload', slackFailure('rate-limited')],
    ['shown', 'share', slackFailure('refused')],
  ] as const)('that can’t be %s are tried again, and given up after five times', async (_, what, error) => {
    const world = await begin();
    world.failing[what].push(error);
    world.begin();
    await world.pass(MINUTE);
    expect([world.shared.length, await stateOf(world)]).toEqual([1, 'shared']);
    // Nothing can be there already: the thread isn't searched.
    expect(world.looks).toEqual([]);
    await world.end();
    const other = await begin();
    other.failing[what].push(...Array.from({ length: 9 }, () => error));
    other.begin();
    await other.pass(2 * HOUR);
    await other.end();
    expect([other.shared.length, await stateOf(other), other.failing[what].length]).toEqual([0, 'failed', 4]);
    expect(other.lines.filter((line) => line.includes('"level":40'))).toHaveLength(1);
    expect(await other.posted('digest')).toHaveLength(1);
  });

  it('that can’t be drawn at all are left out', async () => {
    const world = await begin();
    world.failing.draw.push(new ChartError('refused', 'no such chart'));
    world.begin();
    await world.pass(MINUTE);
    await world.end();
    expect([world.shared, await stateOf(world)]).toEqual([[], undefined]);
  });

  it.each([true, false])('are never shown twice when no answer comes (carried out: %s)', async (arrives) => {
    const world = await begin();
    world.arrives = arrives;
    world.failing.share.push(slackFailure('unknown'));
    world.begin();
    await world.pass(SECOND);
    expect(await stateOf(world)).toBe('sharing');
    await world.pass(MINUTE);
    await world.end();
    expect([world.shared.length, await stateOf(world)]).toEqual([1, 'shared']);
  });

  it('are shown once although the process dies at any of its commits', async () => {
    for (let commits = 0; commits < 4; commits += 1) {
      for (const after of [false, true]) {
        const world = await begin();
        world.wrap = new Mortal(commits, after).wrap;
        world.restart();
        world.begin();
        await world.pass(MINUTE);
        world.wrap = (store) => store;
        world.restart();
        world.begin();
        await world.pass(10 * MINUTE);
        await world.end();
        expect([world.shared.length, await stateOf(world)]).toEqual([1, 'shared']);
      }
    }
  });

  it('after a kill the thread is looked at once a request on its way has arrived', async () => {
    const world = await begin();
    const asked = world.clock.now();
    world.arrives = false;
    world.failing.share.push(slackFailure('unknown'));
    world.wrap = new Mortal(1).wrap;
    world.restart();
    world.begin();
    await world.pass(SECOND);
    world.wrap = (store) => store;
    world.restart();
    world.begin();
    await world.pass(10 * SECOND);
    world.shared.push([...world.uploaded.keys()]);
    await world.pass(MINUTE);
    await world.end();
    expect(world.looks).toEqual([asked + 15 * SECOND]);
    expect([world.shared.length, await stateOf(world)]).toEqual([1, 'shared']);
  });

  it('while the thread can’t be read nothing is shown', async () => {
    const world = await begin();
    world.failing.share.push(slackFailure('unknown'));
    world.failing.isShared.push(slackFailure('rate-limited'), slackFailure('unknown'));
    world.begin();
    await world.pass(20 * SECOND);
    expect(await stateOf(world)).toBe('sharing');
    await world.pass(10 * MINUTE);
    await world.end();
    expect([world.shared.length, await stateOf(world)]).toEqual([1, 'shared']);
  });

  it('of a digest that does not reach its channel for a day are given up', async () => {
    const world = new DigestWorld(FRIDAY - HOUR);
    await world.tell('one');
    await world.pass(1);
    await world.digests.postDigestNow(CHANNEL, ANA, 'p');
    world.begin();
    await world.pass(DAY + HOUR);
    await world.end();
    expect([world.uploaded.size, await stateOf(world)]).toEqual([0, 'failed']);
  });
});
