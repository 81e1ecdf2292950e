/** Everything that is in the simulated marketplace. A reset puts new contents into the same world. */
import type { Clock, Random } from '../../clock.ts';
import { SubscriptionAccount } from './account.ts';
import { DEFAULT_MODES, type MarketplaceModes } from './faults.ts';
import type {
  SimulatedFilter,
  SimulatedInvitation,
  SimulatedJob,
  SimulatedOrganization,
  SimulatedProfile,
  SimulatedProject,
  SimulatedProposal,
  SimulatedResult,
  SimulatedSetup,
  SimulatedTemplate,
  SimulatedVerdict,
} from './records.ts';
import { RequestWindow } from './request-window.ts';
import type { MarketplaceOptions } from './simulated-marketplace.ts';

/** Records by id, and the ids still free. */
export class RecordTable<T extends { readonly id: number }> {
  readonly #records = new Map<number, T>();
  #last: number;

  constructor(firstId: number) {
    this.#last = firstId - 1;
  }

  /** The id the next record gets unless it brings its own. */
  nextId(): number {
    return this.#last + 1;
  }

  /** Adds or replaces. */
  put(record: T): T {
    this.#records.set(record.id, record);
    this.#last = Math.max(this.#last, record.id);
    return record;
  }

  get(id: number): T | undefined {
    return this.#records.get(id);
  }

  /** @throws RangeError when there is none: a seed names something that was never added. */
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
  readonly random: Random;
  readonly account: SubscriptionAccount;
  readonly window: RequestWindow;
  modes: MarketplaceModes;
  readonly filters: RecordTable<SimulatedFilter>;
  readonly projects: RecordTable<SimulatedProject>;
  /** `filter:project` -> what the qualifier says. */
  readonly verdicts: Map<string, SimulatedVerdict>;
  readonly results: RecordTable<SimulatedResult>;
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

/** Ids begin apart, so that a swapped kind is not found by luck. */
export function createMarketplaceState(options: MarketplaceOptions): MarketplaceState {
  return {
    clock: options.clock,
    random: options.random,
    account: new SubscriptionAccount(options),
    window: new RequestWindow(options.requestsPerMinute ?? REQUESTS_A_MINUTE),
    modes: DEFAULT_MODES,
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

/** The projects with these ids; every one exists. */
export function getProjectsByIds(world: MarketplaceState, ids: readonly number[]): SimulatedProject[] {
  return ids.map((id) => world.projects.getOrThrow(id));
}

/** As started: every part of `world` is new. Whoever holds on to an old part sees the old contents. */
export function resetMarketplaceState(world: MarketplaceState, options: MarketplaceOptions): void {
  Object.assign(world, createMarketplaceState(options));
}
