/** Answers that the API description leaves open, in a different shape than the simulator's default. */
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { asRead } from './as-read.ts';
import { expectHealthy } from './healthy.ts';
import { begin, choose, screen, startTemplateWorld } from './template-play.ts';
import { FAST, startWorld, type World } from './world.ts';

let world: World;
afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

describe('senders', () => {
  it.each(['flat', 'organization-name', 'org', 'people'] as const)(
    'written as %s are chosen by their names, with their contractors',
    async (senders) => {
      world = await startTemplateWorld();
      world.marketplace.setModes({ senders });
      await begin(world);
      const organizations = JSON.stringify(screen(world));
      expect(organizations).toContain('Studio');
      expect(organizations).toContain('Ben alone');
      await choose(world, 'menu.organization', '=7');
      const contractors = JSON.stringify(screen(world));
      expect(contractors).toContain('Ana');
      expect(contractors).toContain('Ola');
      expectHealthy(world);
    },
  );
});

describe('verdicts told by a boolean', () => {
  it('are waited for while they are undecided, whatever their words', async () => {
    world = await startWorld(FAST);
    const { marketplace } = world;
    marketplace.setModes({ verdictFlags: true });
    marketplace.addFilter({ id: 101, qualifier: true });
    await world.gig('web', 'subscribe filter 101 qualified:yes');
    await world.pass(MINUTE);
    const { id, ciphertext } = marketplace.publishProject(101);
    marketplace.setVerdict(id, 'pending');
    await world.pass(5 * MINUTE);
    marketplace.setVerdict(id, 'qualified');
    await world.pass(10 * MINUTE);
    expect(world.told('web')).toEqual([ciphertext]);
  });

  it('decide what comes, also when they come late; an undecided one decides nothing', async () => {
    world = await startWorld(FAST);
    const { marketplace } = world;
    marketplace.setModes({ verdictFlags: true });
    marketplace.addFilter({ id: 101, qualifier: true });
    await world.gig('web', 'subscribe filter 101 qualified:yes');
    await world.gig('data', 'subscribe filter 101 qualified:no');
    await world.pass(MINUTE);
    const good = marketplace.publishProject(101, { title: 'Good' });
    const bad = marketplace.publishProject(101, { title: 'Bad' });
    const late = marketplace.publishProject(101, { title: 'Late' });
    marketplace.setVerdict(good.id, 'qualified');
    marketplace.setVerdict(bad.id, 'disqualified');
    marketplace.setVerdict(late.id, 'pending');
    await world.pass(2 * MINUTE);
    expect(world.told('web')).toEqual([good.ciphertext]);
    expect(world.told('data')).toEqual([bad.ciphertext]);
    marketplace.setVerdict(late.id, 'qualified');
    await world.pass(30 * MINUTE);
    expect(world.told('web')).toEqual([good.ciphertext, late.ciphertext]);
    expect(world.told('data')).toEqual([bad.ciphertext]);
    expect(JSON.stringify(world.cards('web')[0])).toContain(':white_check_mark:');
  });
});

describe('results that are not found', () => {
  it('say nothing of whether there is a filter: it is followed, and its projects arrive', async () => {
    world = await startWorld(FAST);
    const { marketplace } = world;
    marketplace.setModes({ emptyResultsNotFound: true });
    marketplace.addFilter({ id: 101 });
    const answer = await world.gig('web', 'subscribe filter 101');
    // The channel hears of a subscription, and of its end if the id is wrong.
    expect(answer).toContain(`<@${world.slack.user('ada').id}>`);
    expect(answer).toContain('/gig list 101');
    expect(asRead(world, answer)).toMatchSnapshot();
    await world.pass(MINUTE);
    const project = marketplace.publishProject(101);
    await world.pass(2 * MINUTE);
    expect(world.told('web')).toEqual([project.ciphertext]);
    expect(await world.gig('web', 'list')).toContain(':large_green_circle:');
  });

  it('are told as results that are not there, until there are some', async () => {
    world = await startWorld(FAST);
    const { marketplace } = world;
    marketplace.setModes({ emptyResultsNotFound: true });
    marketplace.addFilter({ id: 101 });
    const answer = await world.gig('web', 'results 101');
    expect(asRead(world, answer)).toMatchSnapshot();
    marketplace.publishProject(101);
    marketplace.addResult({ filterId: 101 });
    expect(await world.gig('web', 'results 101')).toMatch(/\b1\b/u);
  });

  it('of a filter that is not there: the channel hears it from the feed', async () => {
    world = await startWorld(FAST);
    await world.gig('web', 'subscribe filter 999');
    await world.pass(5 * MINUTE);
    const list = await world.gig('web', 'list');
    expect(list).toContain('999');
    expect(list).toContain(':warning:');
    expect(asRead(world, list)).toMatchSnapshot();
    expect(world.marketplace.consumedCredits().total).toBe(0);
  });
});
