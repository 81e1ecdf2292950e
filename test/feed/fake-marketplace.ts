/** An in-memory marketplace that serves filter pages in every way the API description leaves open. */
import type { Instant } from '../../src/clock.ts';
import { type FilterId, ProjectKey } from '../../src/ids.ts';
import type {
  FilterProjectsPage,
  MarketplaceClient,
  ProjectReference,
} from '../../src/marketplace/client.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import { ListPageSizes } from '../../src/marketplace/list-limits.ts';
import type { BiddingSetup, ListedProject } from '../../src/marketplace/schema.ts';
import { unaskedMarketplace } from '../fake-marketplace.ts';

export interface ServerWays {
  ignoresLatest: boolean;
  inclusiveLatest: boolean;
  oldestFirst: boolean;
  milliseconds: boolean;
  /** A cursor skips the rest of its own second. */
  lossyCursor: boolean;
  shufflesPages: boolean;
  refusesLimit: boolean;
  /** An empty page has no timestamps. */
  hidesMarks: boolean;
  /** A cursor more than a year ahead is rejected. */
  refusesFarMarks: boolean;
}

export interface Asked {
  readonly at: Instant;
  readonly filter: number;
  readonly limit?: number;
  readonly nextCursor?: number;
  readonly latestPublishedTs?: number;
  readonly charged: number;
}

const PLAIN: ServerWays = {
  ignoresLatest: false,
  inclusiveLatest: false,
  oldestFirst: false,
  milliseconds: false,
  lossyCursor: false,
  shufflesPages: false,
  refusesLimit: false,
  hidesMarks: false,
  refusesFarMarks: false,
};

export class FakeMarketplace {
  readonly ways: ServerWays;
  readonly asked: Asked[] = [];
  /** Every page request, including rejected ones. */
  readonly requests: Omit<Asked, 'charged'>[] = [];
  readonly charged = new Set<string>();
  remaining = 10_000;
  resetsAt: Instant;
  setups: BiddingSetup[] = [];
  setupsFail: MarketplaceError | undefined;
  /** Scripted answers in place of pages, in order. */
  readonly failures: (MarketplaceError | ((filter: number) => MarketplaceError | undefined))[] = [];
  /** Number of pages that are charged with a lost answer. */
  lostAnswers = 0;
  /** Filters with failing polls. */
  readonly broken = new Map<number, MarketplaceError>();
  /** Delays a filter's answers until the promise resolves. */
  readonly held = new Map<number, Promise<void>>();
  #total = 0;
  readonly #filters = new Map<number, ListedProject[]>();
  readonly #now: () => Instant;

  constructor(now: () => Instant, ways: Partial<ServerWays> = {}) {
    this.#now = now;
    this.ways = { ...PLAIN, ...ways };
    this.resetsAt = now() + 20 * 24 * 3_600_000;
  }

  get totalCharged(): number {
    return this.#total;
  }

  addFilter(filter: number): void {
    this.#filters.set(filter, this.#filters.get(filter) ?? []);
  }

  publish(filters: number | readonly number[], key: string, change: Partial<ListedProject> = {}): void {
    const project: ListedProject = {
      key: ProjectKey.parse(key),
      title: `Project ${key}`,
      url: `https://market.example/jobs/${key}`,
      description: 'Wanted.',
      skills: ['TypeScript'],
      categories: [],
      questions: [],
      publishedAt: this.#now(),
      client: {},
      ...change,
    };
    for (const filter of [filters].flat()) {
      this.addFilter(filter);
      this.#filters.get(filter)?.push(project);
    }
  }

  change(key: string, change: Partial<ListedProject>): void {
    for (const [filter, projects] of this.#filters) {
      const changed = projects.map((each) => (each.key === key ? { ...each, ...change } : each));
      this.#filters.set(filter, changed);
    }
  }

  nextPeriod(): void {
    this.charged.clear();
    this.resetsAt += 30 * 24 * 3_600_000;
  }

