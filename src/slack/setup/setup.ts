/** What other rooms use of setup. */
export { openSetup, openSubscriptionEdit } from './setup-open.ts';
export { listWelcomedChannels } from './welcome.ts';
