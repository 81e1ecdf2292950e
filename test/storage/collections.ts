/** The collections of the storage tests. */
import { z } from 'zod';
import { TeamId } from '../../src/ids.ts';
import type { Collection, Key, Store } from '../../src/storage/store.ts';
import { scanCollection } from '../../src/storage/store.ts';

export const team = TeamId.parse('T1');

const Note = z.object({ text: z.string(), rank: z.number().optional() });
export type Note = z.infer<typeof Note>;

export const notes: Collection<Note> = {
  name: 'notes',
  schema: Note,
  indexes: {
    rank: ({ rank }) => (rank === undefined ? undefined : [team, rank]),
    text: ({ text }) => [team, text],
  },
};

/** The same, packed in memory. */
export const packedNotes: Collection<Note> = { ...notes, packed: true };

/** The same in a newer version, which accepts more. */
export const loose: Collection<unknown> = { name: 'notes', schema: z.unknown(), indexes: {} };

const Count = z.object({ count: z.number().int() });

export const counts: Collection<z.infer<typeof Count>> = { name: 'counts', schema: Count, indexes: {} };

/** All notes of the team, as a list of key and value. */
export function allNotes(store: Store): Promise<[Key, Note][]> {
  return store.read(async (tx) => {
    const found: [Key, Note][] = [];
    for await (const { key, value } of scanCollection(tx, notes, { prefix: [team] }, 7))
      found.push([key, value]);
    return found;
  });
}

export function putNote(store: Store, name: string, text: string, rank?: number): Promise<void> {
  return store.transact((tx) =>
    tx.put(notes, [team, name], { text, ...(rank === undefined ? {} : { rank }) }),
  );
}
