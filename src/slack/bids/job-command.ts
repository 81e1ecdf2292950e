import type { JobRefreshResult } from '../../bidding/bidding.ts';
import { readBidWithJob } from '../../bidding/project-bidding.ts';
import type { Job } from '../../bidding/records.ts';
import { findSeenProject } from '../../feed/find-project.ts';
import { type JobId, ProjectKey } from '../../ids.ts';
import type { RequestContext } from '../core/channel-visibility.ts';
import type { CommandCall, CommandRoute, Message, Services } from '../core/routes.ts';
import { parseJobId } from '../kit/button-values.ts';
import { JOB_EXAMPLE, noJobIdMessage, noSuchJobMessage } from './job-answers.ts';
import { type JobFacts, jobDetailsMessage } from './job-details.ts';
import { findJob, jobViewDenialMessage } from './job-permissions.ts';

/** What our records add to a job: its bid and project. */
async function readAround(
  { store, team }: Services,
  job: Job | undefined,
  marketplaceJobId: string | undefined,
): Promise<Pick<JobFacts, 'bid' | 'project'>> {
  const { digits } = /^~?(?<digits>\d{1,40})$/u.exec(marketplaceJobId ?? '')?.groups ?? {};
  // A list's URL names the project by the same ID.
  const project = job?.project ?? (digits ? ProjectKey.parse(`~${digits}`) : undefined);
  return store.read(async (tx) => {
    const view = job?.bid === undefined ? undefined : await readBidWithJob(tx, team, job.bid);
    const seen = await findSeenProject(tx, team, { project, marketplaceJobId });
    return { ...(view ? { bid: view.bid } : {}), ...(seen ? { project: seen.project } : {}) };
  });
}

/** A job from our record. @param opening the result of a press; safe mrkdwn */
export async function renderStoredJob(services: Services, job: Job, opening?: string): Promise<Message> {
  const around = await readAround(services, job, job.marketplaceJobId);
  return jobDetailsMessage({ state: job, job, readAt: job.readAt, ...around }, opening);
}

async function drawFound(
  services: Services,
  { status, job }: Extract<JobRefreshResult, { kind: 'found' }>,
): Promise<Message> {
  const around = await readAround(services, job, status.marketplaceJobId ?? job?.marketplaceJobId);
  // The status lacks the proposal and the approver: our record has them.
  const { proposal, approval, follow } = job ?? {};
  const known = {
    ...(proposal ? { proposal } : {}),
    ...(approval ? { approval } : {}),
    ...(follow ? { follow } : {}),
  };
  return jobDetailsMessage({ state: { ...known, ...status }, job, readAt: services.clock.now(), ...around });
}

/**
 * A job's current state; if it can't be read, its last known one.
 * @throws MarketplaceError if nothing is known about it
 */
export async function renderCurrentJob(reader: RequestContext, id: JobId): Promise<Message> {
  const { services } = reader;
  const known = await jobViewDenialMessage(reader, await findJob(services, id));
  if (known) return known;
  const look = await services.bidding.refreshJob(id);
  // The refresh may have shown which channel's bid created it.
  const found = await jobViewDenialMessage(reader, look.job);
  if (found) return found;
  if (look.kind === 'found') return drawFound(services, look);
  const { error, job } = look;
  if (error.code === 'not-found') return noSuchJobMessage(id, job);
  if (!job) throw error;
  const around = await readAround(services, job, job.marketplaceJobId);
  return jobDetailsMessage({ state: job, job, readAt: job.readAt, trouble: error.code, ...around });
}

async function run(call: CommandCall): Promise<void> {
  const id = parseJobId(call.args.replace(/^job\s+/iu, ''));
  await call.answer(id === undefined ? noJobIdMessage(call.args) : await renderCurrentJob(call, id));
}

export const jobCommand: CommandRoute = {
  word: 'job',
  topic: 'bidding',
  needs: 'viewer',
  usage: ['job <id>'],
  summary: "Show an auto bidding job's status, with Approve if it's waiting for review.",
  details:
    'Only you see the reply, and only members of a private channel can see its jobs. ' +
    'You can also look up jobs created in the dashboard; to approve those, ' +
    'you need the bidder role everywhere. ' +
    'If a job matches a bid whose outcome is unknown, Gigdesk links them.',
  examples: [JOB_EXAMPLE],
  isSlow: true,
  run,
};
