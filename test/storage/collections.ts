/** The collections of the storage tests. */
import { z } from 'zod';
import { TeamId } from '../../src/ids.ts';
import { collection, type Key, type Store, scanCollection } from '../../src/storage/store.ts';

export const team = TeamId.parse('T1');

export const KeyParts = z.array(z.union([z.string(), z.number()]));

const Note = z.object({ key: KeyParts, text: z.string(), rank: z.number().optional() });
/** What a note says, without its key. */
export type NoteText = Omit<z.infer<typeof Note>, 'key'>;

export const notes = collection({
  name: 'notes',
  schema: Note,
  key: ({ key }) => key,
  indexes: {
    rank: ({ rank }) => (rank === undefined ? undefined : [team, rank]),
    text: ({ text }) => [team, text],
  },
});

/** The same, packed in memory. */
export const packedNotes: typeof notes = { ...notes, packed: true };

/** The same in a newer version, which accepts more. */
export const loose = collection({
  name: 'notes',
  schema: z.looseObject({ key: KeyParts }),
  key: ({ key }) => key,
});

export const counts = collection({
  name: 'counts',
  schema: z.object({ key: KeyParts, count: z.number().int() }),
  key: ({ key }) => key,
});

/** All notes of the team, each with its key. */
export function allNotes(store: Store): Promise<[Key, NoteText][]> {
  return store.read(async (tx) => {
    const found: [Key, NoteText][] = [];
    for await (const { key, value } of scanCollection(tx, notes, { prefix: [team] }, 7)) {
      const { key: _, ...says } = value;
      found.push([key, says]);
    }
    return found;
  });
}

export function putNote(store: Store, name: string, text: string, rank?: number): Promise<void> {
  return store.transact((tx) => tx.put(notes, { key: [team, name], text, rank }));
}
