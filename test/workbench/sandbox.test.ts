/** The sandbox's market: its agency, its traffic, and what the page's panel makes happen. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import type { MarketController } from '../../src/workbench/page/market-controller.ts';
import { SANDBOX_PROFILES, seedAgency } from '../../src/workbench/sandbox-agency.ts';
import { createHintTool } from '../../src/workbench/sandbox-hints.ts';
import { createMarketController } from '../../src/workbench/sandbox-market.ts';
import { findPressable } from '../../src/workbench/sandbox-press.ts';
import { SandboxProjects } from '../../src/workbench/sandbox-projects.ts';
import { SANDBOX_TRAFFIC_PLAN, seedMarketplace } from '../../src/workbench/sandbox-seed.ts';
import { createSandboxTraffic, nextProposalStep } from '../../src/workbench/sandbox-traffic.ts';
import { press, viewOf } from '../features/bidder.ts';
import { startWorld, type World, wordsOf } from '../features/world.ts';
import { seededRandom } from '../seeded-random.ts';

let world: World;

/** What the page's panel controls. */
function controlMarket(): MarketController {
  const { slack, marketplace, clock } = world;
  const random = seededRandom(5);
  return createMarketController(marketplace, clock, random, (ms) => world.pass(ms), {
    projects: new SandboxProjects(marketplace, clock, random),
    traffic: { hurry: () => undefined },
    hints: createHintTool(slack, () => world.address(), globalThis.fetch),
  });
}

const shownTo = (user: string) =>
  wordsOf(world.slack.ephemerals(user, 'web').at(-1) ?? expect.fail('nothing'));

