/** What other rooms use of setup. */
export { openSetup, openSubscriptionEdit } from './setup-open.ts';
export { listWelcomedChannels, markOpenWelcomesChanged } from './welcome.ts';
