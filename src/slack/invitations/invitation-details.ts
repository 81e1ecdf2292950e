import type { InvitationCardData } from '../../invitations/invitation-service.ts';
import { findInvitedProject } from '../../invitations/project.ts';
import { type DetailsReply, postDetailsOnce } from '../cards/cards.ts';
import type { ActionCall, ActionRoute } from '../core/routes.ts';
import { DETAILS_REQUEST_LABEL } from '../core/slow-reply.ts';
import { actionIds } from '../kit/ids.ts';
import { referencedProjectNotFoundMessage } from '../kit/project/no-such-project.ts';
import { projectDetailsMessage } from '../kit/project/project-details.ts';
import { chargedCreditsText, insufficientCreditsText } from '../kit/words/credits-text.ts';
import {
  detailsUnavailableMessage,
  INVITATION_GONE,
  INVITATION_WITHOUT_PROJECT,
} from './invitation-answers.ts';
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
