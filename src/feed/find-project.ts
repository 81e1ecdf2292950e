/** Finds the feed's records of a project. */
import { findProjectAliases, type ProjectIdentifiers } from '../aliases/project-aliases.ts';
import type { ChannelId, ProjectKey, UserId } from '../ids.ts';
import { listAllValues, type ReadTransaction } from '../storage/store.ts';
import { type Card, cards, seenProjects } from './records.ts';

export function readSeenProject(tx: ReadTransaction, project: ProjectKey) {
  return tx.get(seenProjects, [project]);
}

export function readCard(tx: ReadTransaction, channel: ChannelId, project: ProjectKey) {
  return tx.get(cards, [channel, project]);
}

/** A project's cards in all channels, posted or not. */
export function listProjectCards(tx: ReadTransaction, project: ProjectKey): Promise<Card[]> {
  return listAllValues(tx, cards, { index: 'byProject', prefix: [project] });
}

/** By any of its names. */
export async function findSeenProject(tx: ReadTransaction, names: ProjectIdentifiers) {
  for (const key of (await findProjectAliases(tx, names)).keys) {
    const seen = await readSeenProject(tx, key);
    if (seen) return seen;
  }
  return undefined;
}

/** By any of its project's names. */
export async function findProjectCard(tx: ReadTransaction, channel: ChannelId, names: ProjectIdentifiers) {
  for (const key of (await findProjectAliases(tx, names)).keys) {
    const card = await readCard(tx, channel, key);
    if (card) return card;
  }
  return undefined;
}

/**
 * The channels where a filter of theirs found the project and its rules took it: posted, deferred, or only
 * muted. By any of its names.
 */
export async function listFoundChannels(tx: ReadTransaction, names: ProjectIdentifiers, limit: number) {
  const found = new Set<ChannelId>();
  for (const key of (await findProjectAliases(tx, names)).keys) {
    const range = { index: 'byProject', prefix: [key] as const, limit };
    for (const { value } of await tx.list(cards, range))
      if (value.filters.length > 0 && (value.state !== 'suppressed' || value.because === 'muted'))
        found.add(value.channel);
  }
  return [...found];
}

/** Newest claim first. */
export async function listCardsClaimedBy(tx: ReadTransaction, user: UserId, limit: number): Promise<Card[]> {
  const range = { index: 'byClaimer', prefix: [user] as const, limit, reverse: true };
  return (await tx.list(cards, range)).map(({ value }) => value);
}

/** Enough to see a rule's effect, and few enough to read while a person waits for a window. */
const PREVIEWED_PROJECTS = 50;

/** The projects that a channel got last, at most 50, newest first; muted and unsuitable ones don't count. */
export async function listNewestPostedProjects(tx: ReadTransaction, channel: ChannelId) {
  const range = { index: 'byChannel', prefix: [channel] as const, reverse: true } as const;
  const newest = await tx.list(cards, { ...range, limit: 4 * PREVIEWED_PROJECTS });
  const posted = newest.filter(({ value }) => value.state === 'posted').slice(0, PREVIEWED_PROJECTS);
  const keys = posted.map(({ value }) => [value.project]);
  return (await tx.getMany(seenProjects, keys)).flatMap((seen) => (seen ? [seen.project] : []));
}
