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
export {
  filterResultsNotFoundMessage,
  filterSubscriptionSavedMessage,
  subscribeToFilter,
  unclearFilterMessage,
  wantedText,
} from './subscribe-to-filter.ts';
export { filterValueCodec, muteText, subscriptionText } from './subscription-list.ts';
export { triedRulesRows } from './try-command.ts';
