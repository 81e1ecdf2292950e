/** What other rooms use of setup. */
export { openSetup, openSubscriptionEdit } from './setup-open.ts';
export { listWelcomedChannels, markOpenWelcomesChanged, readBotChannels } from './welcome.ts';
