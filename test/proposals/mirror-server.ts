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

/** `connects` counts its changes. */
export function proposal(id: number, submittedAt: number | undefined, of: ProfileId = profile): Proposal {
  return plainProposal(id, {
    applicationUid: `uid-${id}`,
    ...(submittedAt === undefined ? {} : { submittedAt }),
    coverLetter: `Letter ${id}`,
    profile: { id: of },
    connects: 0,
  });
}

export interface Habits {
  readonly order: 'asked' | 'ascending';
  /**
   * The page size limit: requested with `limit`, rejected (the client then leaves it out), or applied
   * silently.
   */
  readonly limit: 'asked' | 'refused' | number;
  readonly paging: 'full' | 'total' | 'none';
  /** The same page for every request. */
  readonly turnsPages: boolean;
}

export const PLAIN: Habits = { order: 'asked', limit: 'asked', paging: 'full', turnsPages: true };

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
  /** Profiles the server no longer knows. */
  readonly gone = new Set<ProfileId>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds older ones, an hour apart. */
  seed(count: number, of: ProfileId = profile): void {
    const start = this.#clock.now() - count * 3_600_000 - DAY;
    for (let n = 0; n < count; n++) this.#add(start + n * 3_600_000, of);
  }

  /** Adds one submitted now. */
  arrive(count: number, of: ProfileId = profile): void {
    for (let n = 0; n < count; n++) this.#add(this.#clock.now(), of);
  }

  /** Adds one far down in the list, like a later import. */
  backfill(of: ProfileId = profile): void {
    this.#add(this.#clock.now() - 400 * DAY, of);
  }

  change(id: ProposalId): void {
    const found = this.#proposals.get(id);
    if (found) this.#proposals.set(id, { ...found, viewed: true, connects: (found.connects ?? 0) + 1 });
  }

  remove(id: ProposalId): void {
    this.#proposals.delete(id);
  }

  put(changed: Proposal): void {
    this.#proposals.set(changed.id, changed);
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
    const code = this.failures.shift() ?? this.#refusal(next.query);
    if (code) next.reject(new MarketplaceError(code, 'none', 'refused'));
    else next.resolve(this.#page(next.query));
  }

  #refusal({ profile: of }: ProfileRecordsQuery): MarketplaceErrorCode | undefined {
    return this.gone.has(of) ? 'not-found' : undefined;
  }

  #add(submittedAt: number, of: ProfileId): void {
    this.#lastId += 1;
    this.put(proposal(this.#lastId, submittedAt, of));
  }

  #page({ profile: of, page = 1, limit: wanted, order = 'DESC' }: ProfileRecordsQuery): RecordPage<Proposal> {
    const { habits } = this;
    const asked = habits.limit === 'refused' ? undefined : wanted;
    const limit = Math.min(asked ?? DEFAULT_PAGE_SIZE, typeof habits.limit === 'number' ? habits.limit : 100);
    const direction = habits.order === 'ascending' || order === 'ASC' ? 1 : -1;
    const list = this.all()
      .filter((each) => each.profile?.id === of)
      .sort((a, b) => direction * ((a.submittedAt ?? 0) - (b.submittedAt ?? 0) || a.id - b.id));
    const from = habits.turnsPages ? (page - 1) * limit : 0;
    const total = list.length;
    const full = { total, page, limit, pages: Math.ceil(total / limit) };
    const paging = { full, total: { total }, none: {} }[habits.paging];
    const assumed = asked === undefined ? { limit: DEFAULT_PAGE_SIZE } : {};
    return { items: list.slice(from, from + limit), unreadable: 0, paging: { ...assumed, ...paging } };
  }
}
