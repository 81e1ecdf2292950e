/** The names of filters, which auto bidding setups alone tell. */
import { type Instant, MINUTE } from '../clock.ts';
import type { FilterId } from '../ids.ts';
import type { BiddingSetup } from '../marketplace/schema.ts';
import { scan } from '../storage/store.ts';
import type { FeedContext } from './context.ts';
import type { NamedFilter } from './feed.ts';
import { namedFilter } from './filter-states.ts';
import { filterKey, filters } from './records.ts';

const FRESH_MS = 5 * MINUTE;

function filtersOf(setups: readonly BiddingSetup[]): NamedFilter[] {
  const found = new Map<FilterId, NamedFilter>();
  for (const { filter } of setups) {
    if (!filter) continue;
    const { id, name } = filter;
    if (name !== undefined || !found.has(id)) found.set(id, name === undefined ? { id } : { id, name });
  }
  return [...found.values()];
}

/** Asks for setups at most every five minutes; without an answer it goes on with what is known. */
export class FilterNames {
  readonly #context: FeedContext;
  #learnedAt: Instant | undefined;
  #learned: readonly NamedFilter[] = [];
  #failure: unknown;

  constructor(context: FeedContext) {
    this.#context = context;
  }

  /** Why the names could not be learned when that was last tried; undefined when they could. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Every filter that we know of, by id. */
  async known(): Promise<readonly NamedFilter[]> {
    await this.#learn();
    const { store, team } = this.#context;
    return store.read(async (tx) => {
      const known = new Map<FilterId, NamedFilter>();
      for await (const { value } of scan(tx, filters, { prefix: [team] })) {
        known.set(value.filter, namedFilter(value));
      }
      for (const filter of this.#learned) known.set(filter.id, { ...known.get(filter.id), ...filter });
      return [...known.values()].sort((a, b) => a.id - b.id);
    });
  }

  async #learn(): Promise<void> {
    const { marketplace, clock, log } = this.#context;
    if (this.#learnedAt !== undefined && clock.now() < this.#learnedAt + FRESH_MS) return;
    try {
      this.#learned = filtersOf(await marketplace.setups({ lane: 'person' }));
      this.#learnedAt = clock.now();
      this.#failure = undefined;
      await this.#store();
    } catch (thrown) {
      this.#failure = thrown;
      log.info('names of filters could not be learned', { error: thrown });
    }
  }

  /** A filter that is followed keeps its name, and is renamed when its name has changed. */
  #store(): Promise<void> {
    const { store, team } = this.#context;
    return store.transact(async (tx) => {
      for (const { id, name } of this.#learned) {
        const state = await tx.get(filters, filterKey(team, id));
        if (state && name !== undefined && state.name !== name) {
          await tx.put(filters, filterKey(team, id), { ...state, name });
        }
      }
    });
  }
}
