/** Finds the feed's records of a project by any of its names. */
import { findProjectAliases, type ProjectIdentifiers } from '../../aliases/project-aliases.ts';
import {
  type Card,
  cardKey,
  cards,
  type SeenProject,
  seenProjectKey,
  seenProjects,
} from '../../feed/records.ts';
import type { ChannelId, TeamId } from '../../ids.ts';
import type { ReadTransaction } from '../../storage/store.ts';

export async function findSeenProject(
  tx: ReadTransaction,
  team: TeamId,
  names: ProjectIdentifiers,
): Promise<SeenProject | undefined> {
  for (const key of (await findProjectAliases(tx, team, names)).keys) {
    const seen = await tx.get(seenProjects, seenProjectKey(team, key));
    if (seen) return seen;
  }
  return undefined;
}

export async function findProjectCard(
  tx: ReadTransaction,
  team: TeamId,
  channel: ChannelId,
  names: ProjectIdentifiers,
): Promise<Card | undefined> {
  for (const key of (await findProjectAliases(tx, team, names)).keys) {
    const card = await tx.get(cards, cardKey(team, channel, key));
    if (card) return card;
  }
  return undefined;
}
