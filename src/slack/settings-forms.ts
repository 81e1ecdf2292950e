/** What the settings form showed, so that of two people each changes what they changed; and how many rules it has room for. */
import { z } from 'zod';
import type { Random } from '../clock.ts';
import { Choices, MOST_MENTION_RULES } from '../feed/choices.ts';
import { ChannelId, TeamId, UserId } from '../ids.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import {
  keepOwnRecord,
  newOwnRecordId,
  OwnRecordId,
  ownRecordKey,
  ownRecords,
  readOwnRecord,
} from './own-records.ts';

/** Key: [team, user, id]. */
const SettingsForm = z.object({
  team: TeamId,
  user: UserId,
  channel: ChannelId,
  id: OwnRecordId,
  at: z.number(),
  shown: Choices,
  /** Rules of mentions that there is room for. */
  rows: z.number().int().min(1).max(MOST_MENTION_RULES),
});
export type SettingsForm = z.infer<typeof SettingsForm>;

export const settingsForms = ownRecords('settings-forms', SettingsForm);

export async function keepSettingsForm(
  tx: Transaction,
  form: Omit<SettingsForm, 'id' | 'rows'>,
  random: Random,
): Promise<SettingsForm> {
  const rows = Math.min(form.shown.mentions.length + 1, MOST_MENTION_RULES);
  return keepOwnRecord(tx, settingsForms, { ...form, rows, id: newOwnRecordId(random) });
}

/** @param id input from outside */
export async function readSettingsForm(
  tx: ReadTransaction,
  whose: { readonly team: TeamId; readonly user: UserId },
  id: string,
): Promise<SettingsForm | undefined> {
  return readOwnRecord(tx, settingsForms, whose, id);
}

/** Room for one rule more, up to the most. @returns the form as it is now; undefined when it is gone */
export async function addMentionRow(tx: Transaction, form: SettingsForm): Promise<SettingsForm | undefined> {
  const now = await tx.get(settingsForms, ownRecordKey(form));
  if (!now) return undefined;
  const grown = { ...now, rows: Math.min(now.rows + 1, MOST_MENTION_RULES) };
  await tx.put(settingsForms, ownRecordKey(form), grown);
  return grown;
}
