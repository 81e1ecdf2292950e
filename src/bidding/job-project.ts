/** Decides which project a job is for, by the marketplace's data. Pure. */
import { removeJobIdTilde } from '../aliases/project-aliases.ts';
import { ProjectKey } from '../ids.ts';
import type { Bid, Job } from './records.ts';

/** Two different keys of this form are certainly two projects; a uid may belong to either. */
const CERTAIN = /^~\d{1,40}$/u;

type About = Pick<Job, 'project' | 'title' | 'marketplaceJobId' | 'bid'>;

/**
 * The job with the project that the marketplace names. A bid's job keeps the bid's project until the
 * marketplace names another `~id`, whose title is unknown here. A job without a bid has no project while the
 * marketplace names only a uid.
 */
export function correctJobProject<T extends About>(job: T): T {
  const { project, marketplaceJobId } = job;
  if (!marketplaceJobId) return job;
  if (!project) {
    const isKnown = job.bid === undefined && CERTAIN.test(marketplaceJobId);
    return isKnown ? { ...job, project: ProjectKey.parse(marketplaceJobId) } : job;
  }
  if (removeJobIdTilde(project) === removeJobIdTilde(marketplaceJobId) || !CERTAIN.test(project)) return job;
  const { title: _title, project: _project, ...rest } = job;
  if (CERTAIN.test(marketplaceJobId)) return { ...rest, project: ProjectKey.parse(marketplaceJobId) } as T;
  return job.bid === undefined ? (rest as T) : job;
}

/** Whether a bid's job, created or blocking, is known to be for the bid's own project. */
export function isJobForBidProject(bid: Pick<Bid, 'project'>, job: Pick<Job, 'project'>): boolean {
  return job.project === bid.project;
}

/** Whether the job is known to be for another project. */
export function isJobForOtherProject(
  bid: Pick<Bid, 'project'>,
  job: Pick<Job, 'project'> | undefined,
): boolean {
  const both = [bid.project, job?.project ?? ''];
  return both.every((project) => CERTAIN.test(project)) && bid.project !== job?.project;
}
