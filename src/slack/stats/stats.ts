/** What other rooms use of stats. */
export { readStats } from './render-stats.ts';
export { sharedStatsMessage, statsMessage } from './stats-message.ts';
