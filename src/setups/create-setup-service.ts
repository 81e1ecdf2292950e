/** Auto bidding setups as of the last good response; templates are cached briefly. */
import { isDeepStrictEqual } from 'node:util';
import { type Clock, isRecent } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import type { Lane } from '../marketplace/gate/gate.ts';
import type { BiddingSetup } from '../marketplace/schema.ts';
import { type ReadTransaction, StorageError, type Store, scanCollection } from '../storage/store.ts';
import {
  type SetupList,
  type SetupService,
  type SetupsStoredListener,
  setupsStates,
  storedSetups,
} from './setup-service.ts';
import { TemplateCache } from './template-cache.ts';

export interface SetupServiceContext {
  readonly team: TeamId;
  readonly store: Store;
  readonly marketplace: MarketplaceClient;
  readonly clock: Clock;
  readonly log: Log;
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

  const known = () => store.read((tx) => readStored(tx, team));

  return {
    readStoredSetups: known,
    async refreshIfOlderThan(maxAgeMs, lane) {
      if (inFlight) return inFlight;
      const stored = await known();
      return isRecent(stored.readAt, maxAgeMs, clock.now()) ? stored : askOnce(lane);
    },
    fetchTemplate: (id) => templates.getTemplate(id),
    onSetupsStored: (listener) => void listeners.push(listener),
  };
}
