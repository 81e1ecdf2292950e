/**
 * Auto bidding setups as of the last good response, so that no menu waits for the marketplace; templates are
 * cached briefly.
 */

import { z } from 'zod';
import { isDeepEqual } from '../base/is-deep-equal.ts';
import { putBounded } from '../base/put-bounded.ts';
import { type Instant, isRecent, MINUTE } from '../clock.ts';
import { SetupId, type TemplateId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { Lane } from '../marketplace/gate/gate.ts';
import { BiddingSetup, type ProposalTemplate } from '../marketplace/schema.ts';
import {
  collection,
  listAllValues,
  type ReadTransaction,
  readWhenChanged,
  StorageError,
  type Transaction,
} from '../storage/store.ts';
import type { Workspace } from '../workspace.ts';

/** Exactly the last good response. */
const StoredSetup = z.object({ setup: BiddingSetup, id: SetupId });
type StoredSetup = z.infer<typeof StoredSetup>;
export const storedSetups = collection({ name: 'setups', schema: StoredSetup, key: (it) => [it.id] });

/** One record. */
const SetupsState = z.object({ readAt: z.number() });
type SetupsState = z.infer<typeof SetupsState>;
export const setupsStates = collection({
  name: 'setups-state',
  schema: SetupsState,
  key: () => [],
});

export interface SetupList {
  /** By id. */
  readonly setups: readonly BiddingSetup[];
  /** When the marketplace sent them; missing: never yet. */
  readonly readAt?: Instant;
}

type StoredListener = (tx: Transaction, setups: readonly BiddingSetup[], at: Instant) => Promise<void>;

export type SetupServiceContext = Pick<Workspace, 'store' | 'marketplace' | 'clock' | 'log'>;

const KEPT_MS = 5 * MINUTE;
/** One template holds texts of up to 50,000 characters. */
const MOST_KEPT = 50;

/** The docs name a template's path only, so it may not exist: such an error is cached like an answer. */
const DEFINITE: ReadonlySet<string> = new Set(['not-found', 'forbidden', 'bad-request']);

async function readStored(tx: ReadTransaction): Promise<SetupList> {
  const setups = (await listAllValues(tx, storedSetups)).map(({ setup }) => setup);
  const state = await tx.get(setupsStates, []);
  return state ? { setups, readAt: state.readAt } : { setups };
}

export type SetupService = ReturnType<typeof createSetupService>;

export function createSetupService(context: SetupServiceContext) {
  const { store, marketplace, clock, log } = context;
  /** Oldest first. */
  const kept = new Map<TemplateId, { readonly at: Instant; readonly answer: Promise<ProposalTemplate> }>();
  /** The last good answers, of any age. */
  const lastGood = new Map<TemplateId, { readonly at: Instant; readonly template: ProposalTemplate }>();
  const listeners: StoredListener[] = [];
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
        await tx.put(storedSetups, { id, setup });
      }
      for (const id of gone.keys()) await tx.delete(storedSetups, [id]);
      await tx.put(setupsStates, { readAt });
      for (const listener of listeners) await listener(tx, setups, readAt);
    });
  }

  async function ask(lane: Lane): Promise<SetupList> {
    // The last setup of each id, ordered by id, so that listeners see exactly what is stored.
    const byId = new Map((await marketplace.fetchBiddingSetups({ lane })).map((setup) => [setup.id, setup]));
    const setups = [...byId.values()].sort((a, b) => a.id - b.id);
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

  /** Requests each template at most every five minutes, and once for all waiting callers. */
  function fetchTemplate(id: TemplateId): Promise<ProposalTemplate> {
    const at = clock.now();
    const last = kept.get(id);
    if (last && Math.abs(at - last.at) < KEPT_MS) return last.answer;
    const answer = marketplace.fetchProposalTemplate(id, { lane: 'person' });
    putBounded(kept, id, { at, answer }, MOST_KEPT);
    answer.then(
      (template) => putBounded(lastGood, id, { at, template }, MOST_KEPT),
      (thrown: unknown) => {
        if (thrown instanceof MarketplaceError && DEFINITE.has(thrown.code)) lastGood.delete(id);
        // A transient error isn't cached; waiting callers still get it.
        else if (kept.get(id)?.answer === answer) kept.delete(id);
      },
    );
    return answer;
  }

  const known = readWhenChanged(store, [storedSetups, setupsStates], readStored);

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
    fetchTemplate,
    /** As last fetched since the start. @param withinMs missing: of any age, to show it at once */
    findKnownTemplate(id: TemplateId, withinMs = Infinity): ProposalTemplate | undefined {
      const last = lastGood.get(id);
      return last && Math.abs(clock.now() - last.at) <= withinMs ? last.template : undefined;
    },
    /**
     * Called with every new list, inside the transaction that stores it. The listener must not throw errors
     * of its own.
     */
    onSetupsStored: (listener: StoredListener) => void listeners.push(listener),
  };
}
