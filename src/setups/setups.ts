/**
 * Auto bidding setups as of the last good response, so that no menu waits for the marketplace; templates are
 * cached briefly.
 */

import { z } from 'zod';
import { isDeepEqual } from '../base/is-deep-equal.ts';
import { putBounded } from '../base/put-bounded.ts';
import { type Clock, type Instant, isRecent, MINUTE } from '../clock.ts';
import { SetupId, type TemplateId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { Lane } from '../marketplace/gate/gate.ts';
import { BiddingSetup, type ProposalTemplate } from '../marketplace/schema.ts';
import {
  type Collection,
  listAllValues,
  type ReadTransaction,
  readWhenChanged,
  StorageError,
  type Store,
  type Transaction,
} from '../storage/store.ts';

/** Key: [setup]. Exactly the last good response. */
const StoredSetup = z.object({ setup: BiddingSetup, id: SetupId });
type StoredSetup = z.infer<typeof StoredSetup>;
export const storedSetups: Collection<StoredSetup> = { name: 'setups', schema: StoredSetup, indexes: {} };

/** One record. */
const SetupsState = z.object({ readAt: z.number() });
type SetupsState = z.infer<typeof SetupsState>;
export const setupsStates: Collection<SetupsState> = {
  name: 'setups-state',
  schema: SetupsState,
  indexes: {},
};

export interface SetupList {
  /** By id. */
  readonly setups: readonly BiddingSetup[];
  /** When the marketplace sent them; missing: never yet. */
  readonly readAt?: Instant;
}

export type SetupsStoredListener = (
  tx: Transaction,
  setups: readonly BiddingSetup[],
  at: Instant,
) => Promise<void>;

export interface SetupServiceContext {
  readonly store: Store;
  readonly marketplace: MarketplaceClient;
  readonly clock: Clock;
  readonly log: Log;
}

const KEPT_MS = 5 * MINUTE;
/** One template holds texts of up to 50,000 characters. */
const MOST_KEPT = 50;

interface Kept {
  readonly at: Instant;
  readonly answer: Promise<ProposalTemplate>;
}

/** The docs name the path only, so it may not exist. A definite error is cached as long as an answer. */
function isDefinite(thrown: unknown): boolean {
  return (
    thrown instanceof MarketplaceError && ['not-found', 'forbidden', 'bad-request'].includes(thrown.code)
  );
}

/** Requests each template at most every five minutes, and once for all waiting callers. */
class TemplateCache {
  readonly #ask: (id: TemplateId) => Promise<ProposalTemplate>;
  readonly #now: () => Instant;
  /** Oldest first. */
  readonly #kept = new Map<TemplateId, Kept>();
  /** The last good answers, of any age. */
  readonly #known = new Map<TemplateId, { readonly at: Instant; readonly template: ProposalTemplate }>();

  constructor(ask: (id: TemplateId) => Promise<ProposalTemplate>, now: () => Instant) {
    this.#ask = ask;
    this.#now = now;
  }

  getTemplate(id: TemplateId): Promise<ProposalTemplate> {
    const now = this.#now();
    const kept = this.#kept.get(id);
    if (kept && Math.abs(now - kept.at) < KEPT_MS) return kept.answer;
    const answer = this.#ask(id);
    putBounded(this.#kept, id, { at: now, answer }, MOST_KEPT);
    answer.then(
      (template) => putBounded(this.#known, id, { at: now, template }, MOST_KEPT),
      (thrown: unknown) => {
        if (isDefinite(thrown)) this.#known.delete(id);
        // A transient error isn't cached; waiting callers still get it.
        else if (this.#kept.get(id)?.answer === answer) this.#kept.delete(id);
      },
    );
    return answer;
  }

  findKnown(id: TemplateId, withinMs: number): ProposalTemplate | undefined {
    const known = this.#known.get(id);
    return known && Math.abs(this.#now() - known.at) <= withinMs ? known.template : undefined;
  }
}

async function readStored(tx: ReadTransaction): Promise<SetupList> {
  const setups = (await listAllValues(tx, storedSetups)).map(({ setup }) => setup);
  const state = await tx.get(setupsStates, []);
  return state ? { setups, readAt: state.readAt } : { setups };
}

/** Keeps the last setup of each id, ordered by id, so that listeners see exactly what is stored. */
function inOrder(setups: readonly BiddingSetup[]): BiddingSetup[] {
  const byId = new Map(setups.map((setup) => [setup.id, setup]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

export type SetupService = ReturnType<typeof createSetupService>;

export function createSetupService(context: SetupServiceContext) {
  const { store, marketplace, clock, log } = context;
  const templates = new TemplateCache(
    (id) => marketplace.fetchProposalTemplate(id, { lane: 'person' }),
    () => clock.now(),
  );
  const listeners: SetupsStoredListener[] = [];
  let inFlight: Promise<SetupList> | undefined;

  /** Replaces the stored setups; unchanged ones aren't written. */
  function replaceStored({ setups, readAt }: Required<SetupList>): Promise<void> {
    return store.transact(async (tx) => {
      const stored = await listAllValues(tx, storedSetups);
      const gone = new Map<number, BiddingSetup>(stored.map(({ id, setup }) => [id, setup]));
      for (const setup of setups) {
        const { id } = setup;
        const before = gone.get(id);
        gone.delete(id);
        if (isDeepEqual(before, setup)) continue;
        await tx.put(storedSetups, [id], { id, setup });
      }
      for (const id of gone.keys()) await tx.delete(storedSetups, [id]);
      await tx.put(setupsStates, [], { readAt });
      for (const listener of listeners) await listener(tx, setups, readAt);
    });
  }

  async function ask(lane: Lane): Promise<SetupList> {
    const setups = inOrder(await marketplace.fetchBiddingSetups({ lane }));
    const list = { setups, readAt: clock.now() };
    try {
      await replaceStored(list);
    } catch (thrown) {
      // The caller still gets its answer; the next call requests it again.
      if (!(thrown instanceof StorageError)) throw thrown;
      log.error("Couldn't store setups", { error: thrown });
    }
    return list;
  }

  function askOnce(lane: Lane): Promise<SetupList> {
    inFlight ??= ask(lane).finally(() => {
      inFlight = undefined;
    });
    return inFlight;
  }

  const known = readWhenChanged(store, [storedSetups, setupsStates], (tx) => readStored(tx));

  return {
    readStoredSetups: known,
    /**
     * Returns the stored list if it is younger than `maxAgeMs`. Else requests it (one request for all
     * callers) and stores the response.
     * @throws MarketplaceError; the stored list stays.
     */
    async refreshIfOlderThan(maxAgeMs: number, lane: Lane): Promise<SetupList> {
      if (inFlight) return inFlight;
      const stored = await known();
      return isRecent(stored.readAt, maxAgeMs, clock.now()) ? stored : askOnce(lane);
    },
    /**
     * A template that a setup bids with; requested at most every five minutes. The docs name its path only.
     * @throws MarketplaceError
     */
    fetchTemplate: (id: TemplateId) => templates.getTemplate(id),
    /** As last fetched since the start. @param withinMs missing: of any age, to show it at once */
    findKnownTemplate: (id: TemplateId, withinMs = Infinity) => templates.findKnown(id, withinMs),
    /**
     * Called with every new list, inside the transaction that stores it. The listener must not throw errors
     * of its own.
     */
    onSetupsStored: (listener: SetupsStoredListener) => void listeners.push(listener),
  };
}
