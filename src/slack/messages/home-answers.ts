/** What stands at the top of a Home after a press that could not be carried out. mrkdwn. */

/** The record is gone, or never was. */
export const HOME_OUTDATED =
  ':information_source: That had changed meanwhile, so nothing was done. This is the newest.';

export const NOT_IN_CHANNEL = ':lock: You are not in that channel any more, so nothing was changed.';

export const PLACE_UNSURE =
  ":warning: Slack can't tell me just now whether you are in that channel, so nothing was changed. Try again in a minute.";

export const DRAFT_DISCARDED = ':wastebasket: The draft is discarded.';
