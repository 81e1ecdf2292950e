/** The names of filters, which auto bidding setups alone tell. */
import { type Instant, MINUTE } from '../clock.ts';
import type { FilterId } from '../ids.ts';
import type { BiddingSetup } from '../marketplace/schema.ts';
import type { SetupList } from '../setups/setups.ts';
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

/** Takes names from setups of the last five minutes; where those can't be learned, from the ones that are stored. */
export class FilterNames {
  readonly #context: FeedContext;
  /** When the setups were read whose names the filters have. */
  #namedAt: Instant | undefined;
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
    const { store, team } = this.#context;
    const learned = filtersOf((await this.#learn()).setups);
    return store.read(async (tx) => {
      const known = new Map<FilterId, NamedFilter>();
      for await (const { value } of scan(tx, filters, { prefix: [team] })) {
        known.set(value.filter, namedFilter(value));
      }
      for (const filter of learned) known.set(filter.id, { ...known.get(filter.id), ...filter });
      return [...known.values()].sort((a, b) => a.id - b.id);
    });
  }

  async #learn(): Promise<SetupList> {
    const { setups, log } = this.#context;
    try {
      const list = await setups.fresh(FRESH_MS, 'person');
      await this.#name(list);
      this.#failure = undefined;
      return list;
    } catch (thrown) {
      this.#failure = thrown;
      log.info('names of filters could not be learned', { error: thrown });
      return setups.known();
    }
  }

  /** A filter that is followed keeps its name, and is renamed when its name has changed. */
  async #name({ setups, readAt }: SetupList): Promise<void> {
    if (readAt === this.#namedAt) return;
    const { store, team } = this.#context;
    const learned = filtersOf(setups);
    await store.transact(async (tx) => {
      for (const { id, name } of learned) {
        const state = await tx.get(filters, filterKey(team, id));
        if (state && name !== undefined && state.name !== name) {
          await tx.put(filters, filterKey(team, id), { ...state, name });
        }
      }
    });
    this.#namedAt = readAt;
  }
}
