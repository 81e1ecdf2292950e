/** What the process stores about itself: the times of its clock, and the memory of the request gate. */
import { z } from 'zod';
import { HOUR } from '../clock.ts';
import type { ClockWatch } from '../clock-watch.ts';
import { runLoop } from '../effects/run-loop.ts';
import { asError } from '../errors.ts';
import { type GateJournal, GateMemory } from '../marketplace/gate/gate.ts';
import { collection, type Store } from '../storage/store.ts';
import type { Workspace } from '../workspace.ts';

/** So that the next start knows the last trusted time. */
export const clockRecords = collection({
  name: 'clock',
  schema: z.object({ at: z.number(), trusted: z.number() }),
  key: () => [],
});

interface Parts extends Pick<Workspace, 'store' | 'clock' | 'log'> {
  readonly watch: ClockWatch;
}

export async function beginClockWatch({ store, watch }: Pick<Parts, 'store' | 'watch'>): Promise<void> {
  watch.applyStoredTimes(await store.read((tx) => tx.get(clockRecords, [])));
}

/** Stores the times every hour until `signal` aborts. */
export async function storeClockTimeHourly(parts: Parts, signal: AbortSignal): Promise<void> {
  const step = async () => {
    await keep(parts);
    await parts.clock.sleep(HOUR, signal);
  };
  await runLoop(parts, { name: 'Clock record', step, retryAfterMs: HOUR }, signal);
}

async function keep({ store, log, watch }: Parts): Promise<void> {
  const memory = watch.readTimesToStore();
  if (!memory) return;
  try {
    await store.transact((tx) => tx.put(clockRecords, memory));
  } catch (thrown) {
    log.warn("Couldn't store the current time", { error: asError(thrown) });
  }
}

/** So that a restart still counts the requests of the last minute. */
export const gateRecords = collection({ name: 'gate', schema: GateMemory, key: () => [] });

export function storedGateJournal(store: Store): GateJournal {
  return {
    load: () => store.read((tx) => tx.get(gateRecords, [])),
    save: (memory) => store.transact((tx) => tx.put(gateRecords, memory)),
  };
}
