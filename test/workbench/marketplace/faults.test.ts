import { setImmediate } from 'node:timers/promises';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { presetFaults } from '../../../src/workbench/marketplace/faults.ts';
import type { SimulatedSetup } from '../../../src/workbench/marketplace/records.ts';
import {
  REVIEW_STATUS_NAMES,
  type ReviewStatusName,
} from '../../../src/workbench/marketplace/review-status-names.ts';
import { type Drive, openMarketplace } from './drive.ts';

/** Waits for the network until the condition holds. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate();
}

describe('faults that a test orders', () => {
  let drive: Drive;
  let filter: number;
  beforeEach(async () => {
    drive = await openMarketplace();
    filter = drive.market.addFilter().id;
    drive.market.publishProject(filter, { usOnly: false });
  });
  afterEach(() => drive.market.close());

  const poll = () => drive.get(`/filters/${filter}/projects`);
  const outcome = (answer: Promise<unknown>) =>
    answer.then(
      () => 'answered',
      () => 'failed',
    );

  it('meet the matching requests, as often as ordered, and have no effect then', async () => {
    const fault = drive.market.injectFault(
      { method: 'get', path: '/filters/*/projects' },
      presetFaults.status(503),
      2,
    );
    expect((await drive.get('/proposal-senders')).status).toBe(200);
    const statuses = [(await poll()).status, (await poll()).status];
    expect([statuses, drive.market.consumedCredits().total, fault.hits()]).toEqual([[503, 503], 0, 2]);
    expect((await poll()).status).toBe(200);
    expect(drive.market.requests().map(({ path, status, answered }) => [path, status, answered])).toEqual([
      ['/proposal-senders', 200, true],
      [`/filters/${filter}/projects`, 503, true],
      [`/filters/${filter}/projects`, 503, true],
      [`/filters/${filter}/projects`, 200, true],
    ]);
  });

  it('come in the order in which they were ordered, and can be taken back', async () => {
    drive.market.injectFault({}, presetFaults.status(500));
    drive.market.injectFault({ path: /projects$/g }, presetFaults.status(502), 2);
    const cancelled = drive.market.injectFault({}, presetFaults.status(504), 9);
    cancelled.cancel();
    expect([(await poll()).status, (await poll()).status, (await poll()).status]).toEqual([500, 502, 502]);
    expect((await poll()).status).toBe(200);
    drive.market.injectFault({}, presetFaults.status(500), 9);
    drive.market.clearFaults();
    expect((await poll()).status).toBe(200);
  });

  it('429 with and without Retry-After, which counts in no window', async () => {
    drive.market.setRequestsPerMinute(1);
    drive.market.injectFault({}, presetFaults.rateLimited());
    drive.market.injectFault({}, presetFaults.rateLimited('7'));
    const plain = await poll();
    const timed = await poll();
    expect([plain.status, plain.headers['retry-after']]).toEqual([429, undefined]);
    expect([timed.status, timed.headers['retry-after']]).toEqual([429, '7']);
    expect(timed.body).toEqual({ error: 'Rate limit exceeded' });
    expect((await poll()).status).toBe(200);
  });

  it('a gateway’s page, and JSON of another shape', async () => {
    drive.market.injectFault({}, presetFaults.html());
    drive.market.injectFault({}, presetFaults.wrongJson({ data: 'none' }));
    const page = await poll();
    expect([page.status, page.headers['content-type'], page.body]).toEqual([502, 'text/html', undefined]);
    expect(await poll()).toMatchObject({ status: 200, body: { data: 'none' } });
    expect(drive.market.consumedCredits().total).toBe(0);
  });

  it('a server error after the effect', async () => {
    drive.market.injectFault({}, presetFaults.errorAfterEffect());
    expect((await poll()).status).toBe(500);
    expect(drive.market.consumedCredits().total).toBe(1);
  });

  it('a connection dropped before the effect, and after it', async () => {
    const setup: SimulatedSetup = drive.market.addSetup();
    const project = drive.market.publishProject(filter, { usOnly: false });
    const bid = () =>
      drive.post('/auto-bidding/jobs/create', {
        setup_id: setup.id,
        marketplace_job_id: project.ciphertext,
      });
    drive.market.injectFault({ method: 'POST' }, { kind: 'drop', when: 'before' });
    drive.market.injectFault({ method: 'POST' }, { kind: 'drop', when: 'after' });
    expect(await outcome(bid())).toBe('failed');
    expect(drive.market.jobs()).toEqual([]);
    expect(await outcome(bid())).toBe('failed');
    expect(drive.market.jobs()).toHaveLength(1);
    expect((await bid()).body).toMatchObject({ success: false, job_id: drive.market.jobs()[0]?.id });
    const told = drive.market.requests().map(({ status, answered, lost }) => [status, answered, lost]);
    expect(told).toEqual([
      [undefined, false, true],
      [200, false, true],
      [400, true, false],
    ]);
  });

  it('an answer that is held until it is released', async () => {
    const fault = drive.market.injectFault({}, presetFaults.timeoutAfterEffect());
    const answer = poll();
    await until(() => fault.hits() === 1);
    expect(drive.market.consumedCredits().total).toBe(1);
    expect(drive.market.requests()).toMatchObject([{ status: 200, answered: false, lost: false }]);
    fault.release();
    expect((await answer).status).toBe(200);
    expect(drive.market.requests()).toMatchObject([{ answered: true }]);
  });

  it('an answer that is held for a time of the clock', async () => {
    const fault = drive.market.injectFault({}, { kind: 'hold-headers', ms: 30_000 });
    let settled = 'waiting';
    const answer = outcome(poll()).then((result) => {
      settled = result;
    });
    await until(() => fault.hits() === 1);
    drive.clock.moveBy(29_999);
    expect([settled, drive.market.requests()[0]?.answered]).toEqual(['waiting', false]);
    drive.clock.moveBy(1);
    await answer;
    expect(settled).toBe('answered');
  });

  it('a body that stops half way and comes later, or never', async () => {
    const url = `${drive.market.baseUrl}/filters/${filter}/projects`;
    const headers = { 'x-api-token': drive.market.token };
    const slow = drive.market.injectFault({}, { kind: 'hold-body' });
    const answer = await request(url, { headers });
    expect(answer.statusCode).toBe(200);
    slow.release();
    expect(JSON.parse(await answer.body.text())).toMatchObject({ credits: { new_projects_consumed: 1 } });
    drive.market.injectFault({}, { kind: 'break-body' });
    const broken = await request(url, { headers });
    expect(broken.statusCode).toBe(200);
    expect(await outcome(broken.body.text())).toBe('failed');
    expect(drive.market.requests().map((seen) => seen.answered)).toEqual([true, false]);
  });

  it('a huge body that is still right', async () => {
    drive.market.injectFault({}, { kind: 'huge-body', bytes: 9_000_000 });
    const reply = await poll();
    expect(reply.text).toHaveLength(9_000_000);
    expect(reply.body).toMatchObject({ pagination: { total: 1 } });
  });

  it('all connections reset at once', async () => {
    const fault = drive.market.injectFault({}, presetFaults.timeoutAfterEffect(), 2);
    const answers = [outcome(poll()), outcome(poll())];
    await until(() => fault.hits() === 2);
    drive.market.dropConnections();
    expect(await Promise.all(answers)).toEqual(['failed', 'failed']);
    expect((await poll()).status).toBe(200);
  });
});

