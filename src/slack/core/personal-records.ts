/**
 * What one person was shown, stored for as long as they may use it: nobody else can find it, and nothing in
 * the message or window itself is trusted.
 */
import { z } from 'zod';
import { DAY, type RandomSource } from '../../clock.ts';
import { ChannelId, randomId, UserId } from '../../ids.ts';
import type { Collection, Key, ReadTransaction, Transaction } from '../../storage/store.ts';
import type { ActionCall, ViewButtonPress, ViewInteraction } from './routes.ts';

/** Random, so that nobody can guess another person's ID. */
const PersonalRecordId = z
  .string()
  .regex(/^[a-z0-9]{26}$/u)
  .brand<'OwnRecordId'>();
type PersonalRecordId = z.infer<typeof PersonalRecordId>;

/** Stored under [user, id]. */
export interface PersonalRecord {
  readonly user: UserId;
  readonly id: PersonalRecordId;
  readonly at: number;
}

function createPersonalRecordCollection<T extends PersonalRecord>(
  name: string,
  schema: z.ZodType<T>,
): Collection<T> {
  return { name, schema, indexes: { byAge: ({ at }) => [at] }, keepFor: { ms: KEPT_MS } };
}

/** Older modals are hardly still open, and Slack drops ephemeral messages. */
const KEPT_MS = DAY;

export function personalRecordKey({ user, id }: Omit<PersonalRecord, 'at'>): Key {
  return [user, id];
}

function newPersonalRecordId(random: RandomSource): PersonalRecordId {
  return PersonalRecordId.parse(randomId(random));
}

async function savePersonalRecord<T extends PersonalRecord>(
  tx: Transaction,
  collection: Collection<T>,
  record: T,
): Promise<T> {
  await tx.put(collection, personalRecordKey(record), record);
  return record;
}

/** Found only under the person's own ID. @param id input from outside */
export async function readPersonalRecord<T extends PersonalRecord>(
  tx: ReadTransaction,
  collection: Collection<T>,
  whose: Pick<PersonalRecord, 'user'>,
  id: string,
): Promise<T | undefined> {
  const parsed = PersonalRecordId.safeParse(id);
  return parsed.success ? tx.get(collection, personalRecordKey({ ...whose, id: parsed.data })) : undefined;
}

/** Of a window about one thing of a channel; its schema adds what names the thing. */
export const personalWindowShape = {
  user: UserId,
  id: PersonalRecordId,
  at: z.number(),
  channel: ChannelId,
};
type PersonalWindow = PersonalRecord & { readonly channel: ChannelId };

/** The windows of one kind. Views carry the record's ID as their metadata. */
export function createPersonalWindows<T extends PersonalWindow>(name: string, schema: z.ZodType<T>) {
  const collection = createPersonalRecordCollection(name, schema);
  /** The person's own window; undefined for any other, and after a day. */
  const find = ({ services: { store }, user, view }: ViewInteraction): Promise<T | undefined> =>
    store.read((tx) => readPersonalRecord(tx, collection, { user }, view.privateMetadata));
  return {
    collection,
    find,
    /** Stores that the person opens a window about a thing of the call's channel. */
    save(
      { services, person, channel }: Pick<ActionCall, 'services' | 'person' | 'channel'>,
      about: Omit<T, keyof PersonalWindow>,
    ): Promise<T> {
      const { store, clock, random } = services;
      const id = newPersonalRecordId(random);
      const window = schema.parse({ ...about, user: person.user, id, at: clock.now(), channel });
      return store.transact((tx) => savePersonalRecord(tx, collection, window));
    },
    /** For `ActionRoute.findChannel`. */
    findChannel: async (press: ViewButtonPress): Promise<ChannelId | undefined> =>
      (await find(press))?.channel,
  };
}
