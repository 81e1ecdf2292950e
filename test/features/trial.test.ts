/**
 * A trial's 50 credits don't renew and can't be topped up: a possible trial account gets different advice.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { HomeAtHand } from './home-desk.ts';
import { startWorld, type World, wordsOf } from './world.ts';

const TRIAL = /looks like a trial/i;
const FALSE_HOPE = /tops?.?up|wait (until|for) the reset|before the reset/i;

let world: World;
afterEach(() => world.stop());

function heard(channel: string): string[] {
  return world.slack
    .messages(channel)
    .filter((it) => it.byBot)
    .map(wordsOf);
}

async function follow(): Promise<void> {
  world.marketplace.addFilter({ id: 101 });
  await world.gig('web', 'subscribe filter 101');
  await world.pass(30 * SECOND);
}

async function publish(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    world.marketplace.publishProject(101);
    world.clock.moveBy(SECOND);
  }
  await world.pass(15 * MINUTE);
}

/** All texts about the account's credits. */
async function texts(): Promise<Record<string, string>> {
  const { ciphertext } = world.marketplace.publishProject(101);
  return {
    notice: heard('web').find((it) => /account has/.test(it)) ?? '',
    lookup: await world.gig('web', `lookup ${ciphertext}`),
    status: await world.gig('web', 'status'),
    budget: await world.gig('web', 'budget'),
    home: await new HomeAtHand(world).open('ada'),
  };
}

describe('a trial', () => {
  it('that runs out says it takes a paid plan, and mentions no top-up or reset to wait for', async () => {
    world = await startWorld({ plan: 'trial' });
    await follow();
    await publish(70);
    expect(world.marketplace.consumedCredits().total).toBe(50);
    for (const [where, text] of Object.entries(await texts())) {
      expect(text, where).toMatch(TRIAL);
      expect(text, where).toMatch(/50 credits don't renew/);
      expect(text, where).toMatch(/paid plan/);
      expect(text, where).not.toMatch(FALSE_HOPE);
    }
  });

  it('reads the same in its digest', async () => {
    world = await startWorld({ plan: 'trial' });
    await follow();
    await publish(70);
    await world.pass(7 * HOUR, HOUR);
    await world.gig('web', 'digest now');
    await world.pass(MINUTE);
    const digest = heard('web').find((it) => /credits spent/.test(it)) ?? '';
    const [feed = '', account = ''] = [/Filter 101.*/, /Account:.*/].map((it) => it.exec(digest)?.[0]);
    for (const text of [feed, account]) {
      expect(text).toMatch(TRIAL);
      expect(text).toMatch(/paid plan/);
      expect(text).not.toMatch(FALSE_HOPE);
    }
  });
});

describe('a paid account', () => {
  it('that starts nearly empty looks like a trial until a top-up, with a note on renewal', async () => {
    world = await startWorld();
    world.marketplace.setCredits(20);
    await follow();
    await publish(30);
    for (const [where, text] of Object.entries(await texts())) {
      expect(text, where).toMatch(TRIAL);
      expect(text, where).toMatch(/paid plan.*renew/);
    }

    world.marketplace.topUpCredits(500);
    await world.pass(30 * MINUTE);
    expect(await world.gig('web', 'status')).not.toMatch(TRIAL);
    world.marketplace.setCredits(0);
    await publish(5);
    for (const text of Object.values(await texts()).slice(1)) expect(text).not.toMatch(TRIAL);
  });

  it('that runs out may wait for the reset or top up', async () => {
    world = await startWorld();
    await follow();
    await publish(1);
    world.marketplace.setCredits(0);
    await publish(5);
    const { notice, lookup, status } = await texts();
    for (const text of [notice, lookup, status]) {
      expect(text).toMatch(FALSE_HOPE);
      expect(text).not.toMatch(TRIAL);
    }
  });
});
