/** A minimal model of the marketplace's bidding: requests wait until a test decides their result. */
import { JobId, type SetupId } from '../../src/ids.ts';
import type { CreateJobRequest, MarketplaceClient } from '../../src/marketplace/client.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import type { ApprovedJob, BiddingSetup, CreatedJob, JobStatusReport } from '../../src/marketplace/schema.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';

/**
 * The result of a request. `lost`: it took effect, but the answer is lost; `vanished`: it never arrived, and
 * the client can't tell.
 */
export const fates = [
  'done',
  'skipped',
  'refused',
  'refused-with-job',
  'rate-limited',
  'not-sent',
  'lost',
  'vanished',
  'broken',
  'broken-with-job',
  'bug',
] as const;
export type Fate = (typeof fates)[number];

interface Waiting {
  readonly what: 'create' | 'approve';
  decide(fate: Fate): void;
}

type ServerJob = { -readonly [K in keyof JobStatusReport]: JobStatusReport[K] } & { setup?: SetupId };

export class ModelMarket {
  /** All sent requests, in order. */
  readonly created: CreateJobRequest[] = [];
  readonly approvals: JobId[] = [];
  readonly jobs = new Map<JobId, ServerJob>();
  readonly waiting: Waiting[] = [];
  setups: BiddingSetup[] = [];
  statusReads = 0;
  #nextId = 101;
  #existing: JobId | undefined;
  /** The project id in the answer. */
  #named: string | undefined;

  client(): MarketplaceClient {
    return fakeMarketplace({
      createJob: (job) => {
        this.created.push(job);
        return this.#wait('create', (fate) => this.#create(job, fate));
      },
      approveJob: (id) => {
        this.approvals.push(id);
        return this.#wait('approve', (fate) => this.#approve(id, fate));
      },
      fetchJobStatus: async (id) => {
        this.statusReads++;
        const job = this.jobs.get(id);
        if (job) return { ...job };
        throw new MarketplaceError('not-found', 'none', 'no such job', { status: 404 });
      },
      fetchBiddingSetups: async () => this.setups,
    }).marketplace;
  }

  /** A person creates a job in the dashboard. */
  addJob(marketplaceJobId: string, status = 'pending_review'): JobId {
    const id = JobId.parse(this.#nextId++);
    this.jobs.set(id, { id, marketplaceJobId, status });
    return id;
  }

  /** Decides the oldest waiting request, or the one at index `place`. */
  decide(fate: Fate, place = 0): void {
    const [waiting] = this.waiting.splice(place % Math.max(this.waiting.length, 1), 1);
    waiting?.decide(fate);
  }

  /** Answers the oldest request to create a job with an existing one. */
  answerWith(id: JobId | undefined, marketplaceJobId?: string): void {
    this.#existing = id;
    this.#named = marketplaceJobId;
    this.decide('done');
    this.#existing = undefined;
    this.#named = undefined;
  }

  #wait<T>(what: Waiting['what'], answer: (fate: Fate) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const decide = (fate: Fate) => {
        try {
          resolve(answer(fate));
        } catch (thrown) {
          reject(thrown);
        }
      };
      this.waiting.push({ what, decide });
    });
  }

  #create(request: CreateJobRequest, fate: Fate): { readonly job: CreatedJob } {
    const make = (status: string): CreatedJob => {
      const { setup } = request;
      const marketplaceJobId = this.#named ?? request.marketplaceJobId;
      const id = this.#existing ?? this.addJob(marketplaceJobId, status);
      return { id, marketplaceJobId, status, setup, setupName: `Setup ${setup}` };
    };
    if (fate === 'done') return { job: make('pending_review') };
    if (fate === 'skipped') return { job: make('Skipped') };
    if (fate === 'lost') make('pending_review');
    throw this.#failure(fate, () => this.addJob(request.marketplaceJobId));
  }

  #approve(id: JobId, fate: Fate): { readonly job: ApprovedJob } {
    const job = this.jobs.get(id);
    if (!job) throw new Error(`job ${id} is not there`);
    if ((fate === 'done' || fate === 'lost' || fate === 'skipped') && job.status !== 'pending_review')
      throw new MarketplaceError('bad-request', 'none', 'not pending', {
        serverMessage: 'Not pending review',
      });
    if (fate === 'done' || fate === 'skipped' || fate === 'lost') job.status = 'scheduled';
    if (fate === 'lost') throw this.#failure(fate, () => id);
    if (fate !== 'done' && fate !== 'skipped') throw this.#failure(fate, () => id);
    const overridden = { wasAiDisqualified: true, qualificationReason: 'Not our field' };
    return {
      job: { id, status: job.status, approvedBy: 'Team Admin', ...(fate === 'skipped' ? overridden : {}) },
    };
  }

  #failure(fate: Fate, jobId: () => JobId): Error {
    switch (fate) {
      case 'rate-limited':
        return new MarketplaceError('rate-limited', 'none', 'too many', { status: 429, retryAfterMs: 9_000 });
      case 'not-sent':
        return new MarketplaceError('gate-timeout', 'none', 'no place');
      case 'lost':
      case 'vanished':
        return new MarketplaceError('timeout', 'unknown', 'no answer');
      case 'broken':
        return new MarketplaceError('server', 'unknown', 'broken', { status: 500 });
      case 'broken-with-job':
        return new MarketplaceError('server', 'unknown', 'broken', { status: 500, jobId: jobId() });
      case 'refused-with-job':
        return new MarketplaceError('bad-request', 'none', 'duplicate', {
          serverMessage: 'A job exists already',
          jobId: jobId(),
        });
      case 'bug':
        return new TypeError('undefined is not a function');
      case 'refused':
      case 'done':
      case 'skipped':
        return new MarketplaceError('bad-request', 'none', 'no', { serverMessage: 'Daily limit reached' });
    }
  }
}
