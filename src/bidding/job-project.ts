/** Whose project a job is for, by what the marketplace says of it. Pure. */
import { withoutTilde } from '../aliases/project-aliases.ts';
import { ProjectKey } from '../ids.ts';
import type { Bid, Job } from './records.ts';

/** Two keys of this form tell two projects apart for certain; a uid may be the same project's. */
const CERTAIN = /^~\d{1,40}$/u;

type About = Pick<Job, 'project' | 'title' | 'marketplaceJobId' | 'bid'>;

/**
 * A job goes with the project that we took it for (a bid's, or that of a refusal which names the job) until the marketplace
 * names another: then with that one, of which we don't know the title here. A job that no bid of ours became, and that the
 * marketplace names by what may or may not be the project's uid, goes with none.
 */
export function asTold<T extends About>(job: T): T {
  const { project, marketplaceJobId } = job;
  if (!project || !marketplaceJobId || withoutTilde(project) === withoutTilde(marketplaceJobId)) return job;
  if (!CERTAIN.test(project)) return job;
  const { title: _title, project: _project, ...rest } = job;
  if (CERTAIN.test(marketplaceJobId)) return { ...rest, project: ProjectKey.parse(marketplaceJobId) } as T;
  return job.bid === undefined ? (rest as T) : job;
}

/** Whether the job that a bid became, or that is in its way, is known to be for the bid's own project. */
export function isForSameProject(bid: Pick<Bid, 'project'>, job: Pick<Job, 'project'>): boolean {
  return job.project === bid.project;
}

/** Whether it is known to be for another one. */
export function isElsewhere(bid: Pick<Bid, 'project'>, job: Pick<Job, 'project'> | undefined): boolean {
  const both = [bid.project, job?.project ?? ''];
  return both.every((project) => CERTAIN.test(project)) && bid.project !== job?.project;
}
