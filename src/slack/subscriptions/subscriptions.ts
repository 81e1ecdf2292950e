/** What other rooms use of subscriptions. */
export { countFeeds, profileFeedKey } from './feed-count.ts';
export { pauseCommand, resumeCommand } from './pause-command.ts';
export { describeProfileFailure } from './profile-failure.ts';
export { profileFeedLine, toProfileFeedName } from './profile-feed-block.ts';
export { filterResultsNotFoundMessage, noSuchFilterMessage } from './subscribed.ts';
export { muteText, subscriptionText } from './subscription-list.ts';
export { unfollowProfileAndNotify, unsubscribeAndNotify } from './subscriptions-actions.ts';
