/** Whose project a job is for, by what the marketplace says of it. Pure. */
import { ProjectKey } from '../ids.ts';
import type { Bid, Job } from './records.ts';

/** Two keys of this form tell two projects apart for certain; a uid may be the same project's. */
const CERTAIN = /^~\d{1,40}$/u;

type About = Pick<Job, 'project' | 'title' | 'marketplaceJobId'>;

/**
 * A job goes with the project that we took it for (a bid's, or that of a refusal which names the job) until the marketplace
 * names another: then with that one, of which we don't know the title here.
 */
export function asTold<T extends About>(job: T): T {
  const { project, marketplaceJobId } = job;
  if (!project || !marketplaceJobId || project === marketplaceJobId) return job;
  if (!CERTAIN.test(project) || !CERTAIN.test(marketplaceJobId)) return job;
  const { title: _wrong, ...rest } = job;
  return { ...rest, project: ProjectKey.parse(marketplaceJobId) } as T;
}

/** Whether the job that a bid became, or that is in its way, is for another project than the bid. */
export function isElsewhere(bid: Pick<Bid, 'project'>, job: Pick<Job, 'project'> | undefined): boolean {
  return job?.project !== undefined && job.project !== bid.project;
}
