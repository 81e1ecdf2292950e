import { hasRoleAtLeast } from '../../access/roles.ts';
import { claimInvitation, releaseInvitationClaim } from '../../invitations/invitation-card-data.ts';
import type { InvitationClaimOutcome } from '../../invitations/invitation-service.ts';
import { findInvitedProject } from '../../invitations/project.ts';
import { openBidModalForMessage } from '../bids/bids.ts';
import type { ActionCall, ActionRoute } from '../core/routes.ts';
import { actionIds } from '../kit/ids.ts';
import {
  INVITATION_GONE,
  INVITATION_UNCLAIMED,
  INVITATION_WITHOUT_PROJECT,
  invitationAlreadyClaimedMessage,
} from './invitation-answers.ts';
import { invitationDetailsAction } from './invitation-details.ts';
import { findPressedInvitation } from './invitation-find.ts';

/** The card itself shows success; failures are ephemeral messages. */
async function tell(call: ActionCall, outcome: InvitationClaimOutcome): Promise<void> {
  switch (outcome.kind) {
    case 'claimed':
    case 'released':
      return;
    case 'held':
      return call.answer(invitationAlreadyClaimedMessage(outcome.by, outcome.at));
    case 'free':
      return call.answer(INVITATION_UNCLAIMED);
    case 'no-card':
      return call.answer(INVITATION_GONE);
  }
}

const claim: ActionRoute = {
  id: actionIds.invitationClaim,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const view = await findPressedInvitation(call);
    if (!view) return call.answer(INVITATION_GONE);
    await tell(call, await claimInvitation(services, channel, view.card.uid, person.user));
  },
};

/** Releases the person's own claim; an admin may release anyone's. */
const release: ActionRoute = {
  id: actionIds.invitationRelease,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const view = await findPressedInvitation(call);
    if (!view) return call.answer(INVITATION_GONE);
    const others = hasRoleAtLeast(person.role, 'admin');
    await tell(call, await releaseInvitationClaim(services, channel, view.card.uid, person.user, others));
  },
};

/** Opens the bid modal for the invitation's project. */
const bid: ActionRoute = {
  id: actionIds.invitationBid,
  needs: 'bidder',
  async run(call) {
    const view = await findPressedInvitation(call);
    if (!view) return call.answer(INVITATION_GONE);
    if (!findInvitedProject(view.invitation)) return call.answer(INVITATION_WITHOUT_PROJECT);
    await openBidModalForMessage(call);
  },
};

export const invitationActions: readonly ActionRoute[] = [bid, invitationDetailsAction, claim, release];
