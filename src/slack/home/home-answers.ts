/** Shown at the top of the App Home after an action that failed. mrkdwn. Pure. */

/** The record is gone, or never existed. */
export const HOME_ITEM_OUTDATED_NOTICE =
  ':information_source: This item changed in the meantime, so nothing was done. Here is the latest.';

export const DRAFT_DISCARDED = ':wastebasket: Draft discarded.';