  #ts(project: ListedProject): number {
    const at = project.publishedAt ?? 0;
    return this.ways.milliseconds ? at : Math.floor(at / 1_000);
  }

  #charge(page: readonly ListedProject[], limit: number): number {
    const fresh = page.filter((project) => !this.charged.has(project.key));
    if (fresh.length > this.remaining) {
      throw new MarketplaceError('credits-depleted', 'none', 'depleted', {
        creditsNeeded: limit,
        creditsRemaining: this.remaining,
        creditsResetAt: this.resetsAt,
      });
    }
    for (const project of fresh) this.charged.add(project.key);
    this.remaining -= fresh.length;
    this.#total += fresh.length;
    return fresh.length;
  }

  #refusal({ limit, latestPublishedTs = 0 }: { limit?: number; latestPublishedTs?: number }) {
    const { refusesLimit, refusesFarMarks, milliseconds } = this.ways;
    if (refusesLimit && limit !== undefined) return 'Unknown parameter: limit';
    if (limit !== undefined && (limit < 10 || limit > 100)) return `limit ${limit}`;
    const year = this.#now() + 31_536_000_000;
    return refusesFarMarks && latestPublishedTs > (milliseconds ? year : year / 1_000)
      ? 'Out of range'
      : undefined;
  }

  async page(
    filter: number,
    query: { limit?: number; nextCursor?: number; latestPublishedTs?: number },
  ): Promise<FilterProjectsPage> {
    this.requests.push({ at: this.#now(), filter, ...query });
    await this.held.get(filter);
    const next = this.failures.shift();
    const failure = (typeof next === 'function' ? next(filter) : next) ?? this.broken.get(filter);
    if (failure) throw failure;
    const all = this.#filters.get(filter);
    if (!all) throw new MarketplaceError('not-found', 'none', 'no such filter', { status: 404 });
    const { limit = 20 } = query;
    const serverMessage = this.#refusal(query);
    if (serverMessage) throw new MarketplaceError('bad-request', 'none', 'refused', { serverMessage });
    const { oldestFirst, ignoresLatest, inclusiveLatest, lossyCursor } = this.ways;
    const { nextCursor: cursor, latestPublishedTs: latest } = query;
    const wanted = all
      .filter((each) => {
        if (latest === undefined || ignoresLatest) return true;
        return inclusiveLatest ? this.#ts(each) >= latest : this.#ts(each) > latest;
      })
      .sort((a, b) => (oldestFirst ? this.#ts(a) - this.#ts(b) : this.#ts(b) - this.#ts(a)));
    const rest = wanted.filter((each) => {
      if (cursor === undefined) return true;
      const ahead = oldestFirst ? this.#ts(each) - cursor : cursor - this.#ts(each);
      return lossyCursor ? ahead > 0 : ahead >= 0;
    });
    const page = rest.slice(0, limit);
    const following = rest[limit];
    const after = following && !lossyCursor ? following : page.at(-1);
    const charged = this.#charge(page, limit);
    this.asked.push({ at: this.#now(), filter, charged, ...query });
    if (this.lostAnswers > 0) {
      this.lostAnswers--;
      throw new MarketplaceError('network', 'unknown', 'the answer got lost');
    }
    return {
      projects: this.ways.shufflesPages ? [...page].sort((a, b) => (a.key < b.key ? -1 : 1)) : page,
      unreadable: 0,
      isLast: following === undefined,
      ...(this.ways.hidesMarks && page.length === 0 ? {} : this.#shownMarks(all, after, cursor)),
      credits: { remaining: this.remaining, resetsAt: this.resetsAt, consumed: charged },
    };
  }

  #shownMarks(all: readonly ListedProject[], after: ListedProject | undefined, cursor: number | undefined) {
    return {
      nextCursor: after ? this.#ts(after) : (cursor ?? 0),
      latestPublishedTs: Math.max(0, ...all.map((each) => this.#ts(each))),
    };
  }

  async lookUp(reference: ProjectReference) {
    const named = 'ciphertext' in reference ? reference.ciphertext : reference.uid;
    const project = [...this.#filters.values()].flat().find(({ url }) => url.endsWith(named));
    if (!project) throw new MarketplaceError('not-found', 'none', 'no such project', { status: 404 });
    const consumed = this.#charge([project], 1);
    const full = { ...project, clientMore: {}, workHistory: [] };
    return { project: full, credits: { remaining: this.remaining, resetsAt: this.resetsAt, consumed } };
  }

  /** The marketplace object for the feed: only the calls it uses work. */
  client(): MarketplaceClient {
    const limits = new ListPageSizes({ monotonicNow: this.#now });
    const listOf = (filter: FilterId) => ({ list: 'filter-projects', path: String(filter) }) as const;
    return {
      ...unaskedMarketplace('which the feed does not use'),
      fixedPageSize: (of) => ('filter' in of ? limits.fixedPageSize(listOf(of.filter)) : undefined),
      fetchFilterProjects: async (filter, { limit, ...query }, { permit }) => {
        try {
          return await limits.requestPage(
            { ...listOf(filter), limit, isPaid: true },
            (asked) => this.page(filter, { ...query, ...(asked === undefined ? {} : { limit: asked }) }),
            ({ projects }) => projects.length,
          );
        } finally {
          permit?.finish({ kind: 'done' });
        }
      },
      fetchFilterResults: async (filter: FilterId) => {
        const failure = this.broken.get(filter);
        if (failure) throw failure;
        if (!this.#filters.has(filter)) {
          throw new MarketplaceError('not-found', 'none', 'no such filter', { status: 404 });
        }
        return { items: [], unreadable: 0, paging: {} };
      },
      fetchBiddingSetups: async () => {
        if (this.setupsFail) throw this.setupsFail;
        return this.setups;
      },
      lookUpProject: async (reference, { permit }) => {
        try {
          return await this.lookUp(reference);
        } finally {
          permit?.finish({ kind: 'done' });
        }
      },
    };
  }
}
