/** What other rooms use of setup. */
export { readBotChannels } from './missed-invitations.ts';
export { openSetup, openSubscriptionEdit } from './setup-open.ts';
export { listWelcomedChannels, markOpenWelcomesChanged } from './welcome.ts';
