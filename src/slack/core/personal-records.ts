/**
 * What one person was shown, stored for as long as they may use it: nobody else can find it, and nothing in
 * the message or window itself is trusted.
 */
import { z } from 'zod';
import { DAY } from '../../clock.ts';
import { ChannelId, randomId, UserId } from '../../ids.ts';
import { type Collection, collection, type ReadTransaction } from '../../storage/store.ts';
import type { ActionCall, ViewButtonPress, ViewInteraction } from './routes.ts';

/** Random, so that nobody can guess another person's ID. */
const PersonalRecordId = z
  .string()
  .regex(/^[a-z0-9]{26}$/u)
  .brand<'OwnRecordId'>();

/** Stored under [user, id]. */
interface PersonalRecord {
  readonly user: UserId;
  readonly id: z.infer<typeof PersonalRecordId>;
  readonly at: number;
}

/** Found only under the person's own ID. @param id input from outside */
export async function readPersonalRecord<T extends PersonalRecord>(
  tx: ReadTransaction,
  records: Collection<T>,
  whose: Pick<PersonalRecord, 'user'>,
  id: string,
): Promise<T | undefined> {
  const parsed = PersonalRecordId.safeParse(id);
  return parsed.success ? tx.get(records, [whose.user, parsed.data]) : undefined;
}

/** Of a window about one thing of a channel; its schema adds what names the thing. */
export const personalWindowShape = { user: UserId, id: PersonalRecordId, at: z.number(), channel: ChannelId };
type PersonalWindow = PersonalRecord & { readonly channel: ChannelId };

/** The windows of one kind. Views carry the record's ID as their metadata. */
export function createPersonalWindows<T extends PersonalWindow>(name: string, schema: z.ZodType<T>) {
  // Older modals are hardly still open, and Slack drops ephemeral messages.
  const keepFor = { ms: DAY };
  const indexes = { byAge: ({ at }: T) => [at] };
  const windows = collection<T>({ name, schema, key: ({ user, id }) => [user, id], indexes, keepFor });
  /** The person's own window; undefined for any other, and after a day. */
  const find = ({ services: { store }, user, view }: ViewInteraction): Promise<T | undefined> =>
    store.read((tx) => readPersonalRecord(tx, windows, { user }, view.privateMetadata));
  return {
    collection: windows,
    find,
    /** Stores that the person opens a window about a thing of the call's channel. */
    save(
      { services, person, channel }: Pick<ActionCall, 'services' | 'person' | 'channel'>,
      about: Omit<T, keyof PersonalWindow>,
    ): Promise<T> {
      const { store, clock, random } = services;
      const id = randomId(random);
      const window = schema.parse({ ...about, user: person.user, id, at: clock.now(), channel });
      return store.transact(async (tx) => {
        await tx.put(windows, window);
        return window;
      });
    },
    /** For `ActionRoute.findChannel`. */
    findChannel: async (press: ViewButtonPress): Promise<ChannelId | undefined> =>
      (await find(press))?.channel,
  };
}
