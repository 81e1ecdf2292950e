/** What has become of a proposal, once each. Numbers and names only; the wording is Slack's side's. */
import { z } from 'zod';
import { ProposalId } from '../ids.ts';

/** `outbid`: others boost higher. */
export const ProposalOutcome = z.enum(['viewed', 'interviewed', 'hired', 'withdrawn', 'outbid']);
export type ProposalOutcome = z.infer<typeof ProposalOutcome>;

export const OutcomeNews = z.object({
  proposal: ProposalId,
  /** Those that have just become true. */
  outcomes: z.array(ProposalOutcome),
  /** Of the project. */
  title: z.string().optional(),
  freelancer: z.string().optional(),
  profile: z.string().optional(),
  template: z.string().optional(),
  variant: z.string().optional(),
  connects: z.number().optional(),
  boost: z.number().optional(),
  position: z.number().optional(),
  submittedAt: z.number().optional(),
});
export type OutcomeNews = z.infer<typeof OutcomeNews>;

/** Many at once: those that got no message of their own. */
export const OutcomeCounts = z.object({
  /** One that had news twice may count twice where they are `heldBack`. */
  proposals: z.number(),
  /** They came about while Slack refused the channel. */
  heldBack: z.literal(true).optional(),
  counts: z.array(z.object({ outcome: ProposalOutcome, count: z.number() })),
});
export type OutcomeCounts = z.infer<typeof OutcomeCounts>;
