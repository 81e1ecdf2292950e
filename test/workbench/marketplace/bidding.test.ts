import { expect } from 'vitest';
import { DAY } from '../../../src/clock.ts';
import { BIDDING_RULE_COVERAGE } from '../../../src/workbench/marketplace/coverage-rules.ts';
import type { SimulatedSetup } from '../../../src/workbench/marketplace/records.ts';
import type { ProjectSeed } from '../../../src/workbench/marketplace/simulated-marketplace.ts';
import { bodyOf, covers, type Drive } from './drive.ts';
import { SHAPES } from './shapes.ts';

const CREATE = '/auto-bidding/jobs/create';

/** A setup, and a way to bid on a new project each time. */
function bidder({ market, post }: Drive) {
  const filter = market.addFilter({ qualifier: true });
  const bid = (setup: SimulatedSetup, body: Record<string, unknown> = {}, project: ProjectSeed = {}) =>
    post(CREATE, {
      setup_id: setup.id,
      marketplace_job_id: market.publishProject(filter.id, { usOnly: false, ...project }).ciphertext,
      ...body,
    });
  return { filter, bid };
}

covers(BIDDING_RULE_COVERAGE, {
  'job-fields': async (open) => {
    const drive = await open();
    const { bid } = bidder(drive);
    const setup = drive.market.addSetup({ status: 'draft', dailyProposalsLimit: 100 });
    const wrong: Record<string, unknown>[] = [
      { setup_id: undefined },
      { setup_id: 'one' },
      { marketplace_job_id: undefined },
      { marketplace_job_id: 5 },
      { project_id: 1.5 },
      { bid_amount: 4.99 },
      { bid_amount: 1_000_001 },
      { bid_amount: '50' },
      { boost_bid_amount: -1 },
      { boost_bid_amount: 1.5 },
      { answers: [{ question: 'Why?' }] },
      { cover_letter: 7 },
    ];
    for (const body of wrong) bodyOf(await bid(setup, body), 400, SHAPES.error);
    for (const bid_amount of [5, 1_000_000]) {
      bodyOf(await bid(setup, { bid_amount }), 200, SHAPES.createdJob);
    }
    bodyOf(await drive.post(CREATE, []), 400, SHAPES.error);
    bodyOf(await bid(setup, { setup_id: 1 }), 404, SHAPES.error);
    bodyOf(await bid(setup, { marketplace_job_id: '~404' }), 404, SHAPES.error);
    bodyOf(await bid(setup, { marketplace_job_id: undefined, project_id: 404_404 }), 404, SHAPES.error);
    expect(drive.market.jobs()).toHaveLength(2);
  },

  'job-schedule': async (open) => {
    const drive = await open();
    const { bid } = bidder(drive);
    const setup = drive.market.addSetup({ biddingDelayMinutes: 5, dailyProposalsLimit: 100 });
    // It is 2026-01-05 09:00 UTC.
    const scheduled: [Record<string, unknown>, string][] = [
      [{ scheduled_at: '2026-01-05T10:00:00Z' }, '2026-01-05T10:00:00.000Z'],
      [{ scheduled_at: '2026-01-05T11:30:00+02:00' }, '2026-01-05T09:30:00.000Z'],
      [{ scheduled_at: '2026-01-05T04:31-0500' }, '2026-01-05T09:31:00.000Z'],
      [{ scheduled_at: '2026-01-05 12:00:00' }, '2026-01-05T12:00:00.000Z'],
      [{ scheduled_at: '2028-02-29T00:00:00Z', scheduled_in: 5 }, '2028-02-29T00:00:00.000Z'],
      [{ scheduled_in: 15 }, '2026-01-05T09:15:00.000Z'],
      [{ scheduled_in: 60 }, '2026-01-05T10:00:00.000Z'],
      [{}, '2026-01-05T09:05:00.000Z'],
    ];
    for (const [body, at] of scheduled) {
      expect(bodyOf(await bid(setup, body), 200, SHAPES.createdJob).job.scheduled_at).toBe(at);
    }
    const refused = [
      { scheduled_at: '2026-01-05T09:00:00Z' },
      { scheduled_at: '2026-01-05 08:59:59' },
      { scheduled_at: '2026-01-05T10:00:00' },
      { scheduled_at: '2027-02-29T10:00:00Z' },
      { scheduled_at: '2026-13-01 10:00:00' },
      { scheduled_at: '2026-01-06T24:00:00Z' },
      { scheduled_at: 'tomorrow' },
      { scheduled_at: 1_767_610_800 },
      { scheduled_in: 14 },
      { scheduled_in: 61 },
      { scheduled_in: 20.5 },
      { scheduled_in: '20' },
    ];
    for (const body of refused) bodyOf(await bid(setup, body), 400, SHAPES.error);
  },

  'job-duplicates': async (open) => {
    const { market, post } = await open();
    const project = market.publishProject(market.addFilter().id, { usOnly: false });
    const [one, two] = [market.addSetup(), market.addSetup()];
    const bid = (setup: SimulatedSetup) =>
      post(CREATE, { setup_id: setup.id, marketplace_job_id: project.uid });
    const first = bodyOf(await bid(one), 200, SHAPES.createdJob).job;
    const duplicate = bodyOf(await bid(two), 400, SHAPES.duplicate);
    expect(duplicate).toMatchObject({ success: false, job_id: first.id });
    expect(market.jobs()).toHaveLength(1);
    market.updateJob(first.id, { status: 'failed', errorMessage: 'No connects left' });
    expect(bodyOf(await bid(two), 200, SHAPES.createdJob).job.id).not.toBe(first.id);
  },

  'job-skipped': async (open) => {
    const drive = await open();
    const { market, get } = drive;
    const { bid } = bidder(drive);
    const skipped: [SimulatedSetup, ProjectSeed, RegExp][] = [
      [market.addSetup({ bidsFrom: 'Germany' }), { usOnly: true }, /United States/],
      [market.addSetup({ bidsFrom: 'Germany' }), { ukOnly: true }, /United Kingdom/],
      [market.addSetup({ exhausted: 'monthly limit' }), {}, /monthly limit/],
      [market.addSetup({ dailyProposalsLimit: 3, proposalsSentToday: 3 }), {}, /daily limit/],
    ];
    for (const [setup, project, reason] of skipped) {
      const scheduled_at = '2026-02-01T10:00:00Z';
      const { success, job } = bodyOf(await bid(setup, { scheduled_at }, project), 200, SHAPES.createdJob);
      expect([success, job.status]).toEqual([true, 'skipped']);
      const status = bodyOf(await get(`/auto-bidding/jobs/${job.id}/status`), 200, SHAPES.jobStatus).job;
      expect(status.reason).toMatch(reason);
      expect(status.processed_at).not.toBe('');
    }
    const american = market.addSetup({ bidsFrom: 'United States', dailyProposalsLimit: 1 });
    const statuses = [];
    for (let count = 0; count < 2; count++) {
      const reply = await bid(american, {}, { usOnly: true });
      statuses.push(bodyOf(reply, 200, SHAPES.createdJob).job.status);
    }
    expect(statuses).toEqual(['scheduled', 'skipped']);
  },

  'setup-counts': async (open) => {
    const drive = await open();
    const { market, clock, get } = drive;
    const { bid } = bidder(drive);
    const setup = market.addSetup({ dailyProposalsLimit: 2, totalProposalsSent: 40 });
    const counts = async () => {
      const { setups } = bodyOf(await get('/auto-bidding/setups'), 200, SHAPES.setups);
      return setups.map((it) => [it.total_proposals_sent, it.proposals_sent_today]);
    };
    const send = async () => {
      const { job } = bodyOf(await bid(setup), 200, SHAPES.createdJob);
      if (job.status === 'scheduled') market.updateJob(job.id, { status: 'completed', applicationUid: 'A1' });
      return job.status;
    };
    expect([await send(), await send(), await send()]).toEqual(['scheduled', 'scheduled', 'skipped']);
    expect(await counts()).toEqual([[42, 2]]);
    clock.moveBy(DAY);
    expect(await counts()).toEqual([[42, 0]]);
    expect(await send()).toBe('scheduled');
    expect(await counts()).toEqual([[43, 1]]);
  },

  'job-states': async (open) => {
    const drive = await open();
    const { market, get } = drive;
    const { bid } = bidder(drive);
    const reviewed = await bid(market.addSetup({ reviewsJobs: true }));
    const { job } = bodyOf(reviewed, 200, SHAPES.createdJob);
    expect(job.status).toBe('pending_review');
    const titles = [];
    for (const status of ['scheduled', 'processing', 'completed', 'failed', 'skipped'] as const) {
      market.updateJob(job.id, { status });
      const reply = await get(`/auto-bidding/jobs/${job.id}/status`);
      titles.push(bodyOf(reply, 200, SHAPES.jobStatus).job.status_title);
    }
    expect(titles).toEqual(['Scheduled for bidding', 'Bidding', 'Proposal sent', 'Failed', 'Skipped']);
  },
});
