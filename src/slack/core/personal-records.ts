/** Stores what one person was shown, for as long as they may use it. Nobody else can find it. */
import { z } from 'zod';
import { DAY, type RandomSource } from '../../clock.ts';
import { randomId, type TeamId, type UserId } from '../../ids.ts';
import { deleteOldRecords } from '../../storage/delete-old-records.ts';
import type { Collection, Key, ReadTransaction, Transaction } from '../../storage/store.ts';

/** Random, so that nobody can guess another person's ID. */
export const PersonalRecordId = z
  .string()
  .regex(/^[a-z0-9]{26}$/u)
  .brand<'OwnRecordId'>();
export type PersonalRecordId = z.infer<typeof PersonalRecordId>;

/** Stored under [team, user, id]. */
export interface PersonalRecord {
  readonly team: TeamId;
  readonly user: UserId;
  readonly id: PersonalRecordId;
  readonly at: number;
}

/** Indexed by age for deleting old records. */
export function createPersonalRecordCollection<T extends PersonalRecord>(
  name: string,
  schema: z.ZodType<T>,
): Collection<T> {
  return { name, schema, indexes: { byAge: ({ team, at }) => [team, at] } };
}

/** Older modals are hardly still open, and Slack drops ephemeral messages. */
const KEPT_MS = DAY;
/** More than the one added, so that old records run out. */
const CLEARED_AT_ONCE = 5;

export function personalRecordKey({ team, user, id }: Omit<PersonalRecord, 'at'>): Key {
  return [team, user, id];
}

export function newPersonalRecordId(random: RandomSource): PersonalRecordId {
  return PersonalRecordId.parse(randomId(random));
}

/** Also deletes some records older than a day. */
export async function savePersonalRecord<T extends PersonalRecord>(
  tx: Transaction,
  collection: Collection<T>,
  record: T,
): Promise<T> {
  await deleteOldRecords(tx, collection, {
    index: 'byAge',
    prefix: [record.team],
    at: record.at,
    keptMs: KEPT_MS,
    limit: CLEARED_AT_ONCE,
  });
  await tx.put(collection, personalRecordKey(record), record);
  return record;
}

/** Found only under the person's own ID. @param id input from outside */
export async function readPersonalRecord<T extends PersonalRecord>(
  tx: ReadTransaction,
  collection: Collection<T>,
  whose: Pick<PersonalRecord, 'team' | 'user'>,
  id: string,
): Promise<T | undefined> {
  const parsed = PersonalRecordId.safeParse(id);
  return parsed.success ? tx.get(collection, personalRecordKey({ ...whose, id: parsed.data })) : undefined;
}
