/** Everything that is in the simulated marketplace. A reset puts new contents into the same world. */
import type { Clock, Random } from '../../clock.ts';
import { Account } from './account.ts';
import { type Modes, USUAL } from './faults.ts';
import type {
  FilterRecord,
  InvitationRecord,
  JobRecord,
  OrganizationRecord,
  ProfileRecord,
  ProjectRecord,
  ProposalRecord,
  ResultRecord,
  SetupRecord,
  TemplateRecord,
  VerdictRecord,
} from './records.ts';
import { RequestWindow } from './request-window.ts';
import type { MarketplaceOptions } from './simulated-marketplace.ts';

/** Records by id, and the ids still free. */
export class Shelf<T extends { readonly id: number }> {
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
  must(id: number): T {
    const record = this.#records.get(id);
    if (!record) throw new RangeError(`There's no record with ID ${id}`);
    return record;
  }

  all(): T[] {
    return [...this.#records.values()];
  }
}

export interface World {
  readonly clock: Clock;
  readonly random: Random;
  readonly account: Account;
  readonly window: RequestWindow;
  modes: Modes;
  readonly filters: Shelf<FilterRecord>;
  readonly projects: Shelf<ProjectRecord>;
  /** `filter:project` -> what the qualifier says. */
  readonly verdicts: Map<string, VerdictRecord>;
  readonly results: Shelf<ResultRecord>;
  readonly profiles: Shelf<ProfileRecord>;
  readonly organizations: Shelf<OrganizationRecord>;
  readonly proposals: Shelf<ProposalRecord>;
  readonly invitations: Shelf<InvitationRecord>;
  readonly setups: Shelf<SetupRecord>;
  readonly templates: Shelf<TemplateRecord>;
  readonly jobs: Shelf<JobRecord>;
}

/** 30 a minute; docs/marketplace-api.md, Limits. */
const REQUESTS_A_MINUTE = 30;

/** Ids begin apart, so that a swapped kind is not found by luck. */
export function createWorld(options: MarketplaceOptions): World {
  return {
    clock: options.clock,
    random: options.random,
    account: new Account(options),
    window: new RequestWindow(options.requestsPerMinute ?? REQUESTS_A_MINUTE),
    modes: USUAL,
    filters: new Shelf(101),
    projects: new Shelf(1),
    verdicts: new Map(),
    results: new Shelf(7_001),
    profiles: new Shelf(301),
    organizations: new Shelf(401),
    proposals: new Shelf(20_001),
    invitations: new Shelf(30_001),
    setups: new Shelf(501),
    templates: new Shelf(601),
    jobs: new Shelf(40_001),
  };
}

export function verdictKey(filterId: number, projectId: number): string {
  return `${filterId}:${projectId}`;
}

/** The projects with these ids; every one exists. */
export function projectsOf(world: World, ids: readonly number[]): ProjectRecord[] {
  return ids.map((id) => world.projects.must(id));
}

/** As started: every part of `world` is new. Whoever holds on to an old part sees the old contents. */
export function startAnew(world: World, options: MarketplaceOptions): void {
  Object.assign(world, createWorld(options));
}
