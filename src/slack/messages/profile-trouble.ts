/** What trouble with a followed profile means, and what to do. */
import { COMMAND } from '../blocks/ids.ts';
import { codeText } from './mistake.ts';
import { endingCommand, followingCommand, type ProfileFeedName } from './profile-name.ts';
import { describeTrouble, type Trouble } from './trouble.ts';

/** `what` completes “Invitations of … don't come:”; `next` is a sentence or two. mrkdwn. */
export function describeProfileTrouble(it: ProfileFeedName & { readonly code: string }): Trouble {
  const end = codeText(`${COMMAND} ${endingCommand(it)}`);
  const again = codeText(`${COMMAND} ${followingCommand(it)}`);
  switch (it.code) {
    case 'not-found':
      return {
        what: 'the marketplace does not know this profile any more',
        next: `If it was disconnected, connect it again in the dashboard: it then goes on by itself within hours, at once with ${again}. ${end} ends it here.`,
      };
    case 'forbidden':
      return {
        what: 'our API token may not read this profile',
        next: `A team admin can check in the dashboard whether the profile is still connected, and what the token and the plan allow. ${end} ends it here.`,
      };
    case 'subscription-inactive':
      return {
        what: "the marketplace team's subscription is inactive",
        next: 'The account owner can renew it in the dashboard. It then goes on by itself.',
      };
    default:
      return describeTrouble(it.code);
  }
}
