/** One message for many projects or invitations at once, or for projects of quiet hours. Pure. */
import type { SectionBlock } from '@slack/types';
import type { InvitationCardData } from '../../invitations/invitations.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import type { Message } from '../core/routes.ts';
import { invitationTitle, invitedNames, invitedTimeText } from '../invitations/invitations.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  joinFacts,
  sectionBlock,
  sectionBlocks,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { projectRows } from '../kit/project/project-lines.ts';

/** How many cards one click posts. */
export const CARDS_PER_SHOW_MORE = 10;

/** The newest waiting items, newest first; up to ten show. */
type Newest =
  | { readonly newest: readonly ListedProject[] }
  | { readonly newestInvitations: readonly InvitationCardData[] };

type CardSummaryFacts = Newest & {
  readonly waiting: number;
  /** All items that it ever covered. */
  readonly total: number;
  /** There are more: only the first `total` in the queue were counted. */
  readonly orMore?: true;
  /** They arrived during quiet hours, not at once. */
  readonly isQuiet?: boolean;
};

/** Up to ten rows, and their number. */
function rowsOf(facts: CardSummaryFacts): { readonly rows: SectionBlock[]; readonly shown: number } {
  if ('newest' in facts) {
    const newest = facts.newest.slice(0, CARDS_PER_SHOW_MORE);
    return { rows: projectRows(newest), shown: newest.length };
  }
  const newest = facts.newestInvitations.slice(0, CARDS_PER_SHOW_MORE);
  return { rows: invitationRows(newest), shown: newest.length };
}

/** How many cards are posted and how many are left; empty while none is posted. */
function toldText({ waiting, total, orMore }: CardSummaryFacts): string {
  const posted = total - waiting;
  if (posted === 0) return '';
  return `${orMore ? 'Many' : formatNumber(posted)} posted, ${formatNumber(waiting)} left. `;
}

export function cardSummaryMessage(facts: CardSummaryFacts): Message {
  const { waiting, total, orMore, isQuiet = false } = facts;
  const noun = 'newest' in facts ? 'new project' : 'new invitation';
  const when = isQuiet ? 'during quiet hours' : 'at once';
  const text = `${orMore ? 'More than ' : ''}${formatCount(total, noun)} ${when}`;
  if (waiting === 0) return { text, blocks: [sectionBlock(`*${text}.* All of them are posted.`)] };
  const { rows, shown } = rowsOf(facts);
  const more = waiting - shown;
  const isCut = orMore && waiting === total;
  const next = Math.min(CARDS_PER_SHOW_MORE, waiting);
  return {
    text,
    blocks: [
      sectionBlock(`${isQuiet ? `*${text}.*` : `*${text}*, grouped here.`} ${toldText(facts)}Newest first:`),
      ...rows,
      ...(more > 0 ? [contextBlock(`…and ${isCut ? 'more than ' : ''}${formatNumber(more)} more`)] : []),
      actionsBlock([
        buttonElement({
          id: actionIds.showMore,
          label:
            next === waiting
              ? next === 1
                ? 'Show as Card'
                : `Show All ${next} as Cards`
              : `Show Next ${next}`,
          value: String(next),
        }),
      ]),
    ],
  };
}

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

function invitationRows(views: readonly InvitationCardData[]): SectionBlock[] {
  return [...sectionBlocks(views.map(invitationRow))];
}
