/** What other rooms use of invitations. */
export { invitationTitle, invitedNames, invitedTimeText } from './invitation-card.ts';
