/** A model of the marketplace's proposal list with optional quirks. It answers on request of the test. */
import type { Clock } from '../../src/clock.ts';
import { DAY } from '../../src/clock.ts';
import { ProfileId, type ProposalId } from '../../src/ids.ts';
import type {
  MarketplaceCallOptions,
  MarketplaceClient,
  ProfileRecordsQuery,
  RecordPage,
} from '../../src/marketplace/client.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../../src/marketplace/errors.ts';
import { DEFAULT_PAGE_SIZE } from '../../src/marketplace/list-limits.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import { plainProposal } from '../plain-proposal.ts';

export const profile = ProfileId.parse(7);

export interface Habits {
  readonly order: 'asked' | 'ascending';
  /**
   * The page size limit: requested with `limit`, rejected (the client then leaves it out), or applied
   * silently.
   */
  readonly limit: 'asked' | 'refused' | number;
  readonly paging: 'full' | 'total' | 'none';
}

export const PLAIN: Habits = { order: 'asked', limit: 'asked', paging: 'full' };

interface Pending {
  readonly query: ProfileRecordsQuery;
  readonly resolve: (page: RecordPage<Proposal>) => void;
  readonly reject: (error: MarketplaceError) => void;
  readonly over: () => void;
}

export class ModelServer {
  readonly #clock: Clock;
  readonly #proposals = new Map<ProposalId, Proposal>();
  #lastId = 0;
  habits: Habits = PLAIN;
  pending: Pending[] = [];
  /** The answers so far. */
  readonly answered: ProfileRecordsQuery[] = [];
  /** Status codes of the next answers, in order; undefined for a good one. */
  failures: (MarketplaceErrorCode | undefined)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds older ones, an hour apart. */
  seed(count: number): void {
    const start = this.#clock.now() - count * 3_600_000 - DAY;
    for (let n = 0; n < count; n++) this.#add(start + n * 3_600_000);
  }

  /** Adds one submitted now. */
  arrive(count: number): void {
    for (let n = 0; n < count; n++) this.#add(this.#clock.now());
  }

  /** Adds one far down in the list, like a later import. */
  backfill(): void {
    this.#add(this.#clock.now() - 400 * DAY);
  }

  change(id: ProposalId): void {
    const found = this.#proposals.get(id);
    if (found) this.#proposals.set(id, { ...found, viewed: true, connects: (found.connects ?? 0) + 1 });
  }

  all(): Proposal[] {
    return [...this.#proposals.values()];
  }

  get marketplace(): Pick<MarketplaceClient, 'fetchProposals'> {
    return {
      fetchProposals: (query: ProfileRecordsQuery, { signal }: MarketplaceCallOptions) =>
        new Promise((resolve, reject) => {
          const abort = () => {
            this.pending = this.pending.filter((each) => each !== pending);
            reject(signal?.reason);
          };
          const over = () => signal?.removeEventListener('abort', abort);
          const pending: Pending = { query, resolve, reject, over };
          this.pending.push(pending);
          signal?.addEventListener('abort', abort, { once: true });
        }),
    };
  }

  /** Answers the oldest waiting request. */
  answer(): void {
    const next = this.pending.shift();
    if (!next) return;
    next.over();
    this.answered.push(next.query);
    const code = this.failures.shift();
    if (code) next.reject(new MarketplaceError(code, 'none', 'refused'));
    else next.resolve(this.#page(next.query));
  }

  #add(submittedAt: number): void {
    this.#lastId += 1;
    const id = this.#lastId;
    // `connects` counts the changes.
    const known = {
      applicationUid: `uid-${id}`,
      coverLetter: `Letter ${id}`,
      profile: { id: profile },
      connects: 0,
    };
    const made = plainProposal(id, { ...known, submittedAt });
    this.#proposals.set(made.id, made);
  }

  #page({ page = 1, limit: wanted, order = 'DESC' }: ProfileRecordsQuery): RecordPage<Proposal> {
    const { habits } = this;
    const asked = habits.limit === 'refused' ? undefined : wanted;
    const limit = Math.min(asked ?? DEFAULT_PAGE_SIZE, typeof habits.limit === 'number' ? habits.limit : 100);
    const direction = habits.order === 'ascending' || order === 'ASC' ? 1 : -1;
    const list = this.all().sort(
      (a, b) => direction * ((a.submittedAt ?? 0) - (b.submittedAt ?? 0) || a.id - b.id),
    );
    const from = (page - 1) * limit;
    const total = list.length;
    const full = { total, page, limit, pages: Math.ceil(total / limit) };
    const paging = { full, total: { total }, none: {} }[habits.paging];
    const assumed = asked === undefined ? { limit: DEFAULT_PAGE_SIZE } : {};
    return { items: list.slice(from, from + limit), unreadable: 0, paging: { ...assumed, ...paging } };
  }
}
