/** The card of an invitation, as it stands in a channel. */
import type { Button, KnownBlock } from '@slack/types';
import type { ProjectBidding } from '../../bidding/project-bidding.ts';
import type { Instant } from '../../clock.ts';
import type { InvitationView } from '../../invitations/invitations.ts';
import { LETTER_EXCERPT, LONGEST_LETTER } from '../../invitations/letters.ts';
import { invitedProject } from '../../invitations/project.ts';
import type { InvitationRecord } from '../../invitations/records.ts';
import type { ListedProject, Verdict } from '../../marketplace/schema.ts';
import { cleanLine } from '../blocks/clean-text.ts';
import { actionIds } from '../blocks/ids.ts';
import { clip, date, mention, safeLine } from '../blocks/mrkdwn.ts';
import { number } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { bidButtons } from './bid-buttons.ts';
import { biddingLines } from './bid-lines.ts';
import { budgetLabel } from './budget-label.ts';
import { clientLine } from './client-line.ts';
import { overruledBlocks } from './disqualified.ts';
import { actions, button, context, line, lines, plainSection, section } from './parts.ts';
import { ago } from './when.ts';

export function invitationTitle({ title }: InvitationRecord, max: number): string {
  return safeLine(title, max) || 'Untitled project';
}

function moment(at: Instant | undefined, words: (at: Instant) => string): string | undefined {
  return at === undefined || at < 0 ? undefined : words(at);
}

/** Who is invited: profile, organization and freelancer, each name once. mrkdwn. */
export function invitedNames({ invitation, profileName, organizationName }: InvitationView) {
  const { profile, contractor } = invitation;
  const ofProfile = safeLine(profileName ?? '', 80) || (profile && `profile ${profile.id}`);
  const ofOrganization = safeLine(organizationName ?? '', 80);
  return [...new Set([ofProfile, ofOrganization, contractor && safeLine(contractor.name ?? '', 80)])];
}

export function invitedWhen({ invitedAt }: InvitationRecord): string | undefined {
  return moment(invitedAt, (at) => `invited ${ago(at)}`);
}

function topLines(view: InvitationView, known: ListedProject | undefined): string {
  const { invitation } = view;
  const { status } = invitation;
  return lines(
    `:envelope_with_arrow: *Invitation: ${invitationTitle(invitation, 200)}*`,
    line(...invitedNames(view), invitedWhen(invitation)),
    status && `Status: *${safeLine(status, 80) || 'unknown'}*`,
    projectLines(known),
  );
}

/** The beginning of the letter in plain text; it says when it was cut, and where the rest stands. */
function letterText({ letter, letterLength }: InvitationRecord): string {
  const whole = cleanLine(letter);
  if (whole.length <= LETTER_EXCERPT) return whole;
  const length = letterLength > LONGEST_LETTER ? letterLength : whole.length;
  return `${clip(whole, LETTER_EXCERPT)} [${number(LETTER_EXCERPT)} of ${number(length)} characters shown, more in the thread]`;
}

/** What the project pays and whose it is, as on its own card: an invitation itself carries no more of a client than a number. */
function projectLines(known: ListedProject | undefined): string {
  if (!known) return '';
  const pays = budgetLabel(known.budget);
  const client = clientLine(known.client);
  return lines(pays && `*${pays}*`, client && `Client: ${client}`);
}

function footLine({ invitation }: InvitationView): string {
  const { updatedAt, invitedAt } = invitation;
  const isChanged = updatedAt !== undefined && updatedAt > (invitedAt ?? updatedAt);
  return isChanged ? (moment(updatedAt, (at) => `Updated ${date(at)}`) ?? '') : '';
}

/** What people have made of it: who claimed it, and what was bid. */
function stateLines({ card: { claim } }: InvitationView, bidding: ProjectBidding): string {
  return lines(
    claim && `:raised_hand: Claimed by ${mention(claim.by)}, ${date(claim.at)}`,
    ...biddingLines(bidding),
  );
}

function press(id: string, label: string, { invitation }: InvitationView): Button {
  return button({ id, label, value: invitation.uid, spoken: `${label}: ${invitation.title}` });
}

/** A first bid, where nothing more urgent is to be done, or what can be done about bids. */
function bidsOf(view: InvitationView, bidding: ProjectBidding, verdict: Verdict | undefined): Button[] {
  const { title } = view.invitation;
  const urgent = bidButtons(bidding, { title, verdict });
  if (bidding.bids.length > 0) return [...urgent];
  const first = press(actionIds.invitationBid, 'Bid', view);
  return urgent.length > 0 ? [...urgent, first] : [{ ...first, style: 'primary' }];
}

/** In the order of use; Details and Bid only where the project is named. */
function buttons(view: InvitationView, bidding: ProjectBidding, verdict: Verdict | undefined): Button[] {
  const own = view.card.claim
    ? press(actionIds.invitationRelease, 'Release', view)
    : press(actionIds.invitationClaim, 'Claim', view);
  if (!invitedProject(view.invitation)) return [own];
  return [...bidsOf(view, bidding, verdict), press(actionIds.invitationDetails, 'Details', view), own];
}

/**
 * Delivery sends it, and shows it anew when its status, its claim or anything else that it tells has changed.
 * @param bidding of its project
 * @param known its project, where a filter's list showed it
 */
export function invitationMessage(
  view: InvitationView,
  bidding: ProjectBidding,
  known?: ListedProject,
): Message {
  const verdict = known?.verdict;
  const { invitation } = view;
  const letter = letterText(invitation);
  const foot = footLine(view);
  const state = stateLines(view, bidding);
  const blocks: KnownBlock[] = [
    section(topLines(view, known)),
    ...(letter ? [plainSection(letter)] : []),
    ...(foot ? [context(foot)] : []),
    ...(state ? [context(state)] : []),
    ...overruledBlocks(bidding, verdict, 0),
    actions(buttons(view, bidding, verdict)),
  ];
  const status = safeLine(invitation.status ?? '', 80);
  return { text: line(`Invitation: ${invitationTitle(invitation, 150)}`, status), blocks };
}
