/** What people were shown of proposals, so that it can be shared with the channel as it stood, and once. */
import { z } from 'zod';
import type { Instant, Random } from '../clock.ts';
import { ChannelId, ProposalId, TeamId, UserId } from '../ids.ts';
import { DIMENSIONS } from '../statistics/groups.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import {
  createPersonalRecordCollection,
  newPersonalRecordId,
  PersonalRecordId,
  personalRecordKey,
  readPersonalRecord,
  savePersonalRecord,
} from './personal-records.ts';

/** Key: [team, user, id]. */
const ShownProposals = z.object({
  team: TeamId,
  /** Who was shown it, and where. */
  user: UserId,
  channel: ChannelId,
  id: PersonalRecordId,
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

export const shownProposals = createPersonalRecordCollection('shown-proposals', ShownProposals);

export async function saveShownProposals(
  tx: Transaction,
  shown: Omit<ShownProposals, 'id' | 'sharedAt'>,
  random: Random,
): Promise<ShownProposals> {
  return savePersonalRecord(tx, shownProposals, { ...shown, id: newPersonalRecordId(random) });
}

/** @param id input from outside */
export async function readShownProposals(
  tx: ReadTransaction,
  whose: { readonly team: TeamId; readonly user: UserId },
  id: string,
): Promise<ShownProposals | undefined> {
  return readPersonalRecord(tx, shownProposals, whose, id);
}

/** @returns whether it is now for the caller to post it. */
export async function claimSharing(tx: Transaction, shown: ShownProposals, at: Instant): Promise<boolean> {
  const now = await tx.get(shownProposals, personalRecordKey(shown));
  if (!now || now.sharedAt !== undefined) return false;
  await tx.put(shownProposals, personalRecordKey(shown), { ...now, sharedAt: at });
  return true;
}

/** Nothing was posted, for sure: the next press begins anew. */
export async function releaseSharingClaim(tx: Transaction, shown: ShownProposals): Promise<void> {
  const { sharedAt: _sharedAt, ...rest } = shown;
  await tx.put(shownProposals, personalRecordKey(shown), rest);
}
