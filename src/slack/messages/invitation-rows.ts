/** Invitations as a list, one line each. */
import type { SectionBlock } from '@slack/types';
import type { InvitationCardData } from '../../invitations/invitation-service.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { joinFacts, sectionBlocks } from './block-builders.ts';
import { invitationTitle, invitedNames, invitedTimeText } from './invitation-card.ts';

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
