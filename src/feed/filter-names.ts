/** Names of filters, from auto bidding setups and the directory. */
import { MINUTE } from '../clock.ts';
import { FilterId } from '../ids.ts';
import type { BiddingSetup } from '../marketplace/schema.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';
import type { FeedContext, NamedFilter } from './feed.ts';
import { toNamedFilter } from './poll-state.ts';
import { type FilterState, filterStateKey, filterStates } from './records.ts';

const FRESH_MS = 5 * MINUTE;
/** More than a team has. */
const MOST = 1_000;

/** Uses names from setups of the last five minutes; if those can't be read, the stored names. */
export class FilterNames {
  readonly #context: FeedContext;
  #failure: unknown;

  constructor(context: FeedContext) {
    this.#context = context;
  }

  /** Why the latest attempt to read names failed; undefined if it succeeded. */
  get failure(): unknown {
    return this.#failure;
  }

  async listKnownFilters(): Promise<readonly NamedFilter[]> {
    const { store, team, directory } = this.#context;
    const known = new Map<FilterId, NamedFilter>();
    for (const { filter } of await this.#learn()) if (filter) known.set(filter.id, namedInSetup(filter));
    const followed = await store.read((tx) => readFilters(tx, team));
    for (const state of followed) known.set(state.filter, toNamedFilter(state));
    for (const entry of await directory.listEntries('filter', MOST)) {
      const id = FilterId.parse(entry.id);
      known.set(id, { id, name: entry.name });
    }
    await this.#rename(
      followed.filter(({ filter, name }) => known.get(filter)?.name !== name).map(idOf),
      known,
    );
    return [...known.values()].sort((a, b) => a.id - b.id);
  }

  async #learn(): Promise<readonly BiddingSetup[]> {
    const { setups, log } = this.#context;
    try {
      const list = await setups.refreshIfOlderThan(FRESH_MS, 'person');
      this.#failure = undefined;
      return list.setups;
    } catch (thrown) {
      this.#failure = thrown;
      log.info("Couldn't look up filter names", { error: thrown });
      return (await setups.readStoredSetups()).setups;
    }
  }

  /** A followed filter stores its name, for cards and lists. */
  async #rename(renamed: readonly FilterId[], known: ReadonlyMap<FilterId, NamedFilter>): Promise<void> {
    if (renamed.length === 0) return;
    const { store, team } = this.#context;
    await store.transact(async (tx) => {
      for (const id of renamed) {
        const state = await tx.get(filterStates, filterStateKey(team, id));
        const name = known.get(id)?.name;
        if (state && name !== undefined)
          await tx.put(filterStates, filterStateKey(team, id), { ...state, name });
      }
    });
  }
}

async function readFilters(tx: ReadTransaction, team: FeedContext['team']): Promise<FilterState[]> {
  const found: FilterState[] = [];
  for await (const { value } of scanCollection(tx, filterStates, { prefix: [team] })) found.push(value);
  return found;
}

function idOf({ filter }: FilterState): FilterId {
  return filter;
}

function namedInSetup({ id, name }: NonNullable<BiddingSetup['filter']>): NamedFilter {
  return name === undefined ? { id } : { id, name };
}
