/** What a failure with a followed profile means, and what to do. Pure. */
import { SLASH_COMMAND } from '../kit/ids.ts';
import { codeText } from '../kit/query-error.ts';
import { describeMarketplaceFailure, type FailureDescription } from '../kit/words/marketplace-failure.ts';
import { type ProfileFeedName, subscribeCommandText, unsubscribeCommandText } from '../kit/words/profiles.ts';

/** `what` completes “Invitations for … have been down since …:”; `next` is a sentence or two. mrkdwn. */
export function describeProfileFailure(it: ProfileFeedName & { readonly code: string }): FailureDescription {
  const end = codeText(`${SLASH_COMMAND} ${unsubscribeCommandText(it)}`);
  const again = codeText(`${SLASH_COMMAND} ${subscribeCommandText(it)}`);
  switch (it.code) {
    case 'not-found':
      return {
        what: "the marketplace can't find this profile",
        next:
          'If it was disconnected, reconnect it in the dashboard. ' +
          `It then resumes within hours, or right away with ${again}. Stop it here with ${end}.`,
      };
    case 'forbidden':
      return {
        what: "the API token can't read this profile",
        next:
          'A team admin can check in the dashboard whether the profile is still connected, ' +
          `and what the token and the plan allow. Stop it here with ${end}.`,
      };
    case 'subscription-inactive':
      return {
        what: "the marketplace team's subscription is inactive",
        next: 'The account owner can renew it in the dashboard. It then resumes automatically.',
      };
    default:
      return describeMarketplaceFailure(it.code);
  }
}
