import type { InvitationView } from '../../invitations/invitations.ts';
import { invitedProject } from '../../invitations/project.ts';
import { actionIds } from '../blocks/ids.ts';
import { costText } from '../messages/cost-text.ts';
import { detailsNotBought, INVITATION_GONE, NO_INVITED_PROJECT } from '../messages/invitation-answers.ts';
import { noSuchProjectMessage } from '../messages/no-such-project.ts';
import { notBoughtText } from '../messages/not-bought.ts';
import { projectInFull } from '../messages/project-in-full.ts';
import { ASKED_BY_DETAILS } from '../messages/waiting.ts';
import type { ActionCall, ActionRoute } from '../routes.ts';
import { type Details, giveDetails } from './details.ts';
import { findInvitation } from './invitation-find.ts';

async function fetchDetails(call: ActionCall, { invitation }: InvitationView): Promise<Details> {
  const { services, channel, person } = call;
  const invited = invitedProject(invitation);
  if (!invited) return { kind: 'person', message: NO_INVITED_PROJECT };
  const { reference } = invited;
  const outcome = await services.projects.lookUp({ channel, user: person.user }, reference);
  switch (outcome.kind) {
    case 'found':
      return { kind: 'thread', message: projectInFull(outcome.project, costText(outcome)) };
    case 'failed':
      if (outcome.error.code === 'not-found')
        return { kind: 'person', message: noSuchProjectMessage(reference, outcome.askedAt) };
      throw outcome.error;
    case 'no-budget':
    case 'account-spent':
      return { kind: 'person', message: detailsNotBought(notBoughtText(outcome)) };
  }
}

/** The project in full, into the invitation's thread: once, for one credit at the most. */
export const invitationDetails: ActionRoute = {
  id: actionIds.invitationDetails,
  needs: 'viewer',
  asked: ASKED_BY_DETAILS,
  async run(call) {
    const ts = call.message?.ts;
    const view = await findInvitation(call);
    if (!view || ts === undefined) return call.answer(INVITATION_GONE);
    await giveDetails(call, ts, () => fetchDetails(call, view));
  },
};
