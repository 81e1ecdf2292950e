/** Auto bidding setups as of the last good response; templates are cached briefly. */

import { isDeepStrictEqual } from 'node:util';
import { putBounded } from '../base/put-bounded.ts';
import { type Clock, type Instant, isRecent, MINUTE } from '../clock.ts';
import type { TeamId, TemplateId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { Lane } from '../marketplace/gate/gate.ts';
import type { BiddingSetup, ProposalTemplate } from '../marketplace/schema.ts';
import {
  type ReadTransaction,
  readWhenChanged,
  StorageError,
  type Store,
  scanCollection,
} from '../storage/store.ts';
import {
  type SetupList,
  type SetupService,
  type SetupsStoredListener,
  setupsStates,
  storedSetups,
} from './setups.ts';

export interface SetupServiceContext {
  readonly team: TeamId;
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

async function readStored(tx: ReadTransaction, team: TeamId): Promise<SetupList> {
  const setups: BiddingSetup[] = [];
  for await (const { value } of scanCollection(tx, storedSetups, { prefix: [team] }))
    setups.push(value.setup);
  const state = await tx.get(setupsStates, [team]);
  return state ? { setups, readAt: state.readAt } : { setups };
}

/** Keeps the last setup of each id, ordered by id, so that listeners see exactly what is stored. */
function inOrder(setups: readonly BiddingSetup[]): BiddingSetup[] {
  const byId = new Map(setups.map((setup) => [setup.id, setup]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

export function createSetupService(context: SetupServiceContext): SetupService {
  const { team, store, marketplace, clock, log } = context;
  const templates = new TemplateCache(
    (id) => marketplace.fetchProposalTemplate(id, { lane: 'person' }),
    () => clock.now(),
  );
  const listeners: SetupsStoredListener[] = [];
  let inFlight: Promise<SetupList> | undefined;

  const tellStored: SetupsStoredListener = async (tx, setups, readAt) => {
    for (const listener of listeners) await listener(tx, setups, readAt);
  };

  /** Replaces the stored setups; unchanged ones aren't written. */
  function replaceStored({ setups, readAt }: Required<SetupList>): Promise<void> {
    return store.transact(async (tx) => {
      const gone = new Map<number, BiddingSetup>();
      for await (const { value } of scanCollection(tx, storedSetups, { prefix: [team] })) {
        gone.set(value.id, value.setup);
      }
      for (const setup of setups) {
        const { id } = setup;
        const before = gone.get(id);
        gone.delete(id);
        if (isDeepStrictEqual(before, setup)) continue;
        await tx.put(storedSetups, [team, id], { team, id, setup });
      }
      for (const id of gone.keys()) await tx.delete(storedSetups, [team, id]);
      await tx.put(setupsStates, [team], { team, readAt });
      await tellStored(tx, setups, readAt);
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

  const known = readWhenChanged(store, [storedSetups, setupsStates], (tx) => readStored(tx, team));

  return {
    readStoredSetups: known,
    async refreshIfOlderThan(maxAgeMs, lane) {
      if (inFlight) return inFlight;
      const stored = await known();
      return isRecent(stored.readAt, maxAgeMs, clock.now()) ? stored : askOnce(lane);
    },
    fetchTemplate: (id) => templates.getTemplate(id),
    findKnownTemplate: (id, withinMs = Infinity) => templates.findKnown(id, withinMs),
    onSetupsStored: (listener) => void listeners.push(listener),
  };
}
