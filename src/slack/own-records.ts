/** What one person was shown, kept for as long as they may come back to it, and found by nobody else. */
import { z } from 'zod';
import { DAY, type Random } from '../clock.ts';
import { randomId, type TeamId, type UserId } from '../ids.ts';
import { clearOlder } from '../storage/clear-older.ts';
import type { Collection, Key, ReadTransaction, Transaction } from '../storage/store.ts';

/** Random, so that nobody guesses another's. */
export const OwnRecordId = z
  .string()
  .regex(/^[a-z0-9]{26}$/u)
  .brand<'OwnRecordId'>();
export type OwnRecordId = z.infer<typeof OwnRecordId>;

/** Stored under [team, user, id]. */
export interface OwnRecord {
  readonly team: TeamId;
  readonly user: UserId;
  readonly id: OwnRecordId;
  readonly at: number;
}

/** A collection of them: what is old is found by its age. */
export function ownRecords<T extends OwnRecord>(name: string, schema: z.ZodType<T>): Collection<T> {
  return { name, schema, indexes: { byAge: ({ team, at }) => [team, at] } };
}

/** A modal that is older is hardly still open, and Slack forgets what only one person sees. */
const KEPT_MS = DAY;
/** More than the one that is added, so that the old run out. */
const CLEARED_AT_ONCE = 5;

export function ownRecordKey({ team, user, id }: Omit<OwnRecord, 'at'>): Key {
  return [team, user, id];
}

export function newOwnRecordId(random: Random): OwnRecordId {
  return OwnRecordId.parse(randomId(random));
}

/** Keeps one, and lets go of some that are older than a day. */
export async function keepOwnRecord<T extends OwnRecord>(
  tx: Transaction,
  collection: Collection<T>,
  record: T,
): Promise<T> {
  await clearOlder(tx, collection, {
    index: 'byAge',
    prefix: [record.team],
    at: record.at,
    keptMs: KEPT_MS,
    limit: CLEARED_AT_ONCE,
  });
  await tx.put(collection, ownRecordKey(record), record);
  return record;
}

/** Found under the person's own id alone. @param id input from outside */
export async function readOwnRecord<T extends OwnRecord>(
  tx: ReadTransaction,
  collection: Collection<T>,
  whose: Pick<OwnRecord, 'team' | 'user'>,
  id: string,
): Promise<T | undefined> {
  const parsed = OwnRecordId.safeParse(id);
  return parsed.success ? tx.get(collection, ownRecordKey({ ...whose, id: parsed.data })) : undefined;
}
