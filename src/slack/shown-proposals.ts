/** What people were shown of proposals, so that it can be shared with the channel as it stood, and once. */
import { z } from 'zod';
import { DAY, type Instant, type Random } from '../clock.ts';
import { ChannelId, ProposalId, randomId, TeamId, UserId } from '../ids.ts';
import { DIMENSIONS } from '../statistics/groups.ts';
import { clearOlder } from '../storage/clear-older.ts';
import type { Collection, Key, ReadTransaction, Transaction } from '../storage/store.ts';

/** Random, so that nobody guesses another's. */
const ShownId = z
  .string()
  .regex(/^[a-z0-9]{26}$/u)
  .brand<'ShownId'>();
export type ShownId = z.infer<typeof ShownId>;

/** Key: [team, user, id]. */
const ShownProposals = z.object({
  team: TeamId,
  /** Who was shown it, and where. */
  user: UserId,
  channel: ChannelId,
  id: ShownId,
  at: z.number(),
  proposals: z.array(ProposalId),
  /** The page of a search; without it and without statistics: one proposal in full. */
  search: z
    .object({
      query: z.string(),
      /** How many stand before the first. */
      offset: z.number(),
      total: z.number(),
      meant: z.string().optional(),
    })
    .optional(),
  /** Statistics of all that was sent within so many days before `to`. */
  statistics: z
    .object({ days: z.number(), to: z.number(), timezone: z.string(), dimension: z.enum(DIMENSIONS) })
    .optional(),
  /** Stored before it is posted, so that two presses share once. */
  sharedAt: z.number().optional(),
});
export type ShownProposals = z.infer<typeof ShownProposals>;

export const shownProposals: Collection<ShownProposals> = {
  name: 'shown-proposals',
  schema: ShownProposals,
  indexes: {
    /** [team, when]: for clearing out the old. */
    byAge: (it) => [it.team, it.at],
  },
};

/** Nobody presses in older answers: Slack forgets what only one person sees. */
const KEPT_MS = DAY;
/** More than the one that is added, so that the old run out. */
const CLEARED_AT_ONCE = 5;

function keyOf({ team, user, id }: Pick<ShownProposals, 'team' | 'user' | 'id'>): Key {
  return [team, user, id];
}

export async function keepShown(
  tx: Transaction,
  shown: Omit<ShownProposals, 'id' | 'sharedAt'>,
  random: Random,
): Promise<ShownProposals> {
  await clearOlder(tx, shownProposals, {
    index: 'byAge',
    prefix: [shown.team],
    before: shown.at - KEPT_MS,
    limit: CLEARED_AT_ONCE,
  });
  const kept = { ...shown, id: ShownId.parse(randomId(random)) };
  await tx.put(shownProposals, keyOf(kept), kept);
  return kept;
}

/** Found under the person's own id alone. @param id input from outside */
export async function readShown(
  tx: ReadTransaction,
  whose: { readonly team: TeamId; readonly user: UserId },
  id: string,
): Promise<ShownProposals | undefined> {
  const parsed = ShownId.safeParse(id);
  return parsed.success ? tx.get(shownProposals, keyOf({ ...whose, id: parsed.data })) : undefined;
}

/** @returns whether it is now for the caller to post it. */
export async function beginSharing(tx: Transaction, shown: ShownProposals, at: Instant): Promise<boolean> {
  const now = await tx.get(shownProposals, keyOf(shown));
  if (!now || now.sharedAt !== undefined) return false;
  await tx.put(shownProposals, keyOf(shown), { ...now, sharedAt: at });
  return true;
}

/** Nothing was posted, for sure: the next press begins anew. */
export async function abandonSharing(tx: Transaction, shown: ShownProposals): Promise<void> {
  const { sharedAt: _sharedAt, ...rest } = shown;
  await tx.put(shownProposals, keyOf(shown), rest);
}
