/** News of a proposal's outcome, each posted once. Only numbers and names; the Slack side words them. */
import { z } from 'zod';
import { ProposalId } from '../ids.ts';

/** `outbid`: others boost higher. */
export const ProposalOutcome = z.enum(['viewed', 'interviewed', 'hired', 'withdrawn', 'outbid']);
export type ProposalOutcome = z.infer<typeof ProposalOutcome>;

export const OutcomeNews = z.object({
  proposal: ProposalId,
  /** Only new ones. */
  outcomes: z.array(ProposalOutcome),
  /** The project's title. */
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

/** Totals of proposals that got no message of their own. */
export const OutcomeCounts = z.object({
  /** With `heldBack`, a proposal that had news twice may count twice. */
  proposals: z.number(),
  /** They happened while Slack refused the channel. */
  heldBack: z.literal(true).optional(),
  counts: z.array(z.object({ outcome: ProposalOutcome, count: z.number() })),
});
export type OutcomeCounts = z.infer<typeof OutcomeCounts>;