afterEach(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

describe('a hint', () => {
  const DONE = { ok: true };
  let market: MarketController;

  beforeEach(async () => {
    world = await startWorld();
    world.marketplace.addFilter({ id: 101, name: 'React work' });
    await world.gig('web', 'subscribe filter 101');
    await world.pass(30 * SECOND);
    market = controlMarket();
  });

  const hint = async () => {
    const done = await market.performMarketAction({ kind: 'publish-hinted' });
    await world.pass(3 * SECOND);
    return done;
  };

  async function openHints(): Promise<string> {
    await world.gig('web', 'settings');
    await press(world, 'Hints', { view: viewOf(world, 'ada') }, 'ada');
    await world.pass(3 * SECOND);
    return JSON.stringify(viewOf(world, 'ada').blocks);
  }

  it('needs the address, which an admin opens, and makes Gigdesk read the filter next', async () => {
    expect(await hint()).toMatchObject({ ok: false, problem: expect.stringMatching(/settings.*Hints/u) });
    expect(world.marketplace.projects()).toEqual([]);
    await openHints();
    expect(await hint()).toEqual(DONE);
    expect(world.marketplace.projects()).toHaveLength(1);
    await world.slack.closeView({ user: 'ada' });
    const shown = await openHints();
    expect(shown).toMatch(/Last hint/u);
    expect(shown).not.toMatch(/none yet/u);
    await press(world, 'Rotate Secret', { view: viewOf(world, 'ada') }, 'ada', 'accept');
    await world.pass(3 * SECOND);
    expect(await hint()).toEqual(DONE);
  });
});

describe('the agency in the sandbox', () => {
  beforeEach(async () => {
    world = await startWorld();
    world.marketplace.addFilter({ id: 900 });
    world.marketplace.publishProject(900);
    seedAgency(world.marketplace, world.clock, seededRandom(7));
  });

  /** All content of the channel. */
  const standing = () => world.slack.messages('web').map(wordsOf).join('\n');

  it('has sent some 120 proposals in the last months, of which a few led to a hire', () => {
    const proposals = world.marketplace.proposals();
    expect(proposals).toHaveLength(120);
    const hired = proposals.filter((it) => it.isHired);
    expect(hired.length).toBeGreaterThan(2);
    expect(hired.length).toBeLessThan(30);
    for (const it of proposals) {
      if (it.isHired) expect(it.isInterviewed).toBe(true);
      if (it.isInterviewed) expect(it.isViewed).toBe(true);
      if (it.isWithdrawn) expect(it.isViewed).toBe(false);
      expect(world.clock.now() - it.submittedAt).toBeLessThan(121 * 24 * HOUR);
    }
  });

  it('is followed by its name, and searched', async () => {
    await world.gig('web', 'subscribe outcomes "Northwind Agency"');
    await world.gig('web', 'subscribe invitations Keiko Tanaka');
    expect(standing()).toContain('“Northwind Agency” (301)');
    expect(standing()).toContain('“Keiko Tanaka” (302)');
    await world.pass(3 * MINUTE);
    await world.gig('web', 'proposals is:hired');
    expect(shownTo('ada')).toMatch(/\d .*`is:hired`/u);
  });

  it('lives: invitations to projects that can be bid on, and outcomes, arrive at the channel', async () => {
    for (const feed of ['outcomes 301', 'invitations 301', 'invitations 302'])
      await world.gig('web', `subscribe ${feed}`);
    await world.pass(2 * MINUTE);
    const before = standing().length;
    const { marketplace, clock } = world;
    const random = seededRandom(3);
    const projects = new SandboxProjects(marketplace, clock, random);
    const plan = { ...SANDBOX_TRAFFIC_PLAN, livelyMs: 15 * MINUTE };
    const life = createSandboxTraffic(marketplace, projects, clock, random, plan);
    life.start();
    await world.pass(15 * MINUTE);
    life.stop();
    const since = standing().slice(before);
    expect(since).toContain(':envelope_with_arrow:');
    expect(since).toContain('Open Proposal');
    expect(world.slack.messages('web').some((it) => findPressable(it, 'Details'))).toBe(true);
    const changes = world.marketplace.proposals();
    await world.pass(HOUR);
    expect(world.marketplace.proposals()).toEqual(changes);
  });

  it('what the panel triggers comes about', async () => {
    const { marketplace, clock } = world;
    const market = controlMarket();
    const before = marketplace.projects().length;
    expect(await market.performMarketAction({ kind: 'publish' })).toEqual({ ok: true });
    expect(marketplace.projects()).toHaveLength(before + 1);
    expect(await market.performMarketAction({ kind: 'invite' })).toEqual({ ok: true });
    const proposals = JSON.stringify(marketplace.proposals());
    expect(await market.performMarketAction({ kind: 'outcome' })).toEqual({ ok: true });
    expect(JSON.stringify(marketplace.proposals())).not.toBe(proposals);
    expect(await market.performMarketAction({ kind: 'run-jobs' })).toMatchObject({ ok: false });
    const at = clock.now();
    expect(await market.performMarketAction({ kind: 'pass', minutes: 60 })).toEqual({ ok: true });
    expect(clock.now() - at).toBeGreaterThanOrEqual(HOUR);
  });
});

describe('the steps of a proposal in the sandbox', () => {
  const sent = {
    isViewed: false,
    isInterviewed: false,
    isHired: false,
    isWithdrawn: false,
    boost: 0,
    boostOutbid: false,
  };
  const never = () => 0.99;

  it('lead from sent to hired, and end there', () => {
    expect(nextProposalStep(never, sent)).toEqual({ isViewed: true });
    expect(nextProposalStep(never, { ...sent, isViewed: true })).toEqual({ isInterviewed: true });
    expect(nextProposalStep(never, { ...sent, isViewed: true, isInterviewed: true })).toEqual({
      isHired: true,
    });
    expect(nextProposalStep(never, { ...sent, isHired: true })).toBeUndefined();
    expect(nextProposalStep(never, { ...sent, isWithdrawn: true })).toBeUndefined();
  });

  it('may end before that', () => {
    expect(nextProposalStep(() => 0, { ...sent, boost: 5 })).toEqual({ boostOutbid: true });
    expect(nextProposalStep(() => 0, sent)).toEqual({ isWithdrawn: true });
  });
});

describe('the sandbox’s beginning', () => {
  beforeEach(async () => {
    world = await startWorld();
    seedMarketplace(world.marketplace, world.clock, seededRandom(1));
  });

  it('has what its first commands and docs/sandbox.md name', async () => {
    for (const { id } of SANDBOX_PROFILES) await world.gig('web', `subscribe invitations ${id}`);
    await world.gig('web', 'setups');
    await world.gig('web', 'template from 1');
    await world.pass(3 * SECOND);
    expect(JSON.stringify(viewOf(world, 'ada').blocks)).toContain('“Standard letter”');
  });

  it('has a setup that has used up its limit: it has sent something, and says when', async () => {
    await world.gig('web', 'setups');
    await world.pass(3 * SECOND);
    expect(shownTo('ada')).toMatch(/^Low daily limit · .*\b5 of 5\b.* · 142$/mu);
    expect(shownTo('ada')).toMatch(/\*Low daily limit\*[^*]*\blast proposal <!date\^/u);
  });
});
