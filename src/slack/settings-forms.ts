/** What the settings form showed, so that of two people each changes what they changed; and how many rules it has room for. */
import { z } from 'zod';
import { DAY, type Random } from '../clock.ts';
import { Choices, MOST_MENTION_RULES } from '../feed/choices.ts';
import { ChannelId, randomId, TeamId, UserId } from '../ids.ts';
import { clearOlder } from '../storage/clear-older.ts';
import type { Collection, Key, ReadTransaction, Transaction } from '../storage/store.ts';

/** Random, so that nobody guesses another's. */
const FormId = z
  .string()
  .regex(/^[a-z0-9]{26}$/u)
  .brand<'SettingsFormId'>();

/** Key: [team, user, id]. */
const SettingsForm = z.object({
  team: TeamId,
  user: UserId,
  channel: ChannelId,
  id: FormId,
  at: z.number(),
  shown: Choices,
  /** Rules of mentions that there is room for. */
  rows: z.number().int().min(1).max(MOST_MENTION_RULES),
});
export type SettingsForm = z.infer<typeof SettingsForm>;

export const settingsForms: Collection<SettingsForm> = {
  name: 'settings-forms',
  schema: SettingsForm,
  indexes: {
    /** [team, when]: for clearing out the old. */
    byAge: (it) => [it.team, it.at],
  },
};

/** A modal that is older is hardly still open; its submission is told to begin anew. */
const KEPT_MS = DAY;
const CLEARED_AT_ONCE = 5;

function keyOf({ team, user, id }: Pick<SettingsForm, 'team' | 'user' | 'id'>): Key {
  return [team, user, id];
}

export async function keepSettingsForm(
  tx: Transaction,
  form: Omit<SettingsForm, 'id' | 'rows'>,
  random: Random,
): Promise<SettingsForm> {
  await clearOlder(tx, settingsForms, {
    index: 'byAge',
    prefix: [form.team],
    before: form.at - KEPT_MS,
    limit: CLEARED_AT_ONCE,
  });
  const rows = Math.min(form.shown.mentions.length + 1, MOST_MENTION_RULES);
  const kept = { ...form, rows, id: FormId.parse(randomId(random)) };
  await tx.put(settingsForms, keyOf(kept), kept);
  return kept;
}

/** Found under the person's own id alone. @param id input from outside */
export async function readSettingsForm(
  tx: ReadTransaction,
  whose: { readonly team: TeamId; readonly user: UserId },
  id: string,
): Promise<SettingsForm | undefined> {
  const parsed = FormId.safeParse(id);
  return parsed.success ? tx.get(settingsForms, keyOf({ ...whose, id: parsed.data })) : undefined;
}

/** Room for one rule more, up to the most. @returns the form as it is now; undefined when it is gone */
export async function addMentionRow(tx: Transaction, form: SettingsForm): Promise<SettingsForm | undefined> {
  const now = await tx.get(settingsForms, keyOf(form));
  if (!now) return undefined;
  const grown = { ...now, rows: Math.min(now.rows + 1, MOST_MENTION_RULES) };
  await tx.put(settingsForms, keyOf(form), grown);
  return grown;
}
