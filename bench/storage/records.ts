/** Records of about 100 bytes on disk, with one index as most collections have. */
import { z } from 'zod';
import { TeamId } from '../../src/ids.ts';
import { collection } from '../../src/storage/store.ts';

export const team = TeamId.parse('T1');

const Thing = z.object({ id: z.number(), at: z.number(), state: z.string(), title: z.string() });
export type Thing = z.infer<typeof Thing>;

export const things = collection({
  name: 'things',
  schema: Thing,
  key: ({ id }) => [id],
  indexes: { at: ({ at, id }) => [at, id] },
});

export function makeThing(id: number, state: string): Thing {
  return { id, at: 1_760_000_000_000 + id, state, title: `Project ${id}, as its client has named it` };
}
