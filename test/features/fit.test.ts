/** A card names only filters whose rules its project passed, and says how well it fits. */
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { buttonsOf } from './buttons.ts';
import { FAST, startWorld, type World, wordsOf } from './world.ts';

let world: World;
afterEach(() => world.stop());

const RECORD = {
  country: 'Norway',
  paymentMethodVerified: true,
  totalSpent: 40_000,
  totalHires: 40,
  hireRate: 0.9,
  rating: 4.9,
  reviews: 30,
};

async function begin(): Promise<void> {
  world = await startWorld(FAST);
  world.marketplace.addFilter({ id: 101 });
  world.marketplace.addFilter({ id: 102 });
  await world.gig('web', 'budget off');
}

/** The card of the newest project, once it is posted. */
async function cardOf(title: string): Promise<string> {
  await world.until(`a card of ${title}`, () => world.cards('web').some((it) => wordsOf(it).includes(title)));
  return wordsOf(world.cards('web').find((it) => wordsOf(it).includes(title)) ?? expect.fail());
}

describe('a card', () => {
  it('names only filters whose rules the project passed, also after a restart', async () => {
    await begin();
    await world.gig('web', 'subscribe filter 101 react');
    await world.gig('web', 'subscribe filter 102 spent:>10k');
    await world.pass(20 * SECOND);
    const poor = { ...RECORD, totalSpent: 200 };
    world.marketplace.publishProject([101, 102], { title: 'React shop, small client', client: poor });
    world.marketplace.publishProject([101, 102], { title: 'React shop, rich client', client: RECORD });
    await world.pass(MINUTE);
    const small = await cardOf('React shop, small client');
    expect(small).toContain('filter 101');
    expect(small).not.toContain('filter 102');
    for (const name of ['filter 101', 'filter 102'])
      expect(await cardOf('React shop, rich client')).toContain(name);
    await world.crash();
    await world.restart();
    await world.gig('web', 'subscribe filter 102 spent:>=0');
    await world.slack.press({ message: smallCard(), user: 'ada', actionId: actionIds.claim });
    await world.until('the claim', () => wordsOf(smallCard()).includes('Claimed'));
    expect(wordsOf(smallCard())).not.toContain('filter 102');
  });

  it('says that a project is like those that the team claimed, and the store keeps it', async () => {
    await begin();
    await world.gig('web', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    const same = { skills: ['React', 'TypeScript'], client: RECORD };
    for (const name of ['One', 'Two', 'Three'])
      world.marketplace.publishProject(101, { title: `${name} claimed`, ...same });
    await world.until('three cards', () => world.cards('web').length === 3);
    expect(await cardOf('One claimed')).not.toMatch(/claimed or bid/u);
    for (const message of world.cards('web'))
      await world.slack.press({ message, user: 'ada', actionId: actionIds.claim });
    await world.pass(6 * MINUTE);
    world.marketplace.publishProject(101, { title: 'Another like them', ...same });
    world.marketplace.publishProject(101, { title: 'Logo', skills: ['Illustrator', 'Logo Design'] });
    expect(await cardOf('Another like them')).toMatch(/fit.*\b3 projects you claimed/u);
    expect(await cardOf('Logo')).not.toMatch(/projects you claimed/u);
  });
});

describe('a summary of many projects', () => {
  it('lists the best first, and posts the best or the newest as cards', async () => {
    await begin();
    await world.gig('web', 'subscribe filter 101');
    await world.pass(20 * SECOND);
    const weak = { ...RECORD, totalSpent: 0, totalHires: 0, hireRate: 0, rating: 0, reviews: 0 };
    for (let each = 1; each <= 24; each++) {
      world.clock.moveBy(SECOND);
      const isGood = each <= 3;
      const client = isGood ? RECORD : { ...weak, paymentMethodVerified: false };
      world.marketplace.publishProject(101, { title: `${isGood ? 'Good' : 'Weak'} no. ${each}.`, client });
    }
    await world.pass(MINUTE);
    const summary = () =>
      world.slack.messages('web').find((it) => buttonsOf(it, actionIds.showMore).length > 0) ?? expect.fail();
    expect(wordsOf(summary())).toMatch(/Good no. 3\..*good fit.*Good no. 1\..*Weak no. 24\..*weak fit/isu);
    const [best] = buttonsOf(summary(), actionIds.showMore);
    expect(best?.label).toBe('Show Best 10');
    await world.slack.press({ message: summary(), user: 'ada', actionId: actionIds.showMore });
    await world.pass(MINUTE);
    const cards = () => world.cards('web').map(wordsOf).join('\n');
    expect(world.cards('web')).toHaveLength(10);
    for (const each of [1, 2, 3]) expect(cards()).toContain(`Good no. ${each}.`);
    expect(cards()).not.toContain('Weak no. 4.');
    await world.slack.press({ message: summary(), user: 'ada', actionId: actionIds.showNewest });
    await world.pass(MINUTE);
    expect(world.cards('web')).toHaveLength(20);
    expect(wordsOf(summary())).toMatch(/Weak no. 4\./u);
    expect(buttonsOf(summary(), actionIds.showNewest)).toEqual([]);
  });
});

function smallCard() {
  const card = world.cards('web').find((it) => wordsOf(it).includes('small client'));
  return card ?? expect.fail('no card');
}
