import type { InvitationCardData } from '../../invitations/invitation-service.ts';
import { findInvitedProject } from '../../invitations/project.ts';
import { actionIds } from '../blocks/ids.ts';
import { chargedCreditsText } from '../messages/cost-text.ts';
import { insufficientCreditsText } from '../messages/insufficient-credits.ts';
import {
  detailsUnavailableMessage,
  INVITATION_GONE,
  INVITATION_WITHOUT_PROJECT,
} from '../messages/invitation-answers.ts';
import { referencedProjectNotFoundMessage } from '../messages/no-such-project.ts';
import { projectDetailsMessage } from '../messages/project-details.ts';
import { DETAILS_REQUEST_LABEL } from '../messages/slow-reply.ts';
import type { ActionCall, ActionRoute } from '../routes.ts';
import { type DetailsReply, postDetailsOnce } from './details.ts';
import { findPressedInvitation } from './invitation-find.ts';

async function fetchDetails(call: ActionCall, { invitation }: InvitationCardData): Promise<DetailsReply> {
  const { services, channel, person } = call;
  const invited = findInvitedProject(invitation);
  if (!invited) return { kind: 'person', message: INVITATION_WITHOUT_PROJECT };
  const { reference } = invited;
  const outcome = await services.projects.lookUp({ channel, user: person.user }, reference);
  switch (outcome.kind) {
    case 'found':
      return { kind: 'thread', message: projectDetailsMessage(outcome.project, chargedCreditsText(outcome)) };
    case 'failed':
      if (outcome.error.code === 'not-found')
        return { kind: 'person', message: referencedProjectNotFoundMessage(reference, outcome.askedAt) };
      throw outcome.error;
    case 'no-budget':
    case 'account-spent':
      return { kind: 'person', message: detailsUnavailableMessage(insufficientCreditsText(outcome)) };
  }
}

/** Posts the full project to the invitation's thread: once, for at most 1 credit. */
export const invitationDetailsAction: ActionRoute = {
  id: actionIds.invitationDetails,
  needs: 'viewer',
  pendingLabel: DETAILS_REQUEST_LABEL,
  async run(call) {
    const ts = call.message?.ts;
    const view = await findPressedInvitation(call);
    if (!view || ts === undefined) return call.answer(INVITATION_GONE);
    await postDetailsOnce(call, ts, () => fetchDetails(call, view));
  },
};
