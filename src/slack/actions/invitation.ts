import { mayAct } from '../../access/roles.ts';
import { claimInvitation, releaseInvitation } from '../../invitations/claims.ts';
import type { InvitationClaim } from '../../invitations/invitations.ts';
import { invitedProject } from '../../invitations/project.ts';
import { actionIds } from '../blocks/ids.ts';
import {
  INVITATION_FREE,
  INVITATION_GONE,
  invitationHeld,
  NO_INVITED_PROJECT,
} from '../messages/invitation-answers.ts';
import type { ActionCall, ActionRoute } from '../routes.ts';
import { openBidOfMessage } from './bid-open.ts';
import { invitationDetails } from './invitation-details.ts';
import { findInvitation } from './invitation-find.ts';

/** The card itself tells what was done; only what was not done is said, and to the person alone. */
async function tell(call: ActionCall, outcome: InvitationClaim): Promise<void> {
  switch (outcome.kind) {
    case 'claimed':
    case 'released':
      return;
    case 'held':
      return call.answer(invitationHeld(outcome.by, outcome.at));
    case 'free':
      return call.answer(INVITATION_FREE);
    case 'no-card':
      return call.answer(INVITATION_GONE);
  }
}

const claim: ActionRoute = {
  id: actionIds.invitationClaim,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const view = await findInvitation(call);
    if (!view) return call.answer(INVITATION_GONE);
    await tell(call, await claimInvitation(services, channel, view.card.uid, person.user));
  },
};

/** One's own claim; an admin may release anyone's. */
const release: ActionRoute = {
  id: actionIds.invitationRelease,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const view = await findInvitation(call);
    if (!view) return call.answer(INVITATION_GONE);
    const others = mayAct(person.role, 'admin');
    await tell(call, await releaseInvitation(services, channel, view.card.uid, person.user, others));
  },
};

/** Opens the bid modal for the project of the invitation. */
const bid: ActionRoute = {
  id: actionIds.invitationBid,
  needs: 'bidder',
  async run(call) {
    const view = await findInvitation(call);
    if (!view) return call.answer(INVITATION_GONE);
    if (!invitedProject(view.invitation)) return call.answer(NO_INVITED_PROJECT);
    await openBidOfMessage(call);
  },
};

export const invitationActions: readonly ActionRoute[] = [bid, invitationDetails, claim, release];
