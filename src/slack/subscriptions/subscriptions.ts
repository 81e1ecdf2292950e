/** What other rooms use of subscriptions. */
export { unfollowProfileAndNotify, unsubscribeAndNotify } from './list-command.ts';
export { pauseCommand, pauseText, resumeCommand } from './pause-command.ts';
export {
  countFeeds,
  describeProfileFailure,
  profileFeedKey,
  profileFeedLine,
  toProfileFeedName,
} from './profile-feeds.ts';
export { filterResultsNotFoundMessage, noSuchFilterMessage } from './subscribed.ts';
export { muteText, subscriptionText } from './subscription-list.ts';
