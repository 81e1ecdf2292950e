/** Invitations as a list, one line each. Pure. */
import type { SectionBlock } from '@slack/types';
import type { InvitationCardData } from '../../invitations/invitation-service.ts';
import { invitationTitle, invitedNames, invitedTimeText } from '../invitations/invitations.ts';
import { joinFacts, sectionBlocks } from '../kit/block-builders.ts';
import { safeLine } from '../kit/mrkdwn.ts';

/** `• Rebuild our shop · Ada Webb · invited 3 hours ago · Pending`. mrkdwn. */
function invitationRow(view: InvitationCardData): string {
  const { invitation } = view;
  const status = safeLine(invitation.status ?? '', 60);
  return joinFacts(
    `• *${invitationTitle(invitation, 100)}*`,
    ...invitedNames(view),
    invitedTimeText(invitation),
    status,
  );
}

export function invitationRows(views: readonly InvitationCardData[]): SectionBlock[] {
  return [...sectionBlocks(views.map(invitationRow))];
}
