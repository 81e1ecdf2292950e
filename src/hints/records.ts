/** Stored for hints: the secret of the address, and a count to show. Hints themselves are in memory only. */
import { z } from 'zod';
import { FilterId, TeamId, UserId } from '../ids.ts';
import type { Collection } from '../storage/store.ts';

/** Key: [team]. */
const HintSecret = z.object({
  team: TeamId,
  /** What follows `/hooks/`. Readable, because the form shows it: it allows nothing but hints. */
  secret: z.string(),
  /** Counts the secrets, from 1. */
  version: z.number(),
  madeAt: z.number(),
  madeBy: UserId,
});
export type HintSecret = z.infer<typeof HintSecret>;

export const hintSecrets: Collection<HintSecret> = { name: 'hint-secrets', schema: HintSecret, indexes: {} };

/** Key: [team]. */
const HintTally = z.object({
  team: TeamId,
  /** Local day of the workspace's time zone, such as `2026-11-27`. */
  day: z.string(),
  /** Hints of that day. */
  count: z.number(),
  lastAt: z.number(),
  lastFilter: FilterId,
  /** A channel follows the filter, and isn't paused. */
  wasFollowed: z.boolean(),
});
export type HintTally = z.infer<typeof HintTally>;

export const hintTallies: Collection<HintTally> = { name: 'hint-tallies', schema: HintTally, indexes: {} };
