/**
 * Stores what a settings form showed, so that two people only overwrite what each changed; and its number of
 * rule rows.
 */
import { z } from 'zod';
import type { RandomSource } from '../../clock.ts';
import { ChannelPreferences, MAX_MENTION_RULES } from '../../feed/channels.ts';
import { ChannelId, TeamId, UserId } from '../../ids.ts';
import type { ReadTransaction, Transaction } from '../../storage/store.ts';
import {
  createPersonalRecordCollection,
  newPersonalRecordId,
  PersonalRecordId,
  personalRecordKey,
  readPersonalRecord,
  savePersonalRecord,
} from '../core/personal-records.ts';

/** Key: [team, user, id]. */
const SettingsForm = z.object({
  team: TeamId,
  user: UserId,
  channel: ChannelId,
  id: PersonalRecordId,
  at: z.number(),
  shown: ChannelPreferences,
  /** Rows for mention rules. */
  rows: z.number().int().min(1).max(MAX_MENTION_RULES),
});
export type SettingsForm = z.infer<typeof SettingsForm>;

export const settingsForms = createPersonalRecordCollection('settings-forms', SettingsForm);

export async function saveSettingsForm(
  tx: Transaction,
  form: Omit<SettingsForm, 'id' | 'rows'>,
  random: RandomSource,
): Promise<SettingsForm> {
  const rows = Math.min(form.shown.mentions.length + 1, MAX_MENTION_RULES);
  return savePersonalRecord(tx, settingsForms, { ...form, rows, id: newPersonalRecordId(random) });
}

/** @param id input from outside */
export async function readSettingsForm(
  tx: ReadTransaction,
  whose: { readonly team: TeamId; readonly user: UserId },
  id: string,
): Promise<SettingsForm | undefined> {
  return readPersonalRecord(tx, settingsForms, whose, id);
}

/** Adds a row for one more rule, up to the maximum. @returns the current form; undefined when it is gone */
export async function addMentionRow(tx: Transaction, form: SettingsForm): Promise<SettingsForm | undefined> {
  const now = await tx.get(settingsForms, personalRecordKey(form));
  if (!now) return undefined;
  const grown = { ...now, rows: Math.min(now.rows + 1, MAX_MENTION_RULES) };
  await tx.put(settingsForms, personalRecordKey(form), grown);
  return grown;
}
