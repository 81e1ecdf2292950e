/** Decides what a page changes in the mirror; `mirror-writer.ts` stores and announces it. */

import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '../clock.ts';
import { ProfileId } from '../ids.ts';
import type { Proposal } from '../marketplace/schema.ts';
import type { ProposalChange } from './mirror.ts';
import type { MirroredProposal, MirrorMemory } from './mirror-memory.ts';

/** When a profile's first copy was complete; undefined before that, and for an unfollowed profile. */
export type CopyCompletedTimeFinder = (profile: ProfileId) => Instant | undefined;

export interface ProposalBatch {
  readonly proposals: readonly Proposal[];
  /** The profile whose list they come from. A proposal that was fetched alone keeps its lists. */
  readonly profile?: ProfileId;
  /** Time before the request was sent. */
  readonly askedAt: Instant;
  readonly now: Instant;
}

export interface MirrorChange {
  readonly held: MirroredProposal;
  readonly shelves: readonly string[];
  /** Undefined when the proposal is already known and only appears in one more list. */
  readonly change?: ProposalChange;
  /** Whether it is news for channels that follow outcomes, and not history. */
  readonly isNews: boolean;
}

function isNews(
  before: MirroredProposal | undefined,
  held: MirroredProposal,
  copiedAt: CopyCompletedTimeFinder,
): boolean {
  const copied = [...held.shelves.keys()].flatMap((profile) => copiedAt(profile) ?? []);
  if (before) return copied.length > 0;
  const { submittedAt = 0 } = held.proposal;
  return copied.some((at) => submittedAt > at);
}

/** Whether a later answer is already stored. A future time doesn't count: the clock was wrong then. */
function isStale(before: MirroredProposal, { askedAt, now }: ProposalBatch): boolean {
  return before.at > askedAt && before.at <= now;
}

function latestOf(before: MirroredProposal, read: Proposal, reading: ProposalBatch): Proposal {
  return isStale(before, reading) ? before.proposal : mergeProposal(before.proposal, read);
}

function shelvesAfter(
  before: MirroredProposal | undefined,
  profile: ProfileId | undefined,
  proposal: Proposal,
) {
  const shelves = new Map(before?.shelves);
  if (profile !== undefined && !shelves.has(profile))
    shelves.set(profile, buildCacheFileName(profile, proposal.submittedAt));
  return shelves;
}

function decideOne(
  memory: MirrorMemory,
  proposal: Proposal,
  reading: ProposalBatch,
  copiedAt: CopyCompletedTimeFinder,
): MirrorChange | undefined {
  const before = memory.get(proposal.id);
  const now = before ? latestOf(before, proposal, reading) : proposal;
  const shelves = shelvesAfter(before, reading.profile, now);
  if (shelves.size === 0) return undefined;
  const isChanged = !before || !isDeepStrictEqual(before.proposal, now);
  const isInOneMore = shelves.size > (before?.shelves.size ?? 0);
  if (!isChanged && !isInOneMore) return undefined;
  // Lines of later answers get later times, even after the clock was set back.
  const at = isChanged ? Math.max(reading.askedAt, before ? before.at + 1 : 0) : before.at;
  const held = { proposal: now, at, shelves };
  const added = [...shelves].filter(([profile]) => isChanged || !before?.shelves.has(profile));
  return {
    held,
    shelves: added.map(([, shelf]) => shelf),
    ...(isChanged ? { change: before ? { before: before.proposal, now } : { now } } : {}),
    isNews: isChanged && isNews(before, held, copiedAt),
  };
}

/** If a proposal comes twice, the last one counts. */
export function decideMirrorChanges(
  memory: MirrorMemory,
  reading: ProposalBatch,
  copiedAt: CopyCompletedTimeFinder,
): MirrorChange[] {
  const byId = new Map(reading.proposals.map((proposal) => [proposal.id, proposal]));
  return [...byId.values()].flatMap((proposal) => decideOne(memory, proposal, reading, copiedAt) ?? []);
}

/** Kept when a later answer lacks them. Everything else may disappear: a position, a boost, an outcome. */
const LASTING_FACTS = [
  'applicationUid',
  'submittedAt',
  'jobTitle',
  'jobPostedAt',
  'profile',
  'organization',
  'freelancer',
  'businessManager',
  'occupationUid',
  'occupation',
  'variant',
  'template',
] as const satisfies readonly (keyof Proposal)[];

function mergeProposal(before: Proposal, now: Proposal): Proposal {
  const merged = {
    ...now,
    coverLetter: now.coverLetter || before.coverLetter,
    answers: now.answers.length > 0 ? now.answers : before.answers,
  };
  const missing = LASTING_FACTS.filter((fact) => now[fact] === undefined && before[fact] !== undefined);
  if (missing.length === 0) return merged;
  return { ...Object.fromEntries(missing.map((fact) => [fact, before[fact]])), ...merged };
}

const NAME = /^(\d+)-/;

/** @param submittedAt decides the month, in UTC */
export function buildCacheFileName(profile: ProfileId, submittedAt: Instant | undefined): string {
  const isDate = submittedAt !== undefined && !Number.isNaN(new Date(submittedAt).getTime());
  const month = isDate ? /^(\d{4}-\d{2})/.exec(new Date(submittedAt).toISOString())?.[1] : undefined;
  return `${profile}-${month ?? 'undated'}`;
}

/** The profile of a cache file; undefined for a foreign name. */
export function parseCacheFileProfile(shelf: string): ProfileId | undefined {
  const parsed = ProfileId.safeParse(Number(NAME.exec(shelf)?.[1]));
  return parsed.success ? parsed.data : undefined;
}