describe('a server that reads the description otherwise', () => {
  let drive: Drive;
  let filter: number;
  beforeEach(async () => {
    drive = await openMarketplace();
    filter = drive.market.addFilter().id;
    drive.market.publishProject(filter, { skills: ['Go', 'SQL'] });
  });
  afterEach(() => drive.market.close());

  const firstOf = async (id = filter) => {
    const { body } = await drive.get(`/filters/${id}/projects`);
    return (body as { data: Record<string, unknown>[] }).data[0] ?? {};
  };

  it('refuses any limit', async () => {
    drive.market.setModes({ refuseLimit: true });
    const profile = drive.market.addProfile().id;
    const result = drive.market.addResult({ filterId: filter }).id;
    for (const path of [
      `/filters/${filter}/projects?`,
      `/filters/${filter}/results?`,
      `/results/${result}/projects?`,
      `/proposals?profileId=${profile}&`,
      `/invitations?profileId=${profile}&`,
    ]) {
      expect((await drive.get(`${path}limit=20`)).status).toBe(400);
      expect((await drive.get(path)).status).toBe(200);
    }
  });

  it('adds fields that no table names, everywhere', async () => {
    const before = await firstOf();
    drive.market.setModes({ extraFields: true });
    const after = await firstOf();
    expect(after).toMatchObject(before);
    expect(after).toHaveProperty('_introducedLater');
    expect(after['clientDetails']).toHaveProperty('_introducedLater');
  });

  it('leaves fields out, or answers null for them', async () => {
    const all = Object.keys(await firstOf());
    drive.market.setModes({ missingFields: true });
    expect(Object.keys(await firstOf()).toSorted()).toEqual(['title', 'url']);
    drive.market.setModes({ missingFields: false, nullFields: true });
    const nulled = await firstOf();
    expect(Object.keys(nulled)).toEqual(all);
    expect(Object.entries(nulled).filter(([, value]) => value !== null)).toHaveLength(2);
    drive.market.setModes({ nullFields: ['country', 'next_cursor'], missingFields: ['title', 'remaining'] });
    const { body } = await drive.get(`/filters/${filter}/projects`);
    expect(body).toMatchObject({
      data: [{ clientDetails: { country: null } }],
      pagination: { next_cursor: null },
    });
    expect(JSON.stringify(body)).not.toMatch(/"title"|"remaining"/);
  });

  it('gives redirect URLs: their own pid, not a ciphertext, and another URL in each filter', async () => {
    const other = drive.market.addFilter().id;
    const project = drive.market.publishProject([filter, other], { publishedAt: drive.clock.now() + 1_000 });
    drive.market.setModes({ redirectUrls: true });
    const urls = [await firstOf(filter), await firstOf(other)].map(({ url }) => new URL(String(url)));
    const [pid, ...others] = urls.map((url) => url.searchParams.get('pid') ?? '');
    expect(pid).toMatch(/^\d+$/);
    expect(others).toEqual([pid]);
    expect([project.uid, String(project.id)]).not.toContain(pid);
    expect(urls[0]?.href).not.toBe(urls[1]?.href);
    expect(urls.map((url) => url.href.includes('~'))).toEqual([false, false]);
  });

  it('gives listed skills as an array', async () => {
    expect((await firstOf())['skills']).toBe('Go, SQL');
    drive.market.setModes({ skillsAsArray: true });
    expect((await firstOf())['skills']).toEqual(['Go', 'SQL']);
  });

  it('names the review state in other words in every view, and still approves the job', async () => {
    const { market } = drive;
    const setup = market.addSetup({ reviewsJobs: true, status: 'active', dailyProposalsLimit: 100 });
    const usual = REVIEW_STATUS_NAMES.usual;
    for (const [words, [status, title]] of Object.entries(REVIEW_STATUS_NAMES)) {
      market.setModes({ reviewWords: words as ReviewStatusName });
      const { ciphertext } = market.publishProject(filter, { usOnly: false, ukOnly: false });
      const { job } = (
        await drive.post('/auto-bidding/jobs/create', { setup_id: setup.id, marketplace_job_id: ciphertext })
      ).body as { job: { id: number; status: string } };
      expect(job.status).toBe(status);
      const read = async () => (await drive.get(`/auto-bidding/jobs/${job.id}/status`)).body;
      expect(await read()).toMatchObject({ job: { status, status_title: title } });
      market.setModes({ reviewWords: 'usual' });
      expect(await read()).toMatchObject({ job: { status: usual[0], status_title: usual[1] } });
      market.setModes({ reviewWords: words as ReviewStatusName });
      const approved = await drive.post(`/auto-bidding/jobs/${job.id}/approve`);
      expect(approved.body).toMatchObject({
        job: { status: 'scheduled', status_title: 'Scheduled for bidding' },
      });
      const again = await drive.post(`/auto-bidding/jobs/${job.id}/approve`);
      expect([again.status, again.body]).toEqual([400, { error: 'Job is not pending review' }]);
    }
  });

  it('is as usual again once the faults are cleared', async () => {
    drive.market.setModes({ skillsAsArray: true, milliseconds: true });
    drive.market.clearFaults();
    expect((await firstOf())['skills']).toBe('Go, SQL');
  });
});
