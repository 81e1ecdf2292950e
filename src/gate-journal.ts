/** Stores the request gate's memory, so that a restart still counts the requests of the last minute. */
import { z } from 'zod';
import type { TeamId } from './ids.ts';
import type { GateJournal } from './marketplace/gate/gate.ts';
import type { Collection, Store } from './storage/store.ts';

const GateRecord = z.object({
  recent: z.array(z.number()),
  limitPerMinute: z.number().exactOptional(),
  probePauseMs: z.number().exactOptional(),
  pausedUntil: z.number().exactOptional(),
});

/** Key: [team]. */
export const gateRecords: Collection<z.infer<typeof GateRecord>> = {
  name: 'gate',
  schema: GateRecord,
  indexes: {},
};

export function storedGateJournal(store: Store, team: TeamId): GateJournal {
  return {
    load: () => store.read((tx) => tx.get(gateRecords, [team])),
    save: (memory) =>
      store.transact((tx) => tx.put(gateRecords, [team], { ...memory, recent: [...memory.recent] })),
  };
}
