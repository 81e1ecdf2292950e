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
import { type Desk, startDesk } from '../kit/start-desk.ts';
import { seededRandom } from '../seeded-random.ts';

let desk: Desk;

/** What the page's panel controls. */
function controlMarket(): MarketController {
  const { slack, marketplace, clock } = desk.app;
  const random = seededRandom(5);
  return createMarketController(marketplace, clock, random, (ms) => desk.pass(ms), {
    projects: new SandboxProjects(marketplace, clock, random),
    traffic: { hurry: () => undefined },
    hints: createHintTool(slack, () => desk.app.address(), globalThis.fetch),
  });
}

const type = (line: string) => desk.person('ada').type(`/gig ${line}`);

afterEach(async () => {
  expect(desk.slack.failedCalls()).toEqual([]);
  await desk.stop();
});

describe('a hint', () => {
  const DONE = { ok: true };
  let market: MarketController;

  beforeEach(async () => {
    desk = await startDesk({});
    await desk.pass(30 * SECOND);
    market = controlMarket();
  });

  const hint = async () => {
    const done = await market.performMarketAction({ kind: 'publish-hinted' });
    await desk.pass(3 * SECOND);
    return done;
  };

  const openHints = async () => (await type('settings')).press('Hints');

  it('needs the address, which an admin opens, and makes Gigdesk read the filter next', async () => {
    expect(await hint()).toMatchObject({ ok: false, problem: expect.stringMatching(/settings.*Hints/u) });
    expect(desk.market.service.projects()).toEqual([]);
    await openHints();
    expect(await hint()).toEqual(DONE);
    expect(desk.market.service.projects()).toHaveLength(1);
    await desk.person('ada').close();
    const shown = await openHints();
    expect(shown.text).toMatch(/Last hint/u);
    expect(shown.text).not.toMatch(/none yet/u);
    await shown.press('Rotate Secret');
    expect(await hint()).toEqual(DONE);
  });
});

describe('the agency in the sandbox', () => {
  beforeEach(async () => {
    desk = await startDesk({ empty: true });
    desk.market.service.addFilter({ id: 900 });
    desk.market.publish({}, 900);
    seedAgency(desk.market.service, desk.app.clock, seededRandom(7));
  });

  /** All content of the channel. */
  const standing = () =>
    desk
      .person('ada')
      .reads('web')
      .map((it) => it.text)
      .join('\n');

  it('has sent some 120 proposals in the last months, of which a few led to a hire', () => {
    const proposals = desk.market.service.proposals();
    expect(proposals).toHaveLength(120);
    const hired = proposals.filter((it) => it.isHired);
    expect(hired.length).toBeGreaterThan(2);
    expect(hired.length).toBeLessThan(30);
    for (const it of proposals) {
      if (it.isHired) expect(it.isInterviewed).toBe(true);
      if (it.isInterviewed) expect(it.isViewed).toBe(true);
      if (it.isWithdrawn) expect(it.isViewed).toBe(false);
      expect(desk.app.clock.now() - it.submittedAt).toBeLessThan(121 * 24 * HOUR);
    }
  });

  it('is followed by its name, and searched', async () => {
    await type('subscribe outcomes "Northwind Agency"');
    await type('subscribe invitations Keiko Tanaka');
    expect(standing()).toContain('“Northwind Agency” (301)');
    expect(standing()).toContain('“Keiko Tanaka” (302)');
    await desk.pass(3 * MINUTE);
    expect((await type('proposals is:hired')).text).toMatch(/\d .*is:hired/u);
  });

  it('lives: invitations to projects that can be bid on, and outcomes, arrive at the channel', async () => {
    for (const feed of ['outcomes 301', 'invitations 301', 'invitations 302'])
      await type(`subscribe ${feed}`);
    await desk.pass(2 * MINUTE);
    const before = standing().length;
    const { marketplace, clock } = desk.app;
    const random = seededRandom(3);
    const projects = new SandboxProjects(marketplace, clock, random);
    const plan = { ...SANDBOX_TRAFFIC_PLAN, livelyMs: 15 * MINUTE };
    const life = createSandboxTraffic(marketplace, projects, clock, random, plan);
    life.start();
    await desk.pass(15 * MINUTE);
    life.stop();
    const since = standing().slice(before);
    expect(since).toContain(':envelope_with_arrow:');
    expect(since).toContain('Open Proposal');
    expect(desk.slack.messages('web').some((it) => findPressable(it, 'Details'))).toBe(true);
    const changes = desk.market.service.proposals();
    await desk.pass(HOUR);
    expect(desk.market.service.proposals()).toEqual(changes);
  });

  it('what the panel triggers comes about', async () => {
    const { marketplace, clock } = desk.app;
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
    desk = await startDesk({ empty: true });
    seedMarketplace(desk.market.service, desk.app.clock, seededRandom(1));
  });

  it('has what its first commands and docs/sandbox.md name', async () => {
    for (const { id } of SANDBOX_PROFILES) await type(`subscribe invitations ${id}`);
    await type('setups');
    expect((await type('template from 1')).text).toContain('“Standard letter”');
  });

  it('has a setup that has used up its limit: it has sent something, and says when', async () => {
    const { text } = await type('setups');
    expect(text).toMatch(/^Low daily limit\b.*\b5 of 5\b.*\b142$/mu);
    expect(text).toMatch(/Low daily limit\*[^*]*\blast proposal /u);
  });
});
