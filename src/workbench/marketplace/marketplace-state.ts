/** Everything in the simulated marketplace. A reset replaces the contents of the same state object. */
import type { Clock, RandomSource } from '../../clock.ts';
import { SimulatedMarketplaceAccount } from './account.ts';
import { DEFAULT_MARKETPLACE_MODES, type MarketplaceModes } from './faults.ts';
import type {
  SimulatedFilter,
  SimulatedFilterResult,
  SimulatedInvitation,
  SimulatedJob,
  SimulatedOrganization,
  SimulatedProfile,
  SimulatedProject,
  SimulatedProposal,
  SimulatedSetup,
  SimulatedTemplate,
  SimulatedVerdict,
} from './records.ts';
import { RequestRateLimiter } from './request-window.ts';
import type { MarketplaceOptions } from './simulated-marketplace.ts';

/** Records by ID, and the next free ID. */
export class RecordTable<T extends { readonly id: number }> {
  readonly #records = new Map<number, T>();
  #last: number;

  constructor(firstId: number) {
    this.#last = firstId - 1;
  }

  /** The next record gets this ID unless it has its own. */
  nextId(): number {
    return this.#last + 1;
  }

  put(record: T): T {
    this.#records.set(record.id, record);
    this.#last = Math.max(this.#last, record.id);
    return record;
  }

  get(id: number): T | undefined {
    return this.#records.get(id);
  }

  /** @throws RangeError for an unknown ID: the seed names something that was never added. */
  getOrThrow(id: number): T {
    const record = this.#records.get(id);
    if (!record) throw new RangeError(`There's no record with ID ${id}`);
    return record;
  }

  all(): T[] {
    return [...this.#records.values()];
  }
}

export interface MarketplaceState {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly account: SimulatedMarketplaceAccount;
  readonly window: RequestRateLimiter;
  modes: MarketplaceModes;
  readonly filters: RecordTable<SimulatedFilter>;
  readonly projects: RecordTable<SimulatedProject>;
  /** `filter:project` -> the qualifier's verdict. */
  readonly verdicts: Map<string, SimulatedVerdict>;
  readonly results: RecordTable<SimulatedFilterResult>;
  readonly profiles: RecordTable<SimulatedProfile>;
  readonly organizations: RecordTable<SimulatedOrganization>;
  readonly proposals: RecordTable<SimulatedProposal>;
  readonly invitations: RecordTable<SimulatedInvitation>;
  readonly setups: RecordTable<SimulatedSetup>;
  readonly templates: RecordTable<SimulatedTemplate>;
  readonly jobs: RecordTable<SimulatedJob>;
}

/** 30 a minute; docs/marketplace-api.md, Limits. */
const REQUESTS_A_MINUTE = 30;

/** Each kind of record has its own ID range, so that a mixed-up ID finds nothing by luck. */
export function createMarketplaceState(options: MarketplaceOptions): MarketplaceState {
  return {
    clock: options.clock,
    random: options.random,
    account: new SimulatedMarketplaceAccount(options),
    window: new RequestRateLimiter(options.requestsPerMinute ?? REQUESTS_A_MINUTE),
    modes: DEFAULT_MARKETPLACE_MODES,
    filters: new RecordTable(101),
    projects: new RecordTable(1),
    verdicts: new Map(),
    results: new RecordTable(7_001),
    profiles: new RecordTable(301),
    organizations: new RecordTable(401),
    proposals: new RecordTable(20_001),
    invitations: new RecordTable(30_001),
    setups: new RecordTable(501),
    templates: new RecordTable(601),
    jobs: new RecordTable(40_001),
  };
}

export function verdictKey(filterId: number, projectId: number): string {
  return `${filterId}:${projectId}`;
}

/** The projects with these IDs, which must all exist. */
export function getProjectsByIds(world: MarketplaceState, ids: readonly number[]): SimulatedProject[] {
  return ids.map((id) => world.projects.getOrThrow(id));
}

/** Replaces every part of `world`. References to an old part still see the old contents. */
export function resetMarketplaceState(world: MarketplaceState, options: MarketplaceOptions): void {
  Object.assign(world, createMarketplaceState(options));
}
