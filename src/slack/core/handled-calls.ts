/**
 * Recognizes requests that Slack sends again, also after a restart and on another replica. Slack repeats an
 * event for about 5 minutes, and delayed ones for longer.
 */
import { z } from 'zod';
import { DAY } from '../../clock.ts';
import { asError } from '../../errors.ts';
import { type Collection, StorageError } from '../../storage/store.ts';
import type { Services } from './routes.ts';

/** Slack's ID of an event, or of what a person did (the trigger). Key: [id]. */
const HandledCall = z.object({ id: z.string(), at: z.number() });

export const handledCalls: Collection<z.infer<typeof HandledCall>> = {
  name: 'handled-calls',
  schema: HandledCall,
  indexes: { byAge: ({ at }) => [at] },
  keepFor: { ms: DAY },
};

/**
 * Remembers a call for a day. @param id input from outside
 * @returns whether it's new. If it can't be stored, it counts as new: what bids, posts or spends has a key of
 * its own, which must be stored first.
 */
export async function recordCallIfNew(
  { store, clock, log }: Pick<Services, 'store' | 'clock' | 'log'>,
  id: string,
): Promise<boolean> {
  const at = clock.now();
  try {
    return await store.transact(async (tx) => {
      if (await tx.get(handledCalls, [id])) return false;
      await tx.put(handledCalls, [id], { id, at });
      return true;
    });
  } catch (thrown) {
    if (!(thrown instanceof StorageError)) throw thrown;
    log.warn("Couldn't store that a call was handled", { error: asError(thrown) });
    return true;
  }
}
