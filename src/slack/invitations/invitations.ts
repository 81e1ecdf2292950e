/** An invitation's card, as posted in a channel; its letter and new status, for its thread. Pure. */
import type { Button, KnownBlock } from '@slack/types';
import { isProjectBidOn, type ProjectBidsAndJobs } from '../../bidding/project-bidding.ts';
import type { Instant } from '../../clock.ts';
import { LETTER_EXCERPT_LENGTH, MAX_LETTER_LENGTH } from '../../invitations/decide-invitation.ts';
import {
  findInvitedProject,
  type InvitationCardData,
  type InvitationRecord,
  invitationPostId,
} from '../../invitations/invitations.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import type { PostContentOf } from '../../outbox/posts.ts';
import type { CardDeadlines } from '../../response/response.ts';
import { bidButtons, biddingLines, disqualificationBlocks } from '../bids/bids.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  joinFacts,
  joinLines,
  plainTextSection,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { splitIntoParts } from '../kit/long-text.ts';
import {
  cleanLine,
  cleanText,
  clipText,
  formatDate,
  formatMention,
  formatTimeAgo,
  safeLine,
} from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { clientLine } from '../kit/project/client.ts';
import { projectBudgetText } from '../kit/project/project-lines.ts';
import { otherClaimLines } from '../kit/words/labels.ts';
import { deadlineLine } from '../response/response.ts';

export function invitationTitle({ title }: InvitationRecord, max: number): string {
  return safeLine(title, max) || 'Untitled project';
}

function moment(at: Instant | undefined, words: (at: Instant) => string): string | undefined {
  return at === undefined || at < 0 ? undefined : words(at);
}

/** Who is invited: profile, organization and freelancer, each name once. mrkdwn. */
export function invitedNames({ invitation, profileName, organizationName }: InvitationCardData) {
  const { profile, contractor } = invitation;
  const ofProfile = safeLine(profileName ?? '', 80) || (profile && `profile ${profile.id}`);
  const ofOrganization = safeLine(organizationName ?? '', 80);
  return [...new Set([ofProfile, ofOrganization, contractor && safeLine(contractor.name ?? '', 80)])];
}

export function invitedTimeText({ invitedAt }: InvitationRecord): string | undefined {
  return moment(invitedAt, (at) => `invited ${formatTimeAgo(at)}`);
}

function topLines(view: InvitationCardData, known: ListedProject | undefined): string {
  const { invitation } = view;
  const { status } = invitation;
  return joinLines(
    `:envelope_with_arrow: *Invitation: ${invitationTitle(invitation, 200)}*`,
    joinFacts(...invitedNames(view), invitedTimeText(invitation)),
    status && `Status: *${safeLine(status, 80) || 'unknown'}*`,
    projectLines(known),
  );
}

function letterText({ letter, letterLength }: InvitationRecord): string {
  const whole = cleanLine(letter);
  if (whole.length <= LETTER_EXCERPT_LENGTH) return whole;
  const length = letterLength > MAX_LETTER_LENGTH ? letterLength : whole.length;
  return (
    `${clipText(whole, LETTER_EXCERPT_LENGTH)} [${formatNumber(LETTER_EXCERPT_LENGTH)} of ` +
    `${formatNumber(length)} characters shown, more in the thread]`
  );
}

/** The project's budget and client, as on its own card: an invitation has only a number for the client. */
function projectLines(known: ListedProject | undefined): string {
  if (!known) return '';
  const pays = projectBudgetText(known.budget);
  const client = clientLine(known.client);
  return joinLines(pays && `*${pays}*`, client && `Client: ${client}`);
}

/** Who claimed it, its deadlines, and its bids. */
export function stateLines(
  { card: { channel, uid, claim } }: InvitationCardData,
  bidding: ProjectBidsAndJobs,
  due?: string,
): readonly string[] {
  return [
    ...(claim ? [`:raised_hand: Claimed by ${formatMention(claim.by)}, ${formatDate(claim.at)}`] : []),
    ...otherClaimLines(bidding.claims, invitationPostId(channel, uid)),
    ...(due ? [due] : []),
    ...biddingLines(bidding),
  ];
}

