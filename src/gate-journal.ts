/** Where the request gate keeps its memory: in the store, so that a restart forgets no request of the last minute. */
import { z } from 'zod';
import type { TeamId } from './ids.ts';
import type { GateJournal } from './marketplace/gate.ts';
import type { Collection, Store } from './storage/store.ts';

const GateRecord = z.object({ recent: z.array(z.number()), limitPerMinute: z.number().optional() });

/** Key: [team]. */
export const gateRecords: Collection<z.infer<typeof GateRecord>> = {
  name: 'gate',
  schema: GateRecord,
  indexes: {},
};

export function storedGateJournal(store: Store, team: TeamId): GateJournal {
  return {
    load: async () => {
      const record = await store.read((tx) => tx.get(gateRecords, [team]));
      if (!record) return undefined;
      const { recent, limitPerMinute } = record;
      return limitPerMinute === undefined ? { recent } : { recent, limitPerMinute };
    },
    save: (memory) =>
      store.transact((tx) => tx.put(gateRecords, [team], { ...memory, recent: [...memory.recent] })),
  };
}
