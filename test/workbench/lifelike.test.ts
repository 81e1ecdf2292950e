/** The sandbox's made-up projects and clients: what they say agrees with their numbers. */
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { createPostingDeck, makeLifelikeProject } from '../../src/workbench/lifelike/lifelike-projects.ts';
import { judgeProject } from '../../src/workbench/lifelike/verdict-reasons.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import { SandboxProjects } from '../../src/workbench/sandbox-projects.ts';
import { SANDBOX_TRAFFIC_PLAN, seedMarketplace } from '../../src/workbench/sandbox-seed.ts';
import { createSandboxTraffic } from '../../src/workbench/sandbox-traffic.ts';
import { seededRandom } from '../seeded-random.ts';

const NOW = Date.UTC(2026, 6, 1, 12);

function makeMany(count: number, seed = 1) {
  const random = seededRandom(seed);
  const draw = createPostingDeck(random);
  return Array.from({ length: count }, (_, number) => makeLifelikeProject(random, number, NOW, draw()));
}

const PROJECTS = makeMany(600);

describe('made-up projects', () => {
  it('have hundreds of different titles, and none returns soon', () => {
    expect(new Set(PROJECTS.map(({ title }) => title)).size).toBeGreaterThan(300);
    const first = PROJECTS.slice(0, 250).map(({ title }) => title);
    expect(new Set(first).size).toBe(first.length);
  });

  it('are the same for the same seed', () => {
    expect(makeMany(20, 3)).toEqual(makeMany(20, 3));
  });

  it('have no gaps in their texts, and skills only once', () => {
    for (const { title, description, skills } of PROJECTS) {
      expect(`${title} ${description}`).not.toMatch(/[{}]| {2}|undefined|\ba [aeio]\w/u);
      expect(title).toMatch(/^[A-Z0-9].{10,89}$/u);
      expect(new Set(skills).size).toBe(skills?.length);
    }
  });
});

describe('made-up clients', () => {
  const clients = PROJECTS.map(({ client }) => client);

  it('without hires have no spending, rating or history', () => {
    const fresh = PROJECTS.filter(({ client }) => client.totalHires === 0);
    expect(fresh.length).toBeGreaterThan(40);
    for (const { client, workHistory } of fresh) {
      const { totalSpent, hireRate, rating, reviews, avgHourlyRatePaid, totalHoursPaid, jobsActive } = client;
      expect([totalSpent, hireRate, rating, reviews, avgHourlyRatePaid, totalHoursPaid, jobsActive]).toEqual(
        Array(7).fill(0),
      );
      expect(workHistory).toEqual([]);
    }
  });

  it('who have hired have paid, and every figure follows from the others', () => {
    for (const client of clients.filter(({ totalHires }) => totalHires > 0)) {
      expect(client.totalSpent).toBeGreaterThan(0);
      expect(client.paymentMethodVerified).toBe(true);
      expect(client.hireRate).toBeCloseTo(client.totalHires / client.jobsPosted, 1);
      expect(client.reviews + client.jobsActive).toBeLessThanOrEqual(client.totalHires);
      expect(client.totalHoursPaid * client.avgHourlyRatePaid).toBeLessThanOrEqual(client.totalSpent + 1);
      expect(client.rating === 0).toBe(client.reviews === 0);
      expect(client.jobsOpen).toBeGreaterThan(0);
    }
  });

  it('have a history within their time and money', () => {
    for (const { client, workHistory = [] } of PROJECTS) {
      const charged = workHistory.reduce((sum, { total_charge }) => sum + total_charge, 0);
      expect(charged).toBeLessThanOrEqual(client.totalSpent);
      expect(workHistory.length).toBeLessThanOrEqual(client.reviews);
      for (const { start_date, end_date } of workHistory) {
        expect(Date.parse(start_date)).toBeGreaterThanOrEqual(client.registeredAt - DAY);
        expect(Date.parse(start_date)).toBeLessThan(Date.parse(end_date));
        expect(Date.parse(end_date)).toBeLessThan(NOW);
      }
    }
  });

  it('live where their clocks say', () => {
    for (const { timezone, utcOffsetMinutes } of clients) {
      const time = { timeZone: timezone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
      const there = new Intl.DateTimeFormat('en-GB', time).format(NOW);
      expect(new Date(NOW + utcOffsetMinutes * MINUTE).toISOString().slice(11, 16)).toBe(there);
    }
    const portland = clients.find(({ city }) => city === 'Portland');
    expect(portland?.utcOffsetMinutes).toBe(-7 * 60);
  });

  it('are judged by their own facts', async () => {
    const marketplace = await startSimulatedMarketplace({
      clock: new ManualClock(NOW),
      random: seededRandom(2),
    });
    const { id } = marketplace.addFilter({ name: 'Verified payment' });
    for (const made of PROJECTS.slice(0, 200)) {
      const project = marketplace.publishProject(id, made);
      const { decision, reason } = judgeProject(project);
      if (reason?.includes('never hired')) expect(project.client.totalHires).toBe(0);
      if (reason?.includes('has hired')) expect(reason).toContain(` ${project.client.totalHires} times`);
      if (decision === 'qualified') expect(project.client.paymentMethodVerified).toBe(true);
    }
    await marketplace.close();
  });
});

describe('the market of the sandbox', () => {
  it('begins lively and calms down, and hurries on demand', async () => {
    const clock = new ManualClock(NOW);
    const random = seededRandom(4);
    const marketplace = await startSimulatedMarketplace({ clock, random });
    const projects = new SandboxProjects(marketplace, clock, random);
    seedMarketplace(marketplace, clock, random, projects);
    const traffic = createSandboxTraffic(marketplace, projects, clock, random, SANDBOX_TRAFFIC_PLAN);
    const arrivedIn = (ms: number) => {
      const before = marketplace.projects().length;
      clock.moveBy(ms);
      return marketplace.projects().length - before;
    };
    traffic.start();
    expect(arrivedIn(MINUTE)).toBeGreaterThan(3);
    const calm = arrivedIn(2 * HOUR);
    expect(calm).toBeGreaterThan(20);
    expect(calm).toBeLessThan(70);
    traffic.hurry();
    expect(arrivedIn(MINUTE)).toBeGreaterThan(3);
    traffic.stop();
    expect(arrivedIn(HOUR)).toBe(0);
    await marketplace.close();
  });

  it('has filters that find what their names say', async () => {
    const clock = new ManualClock(NOW);
    const marketplace = await startSimulatedMarketplace({ clock, random: seededRandom(5) });
    seedMarketplace(marketplace, clock, seededRandom(6));
    const found = (id: number) => marketplace.projects().filter(({ filterIds }) => filterIds.includes(id));
    for (const id of [101, 102, 103, 104]) expect(found(id).length).toBeGreaterThan(2);
    for (const { budget } of found(104)) expect(budget.fixedAmount).toBeGreaterThanOrEqual(5_000);
    for (const { client } of found(103)) expect(client.paymentMethodVerified).toBe(true);
    for (const { client } of found(101)) expect(client.totalSpent).toBeGreaterThanOrEqual(10_000);
    await marketplace.close();
  });
});
