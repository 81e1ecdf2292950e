/** Invitations as a list, one line each. */
import type { SectionBlock } from '@slack/types';
import type { InvitationView } from '../../invitations/invitations.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { invitationTitle, invitedNames, invitedWhen } from './invitation-card.ts';
import { line, sections } from './parts.ts';

/** `• Rebuild our shop · Ada Webb · invited 3 hours ago · Pending`. mrkdwn. */
function invitationRow(view: InvitationView): string {
  const { invitation } = view;
  const status = safeLine(invitation.status ?? '', 60);
  return line(
    `• *${invitationTitle(invitation, 100)}*`,
    ...invitedNames(view),
    invitedWhen(invitation),
    status,
  );
}

export function invitationRows(views: readonly InvitationView[]): SectionBlock[] {
  return [...sections(views.map(invitationRow))];
}
