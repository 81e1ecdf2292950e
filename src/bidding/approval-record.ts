/** A job's request for approval, as the job's record stores it. */
import { z } from 'zod';
import { UserId } from '../ids.ts';

const instant = z.number();

/** A fact that a request for approval showed: its start as text, and a hash of all of it. */
export const ApprovalFact = z.object({
  name: z.enum([
    'job',
    'job-id',
    'project-id',
    'title',
    'budget',
    'client',
    'setup',
    'rate',
    'boost',
    'schedule',
    'letter',
    'answers',
    'verdict',
    'connects',
  ]),
  text: z.string(),
  hash: z.string(),
});
export type ApprovalFact = z.infer<typeof ApprovalFact>;

/** The request that asks people to approve a waiting job. */
export const ApprovalReview = z.object({
  /** Counts the job's requests: after a rejection, someone may ask again. */
  round: z.number().int().min(1),
  at: instant,
  /** Who asks: the bidder, or who asked again. Missing: the job was made elsewhere. */
  by: UserId.optional(),
  /** Everyone who asked so far, in this and earlier requests. */
  askers: z.array(UserId).optional(),
  /** When it counts as rejected; missing: never. */
  expiresAt: instant.optional(),
  /** What it showed first, to name what changed since. */
  shown: z.array(ApprovalFact),
  /** The bid's price in connects, from a lookup. */
  connects: z.number().optional(),
  /** Who was notified; missing: it isn't posted yet. `direct`: by direct message. */
  posted: z
    .object({ at: instant, users: z.array(UserId), groups: z.array(z.string()), direct: z.array(UserId) })
    .optional(),
  ended: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('rejected'), by: UserId, at: instant, reason: z.string() }),
      z.object({ kind: z.literal('expired'), at: instant }),
    ])
    .optional(),
});
export type ApprovalReview = z.infer<typeof ApprovalReview>;
