/** The menu of `/gig` without a word, and of messages to the bot: the most common things as buttons. Pure. */
import type { Button } from '@slack/types';
import { hasRoleAtLeast, type Role } from '../../access/access.ts';
import { connectButton } from '../account/account.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, contextBlock, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { type CommandButtonFacts, commandButton, setUpButton } from '../kit/command-button.ts';
import { formatCount } from '../kit/numbers.ts';
import { NOT_CONNECTED } from '../kit/words/marketplace-failure.ts';

const MENU_ITEMS = [
  { command: 'list', label: 'Subscriptions', needs: 'outsider' },
  { command: 'settings', label: 'Settings', needs: 'viewer' },
  { command: 'follow', label: 'Followed Projects', needs: 'viewer' },
  { command: 'stats', label: 'Statistics', needs: 'viewer' },
  { command: 'status', label: 'Status', needs: 'viewer' },
  { command: 'help', label: 'All Commands', needs: 'outsider' },
] as const satisfies readonly (CommandButtonFacts & { readonly needs: Role })[];

export interface MenuFacts {
  readonly role: Role;
  /** How many feeds the channel has; missing in direct messages, which can't have any. */
  readonly feeds?: number;
  /** The workspace has no marketplace account yet. */
  readonly isAccountMissing?: boolean;
}

function stateText({ role, feeds, isAccountMissing }: MenuFacts): string {
  if (!hasRoleAtLeast(role, 'viewer'))
    return 'As a guest or external member, you can read cards, and see what this channel gets.';
  if (isAccountMissing) return NOT_CONNECTED;
  if (feeds === undefined)
    return (
      'To add a channel, type `/invite @gigdesk` there, then press *Set Up This Channel*. ' +
      'Projects that you follow arrive here.'
    );
  return feeds === 0
    ? 'This channel gets nothing yet. Set it up first: that takes about a minute and costs no credits.'
    : `This channel has ${formatCount(feeds, 'subscription')}.`;
}

/** What comes next, before anything else. */
function firstButtons({ role, feeds, isAccountMissing }: MenuFacts): Button[] {
  if (isAccountMissing) return hasRoleAtLeast(role, 'admin') ? [connectButton()] : [];
  if (feeds === undefined || !hasRoleAtLeast(role, 'viewer')) return [];
  return feeds === 0
    ? [setUpButton('Set Up Channel')]
    : [setUpButton('Add Subscription', { isPrimary: false, opens: 'add' })];
}

function buttonsOf(facts: MenuFacts): Button[] {
  const { role, feeds } = facts;
  const shown = MENU_ITEMS.filter(
    ({ needs, command }) =>
      hasRoleAtLeast(role, needs) && (feeds !== undefined || (command !== 'list' && command !== 'settings')),
  );
  return [...firstButtons(facts), ...shown.map(commandButton)];
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
