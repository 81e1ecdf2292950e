/** Stores the proposals people were shown, so that they can share exactly that with the channel, and once. */
import { z } from 'zod';
import type { Instant, RandomSource } from '../../clock.ts';
import { ChannelId, ProposalId, TeamId, UserId } from '../../ids.ts';
import { GROUP_DIMENSIONS } from '../../statistics/groups.ts';
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
const ShownProposals = z.object({
  team: TeamId,
  /** Who saw it, and where. */
  user: UserId,
  channel: ChannelId,
  id: PersonalRecordId,
  at: z.number(),
  proposals: z.array(ProposalId),
  /** A search page; without it and without statistics: one proposal in full. */
  search: z
    .object({
      query: z.string(),
      /** How many results come before the first. */
      offset: z.number(),
      total: z.number(),
      meant: z.string().optional(),
    })
    .optional(),
  /** Statistics of all proposals sent in this many days before `to`. */
  statistics: z
    .object({ days: z.number(), to: z.number(), timezone: z.string(), dimension: z.enum(GROUP_DIMENSIONS) })
    .optional(),
  /** Stored before posting, so that two presses share once. */
  sharedAt: z.number().optional(),
});
export type ShownProposals = z.infer<typeof ShownProposals>;

export const shownProposals = createPersonalRecordCollection('shown-proposals', ShownProposals);

export async function saveShownProposals(
  tx: Transaction,
  shown: Omit<ShownProposals, 'id' | 'sharedAt'>,
  random: RandomSource,
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

/** @returns whether the caller should post it. */
export async function claimSharing(tx: Transaction, shown: ShownProposals, at: Instant): Promise<boolean> {
  const now = await tx.get(shownProposals, personalRecordKey(shown));
  if (!now || now.sharedAt !== undefined) return false;
  await tx.put(shownProposals, personalRecordKey(shown), { ...now, sharedAt: at });
  return true;
}

/** Nothing was posted, for certain: the next press starts over. */
export async function releaseSharingClaim(tx: Transaction, shown: ShownProposals): Promise<void> {
  const { sharedAt: _sharedAt, ...rest } = shown;
  await tx.put(shownProposals, personalRecordKey(shown), rest);
}
