/** What people read after a mute, a claim that came too late, or an assignment. Pure. */
import type { MuteTarget } from '../../feed/feed.ts';
import type { UserId } from '../../ids.ts';
import type { PostContentOf } from '../../outbox/posts.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlocks, buttonElement, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { muteValueCodec } from '../kit/button-values.ts';
import { messageWithButtons } from '../kit/command-button.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink, formatDate, formatMention, safeLine, safeUrl } from '../kit/mrkdwn.ts';
import { muteText } from '../subscriptions/subscriptions.ts';

/** For the user who muted, with an Undo button. */
export function muteConfirmationMessage(mute: MuteTarget): Message {
  const which = `${mute.kind === 'country' ? 'from' : 'that mention'} ${muteText(mute)}`;
  const text = `New projects ${which} are now hidden in this channel.`;
  const undo = buttonElement({ id: actionIds.unmute, label: 'Undo', value: muteValueCodec.write(mute) });
  return { text, blocks: [sectionBlock(text, undo)] };
}

/** For the channel, since it changes what everyone sees. */
export function muteAnnouncementMessage(mute: MuteTarget, by: UserId): Message {
  return messageWithButtons(
    `${formatMention(by)} muted ${muteText(mute)} in this channel.`,
    buttonElement({ id: actionIds.unmute, label: 'Unmute', value: muteValueCodec.write(mute) }),
  );
}

export function projectAlreadyClaimedMessage(by: UserId, at: number): Message {
  return {
    text: `${formatMention(by)} claimed this project ${formatDate(at)}. They or an admin can release it.`,
  };
}

/** For the person who got the card. `link`: to the card, if Slack gave one. */
export function cardAssignedMessage({ title, by, channel, link }: PostContentOf<'card-assigned'>): Message {
  const name = safeLine(title, 150) || 'an untitled project';
  const url = link === undefined ? undefined : safeUrl(link);
  const open = buttonElement({ id: actionIds.openLink, label: 'Open Card', value: 'card' });
  const place = channelLink(channel);
  const text = `:raised_hand: ${formatMention(by)} assigned a project to you in ${place}: *${name}*`;
  const blocks = [
    sectionBlock(joinLines(text, "It's claimed for you. If you can't take it, press *Release* on its card.")),
    ...actionsBlocks(url === undefined ? [] : [{ ...open, url }]),
  ];
  return { text, blocks };
}
