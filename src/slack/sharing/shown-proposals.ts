/**
 * Stores the proposals people were shown, so that they can share exactly that with the channel, and once;
 * the button that shares, and its answers.
 */
import type { Button } from '@slack/types';
import { z } from 'zod';
import type { Instant, RandomSource } from '../../clock.ts';
import { asError } from '../../errors.ts';
import { FUNNEL_DIMENSIONS } from '../../funnel/funnel.ts';
import { ChannelId, ProposalId, TeamId, UserId } from '../../ids.ts';
import { GROUP_DIMENSIONS } from '../../statistics/groups.ts';
import { type ReadTransaction, StorageError, type Transaction } from '../../storage/store.ts';
import {
  createPersonalRecordCollection,
  newPersonalRecordId,
  PersonalRecordId,
  personalRecordKey,
  readPersonalRecord,
  savePersonalRecord,
} from '../core/personal-records.ts';
import type { ActionCall, CommandCall, Message } from '../core/routes.ts';
import { buttonElement } from '../kit/block-builders.ts';
import { actionIds, SLASH_COMMAND } from '../kit/ids.ts';
import { codeText } from '../kit/mrkdwn.ts';

/** Key: [team, user, id]. */
const ShownProposals = z.object({
  team: TeamId,
  /** Who saw it, and where. */
  user: UserId,
  channel: ChannelId,
  id: PersonalRecordId,
  at: z.number(),
  proposals: z.array(ProposalId),
  /** A search page; without it, statistics and a funnel: one proposal in full. */
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
  /** The funnel of projects found in this many days before `to`. */
  funnel: z.object({ days: z.number(), to: z.number(), by: z.enum(FUNNEL_DIMENSIONS) }).optional(),
  /** Stored before posting, so that two presses share once. */
  sharedAt: z.number().optional(),
});
export type ShownProposals = z.infer<typeof ShownProposals>;

export const shownProposals = createPersonalRecordCollection('shown-proposals', ShownProposals);

async function saveShownProposals(
  tx: Transaction,
  shown: Omit<ShownProposals, 'id' | 'sharedAt'>,
  random: RandomSource,
): Promise<ShownProposals> {
  return savePersonalRecord(tx, shownProposals, { ...shown, id: newPersonalRecordId(random) });
}

/** Whether others read there, too: not a direct message. */
function isChannel(channel: string): boolean {
  return /^[CG]/u.test(channel);
}

/**
 * @returns the ID for sharing; undefined outside channels, or if the disk refuses: the reply is still shown.
 */
export async function saveResultsForSharing(
  { services, person, channel }: Pick<ActionCall | CommandCall, 'services' | 'person' | 'channel'>,
  what: Pick<ShownProposals, 'proposals' | 'search' | 'statistics' | 'funnel'>,
): Promise<PersonalRecordId | undefined> {
  const { store, team, clock, random, log } = services;
  if (!isChannel(channel)) return undefined;
  const shown = { team, user: person.user, channel, at: clock.now(), ...what };
  try {
    return (await store.transact((tx) => saveShownProposals(tx, shown, random))).id;
  } catch (thrown) {
    if (!(thrown instanceof StorageError)) throw thrown;
    log.warn('could not store shown proposals for sharing', { error: asError(thrown) });
    return undefined;
  }
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

export const SHARED_NOTE = ':white_check_mark: You shared this to the channel.';

/** @param what for screen readers: `these proposals` */
export function shareToChannelButton(value: string, what: string): Button {
  return buttonElement({
    id: actionIds.proposalsShare,
    label: 'Share to Channel',
    value,
    accessibilityLabel: `Share ${what} to the channel`,
  });
}

export const SHARED_ALREADY: Message = { text: 'You already shared this to the channel.' };

export const SHARE_OUTDATED_MESSAGE: Message = {
  text: "This answer is out of date and can't be shared. Run the command again, then share the new answer.",
};

/** The data was deleted because no channel follows its profile anymore. */
export const SHARED_DATA_DELETED: Message = {
  text:
    'This data is gone, because no channel follows its profile anymore. ' +
    `See which profiles are covered with ${codeText(`${SLASH_COMMAND} status`)}.`,
};

export const SHARE_UNCERTAIN: Message = {
  text:
    ":warning: Slack didn't confirm whether this was posted in the channel. Check there first. " +
    "If it's missing, run the command again and share the new answer.",
};
