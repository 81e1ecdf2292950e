/**
 * The message of a bid or an approval that waits before it is sent: what it sends, who approved it, and
 * Cancel. Pure.
 */
import type { Button, KnownBlock } from '@slack/types';
import {
  compareApprovalFacts,
  findApprovalTitle,
  listApprovalFacts,
} from '../../bidding/approval-request.ts';
import type { HeldOrder } from '../../bidding/bidding.ts';
import { hashOrder, refOf } from '../../bidding/held-order.ts';
import { findApprovalDeadline, isApproved } from '../../spending/hold.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  joinLines,
  plainTextObject,
  sectionBlock,
} from '../kit/block-builders.ts';
import { heldOrderValueCodec } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { cleanLine, clipText, formatDate, formatMention, safeLine } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { jobLabel } from '../kit/words/job-text.ts';
import {
  approvalMessageBlocks,
  approvalTerms,
  changesText,
  needsReview,
  subjectLink,
  subjectWarningBlocks,
} from './approval-blocks.ts';
import { addressedText, MORE_APPROVERS } from './approval-message.ts';
import { approvalCountText, dueText, holdEndText, secondReasonsText } from './hold-text.ts';

/** `bid` or `approval of bid #12`. */
export function heldOrderName({ of }: HeldOrder): string {
  return 'bid' in of ? 'bid' : `approval of ${jobLabel(of.job.id)}`;
}

export function heldOrderButton(order: HeldOrder, id: string, label: string): Button {
  const { attempt } = order;
  return buttonElement({
    id,
    label,
    value: heldOrderValueCodec.write({ ...refOf(order), attempt, shown: hashOrder(order) }),
    accessibilityLabel: `${label}: ${cleanLine(findApprovalTitle(order.subject)) || heldOrderName(order)}`,
  });
}

const LONGEST_TITLE = 100;

/** What approving does. Plain text. */
export function approveHeldText(order: HeldOrder): string {
  const title = clipText(cleanLine(findApprovalTitle(order.subject)), LONGEST_TITLE);
  return `This bid${title ? ` on “${title}”` : ''} spends connects. ${approvalTerms(order.subject)}`;
}

function approveHeldButton(order: HeldOrder): Button {
  return {
    ...heldOrderButton(order, actionIds.heldApprove, 'Approve'),
    style: 'primary',
    confirm: {
      title: plainTextObject('Approve it?'),
      text: plainTextObject(approveHeldText(order)),
      confirm: plainTextObject('Approve'),
      deny: plainTextObject('Not Yet'),
    },
  };
}

function tooFewText({ posted, given, needed }: NonNullable<HeldOrder['hold']['second']>): string | undefined {
  const { users = [], groups = [], direct = [] } = posted ?? {};
  const known = new Set([...users, ...direct, ...given.map(({ by }) => by)]).size;
  if (known === 0 || known >= needed || groups.length > 0) return undefined;
  const others = known === 1 ? '1 other person' : `${known} other people`;
  return `Gigdesk knows only ${others} who can approve it. ${MORE_APPROVERS}`;
}

function whoText(order: HeldOrder): string {
  const who = formatMention(order.sender);
  return 'job' in order.of ? `${who} approved this bid.` : `${who} wants to send this bid.`;
}

/** Since people were shown it, when it began to wait. */
function listChanges({ shown, subject }: HeldOrder) {
  return compareApprovalFacts(shown, listApprovalFacts(subject));
}

function askingBlocks(order: HeldOrder, second: NonNullable<HeldOrder['hold']['second']>): KnownBlock[] {
  const { hold, subject, sendAt } = order;
  const deadline = findApprovalDeadline(hold, sendAt);
  const changes = changesText(listChanges(order));
  const asker = second.not.map((user) => `${formatMention(user)} asked for it and can't approve it.`);
  const sentTo = (people: string) =>
    `Nobody else in this channel can approve it, so Gigdesk asked ${people}.`;
  return [
    sectionBlock(
      joinLines(
        `:raised_hand: *${whoText(order)}* It needs ${formatCount(second.needed, 'more approval')}: ` +
          `${secondReasonsText(second.reasons)}.`,
        addressedText(second, sentTo),
        tooFewText(second),
        `*${approvalCountText(hold)}*`,
        changes && ':warning: The bid has changed, so earlier approvals are void. Approve it again.',
        changes,
        ...asker,
      ),
    ),
    ...approvalMessageBlocks(subject),
    contextBlock(
      joinLines(
        `${formatMention(order.sender)} can't give a second approval. Each person counts once.`,
        deadline === undefined
          ? undefined
          : `If not enough people approve it by ${formatDate(deadline)}, it isn't sent.`,
      ),
    ),
    actionsBlock([
      // Where the message doesn't show all that is sent, Review has Approve.
      needsReview(subject)
        ? { ...heldOrderButton(order, actionIds.heldReview, 'Review'), style: 'primary' }
        : approveHeldButton(order),
      heldOrderButton(order, actionIds.heldReject, 'Reject'),
      heldOrderButton(order, actionIds.heldCancel, 'Cancel'),
    ]),
  ];
}

function waitingBlocks(order: HeldOrder): KnownBlock[] {
  const { hold, subject } = order;
  return [
    sectionBlock(
      joinLines(
        `:hourglass_flowing_sand: *Gigdesk sends this bid ${dueText(hold)} unless someone cancels it.*`,
        `*${subjectLink(subject, heldOrderName(order))}*`,
        approvalTerms(subject),
        whoText(order),
        hold.second ? approvalCountText(hold) : undefined,
      ),
    ),
    ...subjectWarningBlocks(subject),
    actionsBlock([{ ...heldOrderButton(order, actionIds.heldCancel, 'Cancel'), style: 'danger' }]),
  ];
}

/** Why the message has no buttons any more; undefined while it waits. mrkdwn. */
function heldOrderClosedText(
  order: HeldOrder,
  { attempt, round }: { readonly attempt: number; readonly round: number },
): string | undefined {
  if (order.attempt !== attempt) return 'A newer attempt replaced this one.';
  const current = order.hold.second?.round ?? 0;
  if (round !== current) return 'A newer message in this thread replaced this one.';
  return order.isHeld ? undefined : (holdEndText(order.hold) ?? "It isn't waiting anymore.");
}

/** @param of which of the order's messages it is */
export function heldOrderMessage(
  order: HeldOrder,
  of: { readonly attempt: number; readonly round: number },
): Message {
  const name = safeLine(findApprovalTitle(order.subject), 150) || heldOrderName(order);
  const closed = heldOrderClosedText(order, of);
  const { hold, subject } = order;
  if (closed !== undefined) {
    const link = subjectLink(subject, heldOrderName(order));
    const count = order.attempt === of.attempt && hold.second ? approvalCountText(hold) : undefined;
    const isChange = order.attempt === of.attempt && hold.ended?.kind === 'changed';
    const changes = isChange ? changesText(listChanges(order)) : undefined;
    const blocks = [sectionBlock(joinLines(`*${link}*`, closed, changes, count))];
    return { text: `Bid on ${name}: closed`, blocks };
  }
  const { second } = hold;
  return second && !isApproved(hold)
    ? { text: `Second approval needed: ${name}`, blocks: askingBlocks(order, second) }
    : { text: `Bid waits to be sent: ${name}`, blocks: waitingBlocks(order) };
}
