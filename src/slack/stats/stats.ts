/** What other rooms use of stats. */
export { readStats } from './stats-command.ts';
export { sharedStatsMessage, statsMessage } from './stats-message.ts';
