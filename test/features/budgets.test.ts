import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/clock.ts';
import { asRead, refusalFor } from './as-read.ts';
import { press } from './bidder.ts';
import { postOf, startWorld, type World, wordsOf } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101 });
});
afterEach(() => world.stop());

/** How many projects the channel got, on cards or in summaries: every item with a post. */
function bought(): number {
  return world.marketplace.consumedCredits().total;
}

/** The channel's notices about its budget: once each, in a post with the notice's key. */
function notices(channel: string, matter: 'budget-low' | 'budget-spent'): readonly string[] {
  const { id } = world.slack.channel(channel);
  const told = world.slack.messages(channel).filter((it) => postOf(it).startsWith(`notice:${id}:${matter}:`));
  return told.map((it) => asRead(world, wordsOf(it)));
}

/** The channel's notices about ada's changes of its budget. */
function changes(channel: string): readonly string[] {
  const ada = world.slack.user('ada').id;
  return world.slack
    .messages(channel)
    .map(wordsOf)
    .filter((it) => it.includes(`<@${ada}>`));
}

describe('a budget', () => {
  it('of 25 with 100 projects waiting spends at most 25, says so once, and resumes if raised', async () => {
    const { marketplace } = world;
    await world.gig('web', 'budget 25');
    await world.gig('web', 'subscribe filter 101');
    await world.pass(30 * SECOND);
    for (let i = 0; i < 100; i++) {
      marketplace.publishProject(101);
      world.clock.moveBy(500);
    }
    await world.pass(10 * MINUTE);
    expect(bought()).toBeLessThanOrEqual(25);
    expect(bought()).toBeGreaterThan(15);
    expect(notices('web', 'budget-spent')).toHaveLength(1);
    expect(notices('web', 'budget-spent')).toMatchSnapshot();

    await world.gig('web', 'budget 200');
    await world.pass(10 * MINUTE);
    expect(bought()).toBe(100);
    expect(await world.gig('web', 'budget')).toMatch(/\b100\b/);
  });

  it('that is set to what it is tells its admin so, and the channel nothing', async () => {
    await world.gig('web', 'budget 500');
    expect(changes('web')).toHaveLength(1);
    const same = await world.gig('web', 'budget 500');
    expect(same).toMatch(/\b500\b/);
    await world.gig('web', 'budget off');
    expect([same, await world.gig('web', 'budget off')]).toMatchSnapshot();
    expect(changes('web')).toHaveLength(2);
    expect(changes('web').map((it) => asRead(world, it))).toMatchSnapshot();
  });

  it('warns once at 80 %', async () => {
    const { marketplace } = world;
    await world.gig('web', 'budget 20');
    await world.gig('web', 'subscribe filter 101');
    await world.pass(30 * SECOND);
    for (let i = 0; i < 10; i++) {
      marketplace.publishProject(101);
      await world.pass(40 * SECOND);
    }
    await world.pass(5 * MINUTE);
    expect(bought()).toBeLessThanOrEqual(20);
    for (const lookup of marketplace.projects().slice(0, 3))
      await world.gig('web', `lookup ${lookup.ciphertext}`);
    expect(notices('web', 'budget-low')).toHaveLength(1);
  });

  it('begins anew with the next billing period, and the backlog comes then', async () => {
    const { marketplace } = world;
    await world.gig('web', 'budget 10');
    await world.gig('web', 'subscribe filter 101');
    await world.pass(30 * SECOND);
    for (let i = 0; i < 18; i++) {
      marketplace.publishProject(101);
      world.clock.moveBy(SECOND);
    }
    await world.pass(5 * MINUTE);
    expect(bought()).toBeLessThanOrEqual(10);
    const jump = marketplace.creditsResetAt() - world.clock.now() + MINUTE;
    world.clock.moveBy(Math.min(jump, 40 * DAY));
    await world.pass(10 * MINUTE);
    const periods = marketplace.consumedCredits().periods;
    expect(periods.every((period) => period.charged <= 10)).toBe(true);
    expect(new Set(marketplace.chargedProjects().map((it) => it.projectId)).size).toBe(18);
  });

  it('lists a backfill as one, with who asked for it', async () => {
    const { marketplace } = world;
    await world.gig('web', 'subscribe filter 101');
    for (let i = 0; i < 12; i++) marketplace.publishProject(101);
    await world.gig('data', 'subscribe filter 101', 'ada');
    await world.gig('data', 'subscribe filter 101 backfill 12', 'ben');
    await world.pass(5 * MINUTE);
    await world.gig('data', 'budget');
    const shown = () => world.slack.ephemerals('ada', 'data').at(-1) ?? expect.fail('no answer');
    await press(world, 'Show Charges', { message: shown() }, 'ada');
    await world.pass(2 * SECOND);
    expect(asRead(world, wordsOf(shown()))).toMatch(/Backfill: .*101.* · @ben · \d/u);
  });

  it('lists each charge: its filter or project, who caused it, what the account has left', async () => {
    const { marketplace } = world;
    await world.gig('web', 'subscribe filter 101');
    await world.pass(30 * SECOND);
    marketplace.publishProject(101);
    await world.pass(2 * MINUTE);
    const looked = marketplace.publishProject(101);
    await world.gig('web', `lookup ${looked.ciphertext}`, 'ben');
    await world.gig('web', 'budget', 'ben');
    const shown = () => world.slack.ephemerals('ben', 'web').at(-1) ?? expect.fail('no answer');
    await press(world, 'Show Charges', { message: shown() });
    await world.pass(2 * SECOND);
    const charges = asRead(world, wordsOf(shown()));
    expect(charges).toMatch(/New projects: .*101/u);
    expect(charges).not.toContain('Note');
    expect(charges).toMatch(new RegExp(`${looked.ciphertext} · @ben · 1 · \\d+`, 'u'));
    const { total } = marketplace.consumedCredits();
    expect(total).toBe(2);
    await world.gig('data', 'budget');
    const other = world.slack.ephemerals('ada', 'data').at(-1) ?? expect.fail('no answer');
    await press(world, 'Show Charges', { message: other }, 'ada');
    await world.pass(2 * SECOND);
    expect(wordsOf(world.slack.ephemerals('ada', 'data').at(-1) ?? other)).not.toContain(looked.ciphertext);
  });

  it('can be set by admins alone', async () => {
    expect(await world.gig('web', 'budget 5', 'ben')).toContain(refusalFor('admin'));
    expect(await world.gig('web', 'budget')).toMatch(/500/);
  });

  it('covers lookups: the last credits are kept for them', async () => {
    const { marketplace } = world;
    const project = marketplace.publishProject(101, { title: 'Build a pricing engine' });
    await world.gig('web', 'budget 1');
    expect(await world.gig('web', `lookup ${project.ciphertext}`)).toContain('Build a pricing engine');
    const other = marketplace.publishProject(101);
    expect(asRead(world, await world.gig('web', `lookup ${other.ciphertext}`))).toMatchSnapshot();
    expect(bought()).toBe(1);
    expect(await world.gig('web', `lookup ${project.ciphertext}`)).toContain('Build a pricing engine');
  });
});
