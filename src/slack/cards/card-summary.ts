/** One message for many projects or invitations at once, or for projects of quiet hours. Pure. */
import type { Button } from '@slack/types';
import type { FittedProject } from '../../feed/card-details.ts';
import type { InvitationCardData } from '../../invitations/invitations.ts';
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
import { fitText } from '../kit/project/fit-text.ts';
import { projectRow } from '../kit/project/project-lines.ts';
import { cardMentionText } from './card-message.ts';

export const CARDS_PER_SHOW_MORE = 10;

/** The first waiting items, up to ten: projects with the best fit first, or invitations newest first. */
type CardSummaryFacts = (
  | { readonly best: readonly FittedProject[] }
  | { readonly newestInvitations: readonly InvitationCardData[] }
) & {
  readonly waiting: number;
  /** All items that it ever covered. */
  readonly total: number;
  /** There are more: only the first `total` in the queue were counted. */
  readonly orMore?: true;
  /** They arrived during quiet hours, not at once. */
  readonly isQuiet?: boolean;
};

function rowsOf(facts: CardSummaryFacts): readonly string[] {
  if ('best' in facts) return facts.best.slice(0, CARDS_PER_SHOW_MORE).map(fittedProjectRow);
  return facts.newestInvitations.slice(0, CARDS_PER_SHOW_MORE).map(invitationRow);
}

export function cardSummaryMessage(facts: CardSummaryFacts): Message {
  const { waiting, total, orMore, isQuiet = false } = facts;
  const isOfProjects = 'best' in facts;
  const noun = isOfProjects ? 'new project' : 'new invitation';
  // Invitations may also be grouped because several came in a while.
  const when = isQuiet ? ' during quiet hours' : isOfProjects ? ' at once' : '';
  const text = `${orMore ? 'More than ' : ''}${formatCount(total, noun)}${when}`;
  if (waiting === 0) return { text, blocks: [sectionBlock(`*${text}.* All of them are posted.`)] };
  const rows = rowsOf(facts);
  const more = waiting - rows.length;
  const posted = total - waiting;
  const counts = `${orMore ? 'Many' : formatNumber(posted)} posted, ${formatNumber(waiting)} left. `;
  const isCut = orMore && waiting === total;
  const order = waiting === 1 ? '' : isOfProjects ? 'Best first:' : 'Newest first:';
  return {
    text,
    blocks: [
      sectionBlock(
        `${isQuiet ? `*${text}.*` : `*${text}*, grouped here.`} ${posted === 0 ? '' : counts}${order}`,
      ),
      ...sectionBlocks(rows),
      ...(more > 0 ? [contextBlock(`…and ${isCut ? 'more than ' : ''}${formatNumber(more)} more`)] : []),
      actionsBlock(showButtons(waiting, isOfProjects)),
    ],
  };
}

/** With more than one press shows, projects come by fit or by age; invitations have no fit. */
function showButtons(waiting: number, isOfProjects: boolean): Button[] {
  const next = Math.min(CARDS_PER_SHOW_MORE, waiting);
  const button = (id: string, label: string) => buttonElement({ id, label, value: String(next) });
  if (waiting === 1) return [button(actionIds.showMore, 'Show Card')];
  if (next === waiting) return [button(actionIds.showMore, `Show All ${next}`)];
  if (!isOfProjects) return [button(actionIds.showMore, `Show Next ${next}`)];
  return [
    button(actionIds.showMore, `Show Best ${next}`),
    button(actionIds.showNewest, `Show Newest ${next}`),
  ];
}

/** `• Rebuild our shop · $500 fixed · Germany · Good fit: budget above your usual $300`. mrkdwn. */
function fittedProjectRow({ project, fit, mention }: FittedProject): string {
  const mentions = cardMentionText({ mention });
  return joinFacts(projectRow(project), fit && fitText(fit, { most: 2 }), mentions && `:bell: ${mentions}`);
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
