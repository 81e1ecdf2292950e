/** Stored records of digests: when a channel gets one, and what each one contained. */
import { z } from 'zod';
import { DAY } from '../clock.ts';
import { ChannelId, MessageTs, TeamId, UserId } from '../ids.ts';
import { PostId } from '../outbox/posts.ts';
import type { Collection, Key } from '../storage/store.ts';
import { DigestFacts, FilterTuningFacts } from './facts.ts';

const instant = z.number();

/** Older records are deleted. */
export const DIGEST_RETENTION_MS = 90 * DAY;

/** When a channel gets its digest. Key: [team, channel]. */
export const DigestPlan = z.object({
  team: TeamId,
  channel: ChannelId,
  /** Minute of the local day, 0 to 1439. */
  minute: z.number().int().min(0).max(1439),
  days: z.enum(['weekdays', 'daily']),
  /** IANA name. */
  timezone: z.string(),
  by: UserId,
  setAt: instant,
  /** The local day (`2026-11-20`) of the newest scheduled digest, and the end of the time it covered. */
  lastDay: z.string().optional(),
  coveredTo: instant.optional(),
  /** The local day of the newest weekly note, and the end of the time it covered. */
  lastNoteDay: z.string().optional(),
  notedTo: instant.optional(),
});
export type DigestPlan = z.infer<typeof DigestPlan>;

export const digestPlans: Collection<DigestPlan> = { name: 'digest-plans', schema: DigestPlan, indexes: {} };

/** Progress of sharing the digest's charts. */
const DigestCharts = z.object({
  /**
   * waiting: for the digest's post, or a retry · sharing: the share request was sent, its result isn't stored
   * yet · shared · failed: the digest has no charts.
   */
  state: z.enum(['waiting', 'sharing', 'shared', 'failed']),
  /** Slack's file ids, with titles. */
  files: z.array(z.object({ id: z.string(), title: z.string() })),
  thread: MessageTs.optional(),
  failures: z.number(),
  dueAt: instant,
});
export type DigestCharts = z.infer<typeof DigestCharts>;

/** A posted or pending digest. Key: [team, its post's id]. */
export const DigestRecord = z.object({
  team: TeamId,
  id: PostId,
  facts: DigestFacts,
  at: instant,
  pictures: DigestCharts.optional(),
});
export type DigestRecord = z.infer<typeof DigestRecord>;

export const digestRecords: Collection<DigestRecord> = {
  name: 'digests',
  schema: DigestRecord,
  indexes: {
    /** [team, when due, id]: digests whose charts aren't shared yet. */
    pictures: (it) =>
      it.pictures?.state === 'waiting' || it.pictures?.state === 'sharing'
        ? [it.team, it.pictures.dueAt, it.id]
        : undefined,
    /** [team, channel, when] */
    byChannel: (it) => [it.team, it.facts.channel, it.at],
    /** [team, when]: for deleting old records. */
    byAge: (it) => [it.team, it.at],
  },
};

/** A weekly note. Key: [team, its post's id]. */
export const TuningNote = z.object({ team: TeamId, id: PostId, facts: FilterTuningFacts, at: instant });
export type TuningNote = z.infer<typeof TuningNote>;

export const tuningNotes: Collection<TuningNote> = {
  name: 'tuning-notes',
  schema: TuningNote,
  indexes: {
    /** [team, when]: for deleting old records. */
    byAge: (it) => [it.team, it.at],
  },
};

export function digestPlanKey(team: TeamId, channel: ChannelId): Key {
  return [team, channel];
}
