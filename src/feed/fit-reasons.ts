/** A project's fit as it is stored: points, and the facts behind them. Pure. */
import { z } from 'zod';

/** A fact that speaks for or against a project. */
export const FitReason = z.discriminatedUnion('why', [
  /** The AI qualified it. The decision is in the server's words. */
  z.object({ why: z.literal('verdict'), decision: z.string(), reason: z.string().optional() }),
  z.object({ why: z.literal('not-qualified') }),
  z.object({ why: z.literal('rating'), rating: z.number(), reviews: z.number().optional() }),
  z.object({ why: z.literal('low-rating'), rating: z.number(), reviews: z.number().optional() }),
  /** US dollars. */
  z.object({ why: z.literal('spent'), spent: z.number() }),
  z.object({ why: z.literal('hires'), count: z.number() }),
  z.object({ why: z.literal('no-hires') }),
  /** 0 to 1. */
  z.object({ why: z.literal('hire-rate'), rate: z.number() }),
  z.object({ why: z.literal('low-hire-rate'), rate: z.number() }),
  z.object({ why: z.literal('verified') }),
  z.object({ why: z.literal('unverified') }),
  /** US dollars, an hour or fixed; compared with the middle of what the team takes. */
  z.object({ why: z.literal('budget-above'), amount: z.number(), usual: z.number() }),
  z.object({ why: z.literal('budget-below'), amount: z.number(), usual: z.number() }),
  /** It passes the rules of several of the channel's filters. */
  z.object({ why: z.literal('filters'), count: z.number() }),
  /** It matches a rule that mentions people. */
  z.object({ why: z.literal('mention') }),
  /** Similar projects that the team won, took (claimed or bid on), or skipped as not a fit. */
  z.object({ why: z.literal('like-won'), count: z.number() }),
  z.object({ why: z.literal('like-taken'), count: z.number() }),
  z.object({ why: z.literal('like-skipped'), count: z.number() }),
  /** Projects that look like this client's. */
  z.object({ why: z.literal('client-taken'), count: z.number() }),
  z.object({ why: z.literal('client-skipped'), count: z.number() }),
]);
export type FitReason = z.infer<typeof FitReason>;

export const ProjectFit = z.object({
  /** 0 to 100; 50 if nothing is known. */
  points: z.number(),
  /** The weightiest first. */
  reasons: z.array(FitReason),
});
export type ProjectFit = z.infer<typeof ProjectFit>;

const GREAT = 80;
const GOOD = 65;
const WEAK = 40;

export function gradeFit({ points }: Pick<ProjectFit, 'points'>): 'great' | 'good' | 'fair' | 'weak' {
  if (points >= GREAT) return 'great';
  if (points >= GOOD) return 'good';
  return points < WEAK ? 'weak' : 'fair';
}

const AGAINST: ReadonlySet<FitReason['why']> = new Set([
  'not-qualified',
  'low-rating',
  'no-hires',
  'low-hire-rate',
  'unverified',
  'budget-below',
  'like-skipped',
  'client-skipped',
]);

export function isReasonAgainst({ why }: Pick<FitReason, 'why'>): boolean {
  return AGAINST.has(why);
}
