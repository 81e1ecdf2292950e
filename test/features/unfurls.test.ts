/** The cost of posted project links: none without a person's choice to spend. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { ProjectWithFilterIds } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
  world.marketplace.addFilter({ id: 101 });
});
afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

/** Posts a project's link. Returns the credits charged so far. */
async function share({ url }: ProjectWithFilterIds, user = 'ben', channel = 'data'): Promise<number> {
  await world.slack.postLinks({ user, channel, urls: [url] });
  await world.pass(MINUTE);
  return world.marketplace.consumedCredits().total;
}

/** A project of filter 102 with a card in `web` that shows a reason from the team's own prompt. */
async function judged(): Promise<ProjectWithFilterIds> {
  world.marketplace.addFilter({ id: 102, name: 'Our secret niche', qualifier: true });
  await world.gig('web', 'subscribe filter 102');
  await world.pass(20 * SECOND);
  const project = world.marketplace.publishProject(102, {
    title: 'Rebuild our checkout',
    skills: ['Elixir', 'Phoenix'],
    budget: { type: 'fixed', fixedAmount: 4_300 },
    client: { country: 'Norway', rating: 4.8, reviews: 12, totalHires: 9, totalSpent: 51_000 },
  });
  world.marketplace.setVerdict(project.id, {
    decision: 'disqualified',
    reason: 'We lost twice against Acme here',
  });
  await world.until('its card', () => world.told('web').includes(project.ciphertext));
  return project;
}

describe('what a shared link shows', () => {
  it('is public: title, budget, client and skills, and nothing of the team', async () => {
    const project = await judged();
    expect(wordsOf(world.cards('web')[0] ?? expect.fail('no card'))).toContain('Acme');
    await share(project);
    const [{ unfurl } = expect.fail('nothing was unfurled')] = world.slack.unfurls();
    const words = JSON.stringify(unfurl);
    for (const fact of ['Rebuild our checkout', '$4,300', 'Norway', '4.8', 'Elixir'])
      expect(words).toContain(fact);
    expect(words).not.toMatch(/qualified|acme|niche|:robot|verdict/iu);
  });

  it('leads where the person linked to, not to the address that one of our filters got', async () => {
    world.marketplace.setModes({ redirectUrls: true });
    const { id } = world.marketplace.addFilter({ id: 102 });
    await world.gig('web', `subscribe filter ${id}`);
    await world.pass(20 * SECOND);
    world.marketplace.publishProject(102, { title: 'Rebuild our checkout' });
    await world.until('its card', () => world.cards('web').length === 1);
    const told = JSON.stringify(world.cards('web').map(({ blocks }) => blocks));
    const pid = /pid=(\d+)/u.exec(told)?.[1] ?? expect.fail('no pid');
    await world.slack.postLinks({
      user: 'ben',
      channel: 'data',
      urls: [`https://www.marketplace.example/redirect?pid=${pid}&source=mail`],
    });
    await world.pass(MINUTE);
    const words = JSON.stringify(world.slack.unfurls().map(({ unfurl }) => unfurl));
    expect(words).toContain('source=mail');
    expect(words).not.toContain('filter-102');
  });

  it.each([
    ['a guest', { guest: 'single' }],
    ['somebody of another company', { stranger: true }],
  ] as const)('is nothing where %s posts it, known or not', async (_, who) => {
    const known = await judged();
    world.slack.addUser({ name: 'gus', ...who });
    for (const channel of ['web', 'data']) world.slack.invite(channel, 'gus');
    await world.gig('data', 'budget 500');
    const spent = world.marketplace.consumedCredits().total;
    expect(await share(known, 'gus')).toBe(spent);
    expect(await share(known, 'gus', 'web')).toBe(spent);
    expect(await share(world.marketplace.publishProject(101), 'gus')).toBe(spent);
    expect(world.slack.unfurls()).toEqual([]);
  });
});

describe('a shared link', () => {
  it('costs nothing in a channel that has only looked a project up by hand', async () => {
    expect(await share(world.marketplace.publishProject(101))).toBe(0);
    const { ciphertext } = world.marketplace.publishProject(101);
    await world.gig('data', `lookup ${ciphertext}`, 'ben');
    await world.pass(10 * SECOND);
    expect(await share(world.marketplace.publishProject(101))).toBe(1);
    expect(world.slack.unfurls()).toEqual([]);
  });

  it('is looked up for a credit once an admin has given the channel a budget', async () => {
    await world.gig('data', 'budget 500');
    expect(await share(world.marketplace.publishProject(101))).toBe(1);
    expect(world.slack.unfurls()).toHaveLength(1);
  });
});
