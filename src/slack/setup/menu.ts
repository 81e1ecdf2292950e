/** The menu of `/gig` without a word, and of messages to the bot: the most common things as buttons. Pure. */
import type { Button } from '@slack/types';
import { hasRoleAtLeast, type Role } from '../../access/access.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, buttonElement, contextBlock, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { formatCount } from '../kit/numbers.ts';
import { setUpButton } from '../kit/set-up-button.ts';

/** Buttons that do what a command does. */
export const menuItems = [
  { id: actionIds.menuList, word: 'list', label: 'Subscriptions', needs: 'outsider' },
  { id: actionIds.menuSettings, word: 'settings', label: 'Settings', needs: 'viewer' },
  { id: actionIds.menuStats, word: 'stats', label: 'Statistics', needs: 'viewer' },
  { id: actionIds.menuStatus, word: 'status', label: 'Status', needs: 'viewer' },
  { id: actionIds.menuHelp, word: 'help', label: 'All Commands', needs: 'outsider' },
] as const satisfies readonly {
  readonly id: string;
  readonly word: string;
  readonly label: string;
  readonly needs: Role;
}[];

export interface MenuFacts {
  readonly role: Role;
  /** How many feeds the channel has; missing in direct messages, which can't have any. */
  readonly feeds?: number;
}

function stateText({ role, feeds }: MenuFacts): string {
  if (!hasRoleAtLeast(role, 'viewer'))
    return 'As a guest or external member, you can read cards, and see what this channel gets.';
  if (feeds === undefined)
    return (
      'I post projects in channels, not in direct messages. ' +
      'To start, type `/invite @gigdesk` in a channel, then press the button that I post there.'
    );
  return feeds === 0
    ? 'This channel gets nothing yet. Set it up first: that takes about a minute and costs no credits.'
    : `This channel has ${formatCount(feeds, 'subscription')}.`;
}

function buttonsOf({ role, feeds }: MenuFacts): Button[] {
  const isMember = hasRoleAtLeast(role, 'viewer');
  const setUp = feeds === 0 ? setUpButton('Set Up Channel') : setUpButton('Add Subscription', false);
  const shown = menuItems.filter(
    ({ needs, word }) =>
      hasRoleAtLeast(role, needs) && (feeds !== undefined || (word !== 'list' && word !== 'settings')),
  );
  return [
    ...(isMember && feeds !== undefined ? [setUp] : []),
    ...shown.map(({ id, word, label }) => buttonElement({ id, label, value: word })),
  ];
}

export function menuMessage(facts: MenuFacts): Message {
  const what =
    'Gigdesk posts new projects from your saved filters in channels, ' +
    'as cards that your team claims, skips or bids on.';
  const text = joinLines(what, stateText(facts));
  return {
    text,
    blocks: [
      sectionBlock(text),
      actionsBlock(buttonsOf(facts)),
      ...(hasRoleAtLeast(facts.role, 'viewer')
        ? [contextBlock('Bid, Details and Claim are on each card. `/gig lookup` shows any project.')]
        : []),
    ],
  };
}
