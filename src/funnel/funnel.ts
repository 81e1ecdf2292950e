/**
 * The funnel from a filter's project to a hire, and what other rules would have shown. Both only read what is
 * stored: they cost no credits and send no request.
 */
import { DAY } from '../clock.ts';
import { FEED_RETENTION_MS } from '../feed/records.ts';
import { type FunnelContext, readFunnel } from './read-funnel.ts';
import { tryRules } from './read-tried-rules.ts';

export {
  FUNNEL_STEPS,
  type FunnelCount,
  type FunnelStep,
  LOSS_REASONS,
  type LossReason,
} from './count-steps.ts';
export { FUNNEL_DIMENSIONS, type Funnel, type FunnelDimension, type FunnelGroup } from './read-funnel.ts';
export { MOST_TRIED, TRIED_DAYS, type TriedRules } from './read-tried-rules.ts';
export type { TeamOutcome, TriedProject } from './try-rules.ts';

/** Projects are deleted after this many days. */
export const MOST_FUNNEL_DAYS = FEED_RETENTION_MS / DAY;

export type FunnelService = ReturnType<typeof createFunnelService>;

export function createFunnelService(context: FunnelContext) {
  return {
    readFunnel: readFunnel.bind(null, context),
    tryRules: tryRules.bind(null, context),
  };
}
