/** What other rooms use of stats. */
export { readFunnelFacts } from './funnel-command.ts';
export { funnelMessage, sharedFunnelMessage } from './funnel-message.ts';
export { readStats } from './stats-command.ts';
export { sharedStatsMessage, statsMessage } from './stats-message.ts';