function press(id: string, label: string, { invitation: { uid, title } }: InvitationCardData): Button {
  return buttonElement({ id, label, value: uid, accessibilityLabel: `${label}: ${title}` });
}

function bidsOf(view: InvitationCardData, bidding: ProjectBidsAndJobs): Button[] {
  const { title } = view.invitation;
  const urgent = bidButtons(bidding, { title });
  if (bidding.bids.length > 0) return [...urgent];
  const first = press(actionIds.invitationBid, 'Bid', view);
  return urgent.length > 0 ? [...urgent, first] : [{ ...first, style: 'primary' }];
}

function buttons(view: InvitationCardData, bidding: ProjectBidsAndJobs): Button[] {
  const own = view.card.claim
    ? press(actionIds.invitationRelease, 'Release', view)
    : press(actionIds.invitationClaim, 'Claim', view);
  if (!findInvitedProject(view.invitation)) return [own];
  return [...bidsOf(view, bidding), press(actionIds.invitationDetails, 'Details', view), own];
}

/**
 * Delivery posts it, and updates it when its status, its claim or other content changes.
 * @param bidding of its project
 * @param known its project, if a filter's list showed it
 */
export function invitationMessage(
  view: InvitationCardData,
  bidding: ProjectBidsAndJobs,
  known?: ListedProject,
  deadlines?: CardDeadlines,
): Message {
  const { invitation } = view;
  const letter = letterText(invitation);
  const { updatedAt, invitedAt } = invitation;
  const isChanged = updatedAt !== undefined && updatedAt > (invitedAt ?? updatedAt);
  const foot = isChanged ? (moment(updatedAt, (at) => `Updated ${formatDate(at)}`) ?? '') : '';
  const due = isProjectBidOn(bidding) ? undefined : deadlineLine(deadlines);
  const state = joinLines(...stateLines(view, bidding, due));
  const blocks: KnownBlock[] = [
    sectionBlock(topLines(view, known)),
    ...(letter ? [plainTextSection(letter)] : []),
    ...(foot ? [contextBlock(foot)] : []),
    ...(state ? [contextBlock(state)] : []),
    ...disqualificationBlocks(bidding, known?.verdict, 0),
    actionsBlock(buttons(view, bidding)),
  ];
  const status = safeLine(invitation.status ?? '', 80);
  return { text: joinFacts(`Invitation: ${invitationTitle(invitation, 150)}`, status), blocks };
}

/** As much of the letter as fits in one message, with a notice if that is not all. */
export function invitationLetterMessage(invitation: InvitationRecord): Message {
  return {
    text: `Invitation letter: ${safeLine(invitation.title, 150) || 'Untitled project'}`,
    blocks: [contextBlock('Invitation letter:'), ...invitationLetterBlocks(invitation)],
  };
}

/** Empty if there is no letter; a clipped one ends with a notice. */
export function invitationLetterBlocks({ letter, letterLength }: InvitationRecord): readonly KnownBlock[] {
  const cut =
    `Showing ${formatNumber(letter.length)} of ${formatNumber(letterLength)} characters. ` +
    'Read the rest in the marketplace.';
  return [
    ...splitIntoParts(cleanText(letter)).map(plainTextSection),
    ...(letterLength > letter.length ? [contextBlock(cut)] : []),
  ];
}

/** `Invitation to “Rebuild our checkout”: Accepted (was Pending)` */
export function invitationStatusMessage(news: PostContentOf<'invitation-status'>): Message {
  const { title, before, status } = news;
  const of = safeLine(title, 120) || 'Untitled project';
  const was = safeLine(before ?? '', 80);
  const now = safeLine(status, 80) || 'no status';
  return { text: `:arrows_counterclockwise: *Invitation to “${of}”: ${now}*${was ? ` (was ${was})` : ''}` };
}
