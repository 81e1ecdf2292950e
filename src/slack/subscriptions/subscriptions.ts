/** What other rooms use of subscriptions. */
export { followProfile, profileFeedUnsubscribedMessage } from './follow-profile.ts';
export {
  listCommand,
  SUBSCRIPTION_GONE,
  unfollowProfileAndNotify,
  unsubscribeAndNotify,
} from './list-command.ts';
export { pauseCommand, pauseText, resumeChannel } from './pause-command.ts';
export {
  countFeeds,
  describeProfileFailure,
  profileFeedKey,
  profileFeedLine,
  toProfileFeedName,
} from './profile-feeds.ts';
export { subscribeToFilter } from './subscribe-to-filter.ts';
export {
  filterResultsNotFoundMessage,
  filterSubscriptionSavedMessage,
  unclearFilterMessage,
  wantedText,
} from './subscribed.ts';
export { filterValueCodec, muteText, subscriptionText } from './subscription-list.ts';
export { triedRulesRows } from './try-command.ts';
