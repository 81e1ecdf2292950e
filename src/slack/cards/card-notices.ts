/** The direct message about a card that a colleague assigned. Pure. */
import type { KnownBlock } from '@slack/types';
import type { PostContentOf } from '../../outbox/posts.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, buttonElement, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink, formatDate, formatMention, safeLine, safeUrl } from '../kit/mrkdwn.ts';

/** For the person who got the card. `link`: to the card, if Slack gave one. */
export function cardAssignedMessage({ title, by, channel, link }: PostContentOf<'card-assigned'>): Message {
  const name = safeLine(title, 150) || 'an untitled project';
  const url = link === undefined ? undefined : safeUrl(link);
  const open = buttonElement({ id: actionIds.openLink, label: 'Open Card', value: 'card' });
  const text = `:raised_hand: ${formatMention(by)} assigned a project to you in ${channelLink(channel)}: *${name}*`;
  const blocks: KnownBlock[] = [
    sectionBlock(joinLines(text, "It's claimed for you. If you can't take it, press *Release* on its card.")),
    ...(url === undefined ? [] : [actionsBlock([{ ...open, url }])]),
  ];
  return { text, blocks };
}
