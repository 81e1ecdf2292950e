/** What people read after they muted something, copied a link, or came too late to claim. Pure. */
import type { UserId } from '../../ids.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import type { Message } from '../core/routes.ts';
import { buttonElement, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { muteValueCodec } from '../kit/button-values.ts';
import { messageWithButtons } from '../kit/command-button.ts';
import { actionIds } from '../kit/ids.ts';
import { escapeMrkdwn, formatDate, formatMention, safeUrl } from '../kit/mrkdwn.ts';
import { muteText } from '../subscriptions/subscriptions.ts';
import type { MuteTarget } from './mute-words.ts';

/** For the user who muted, with an Undo button. */
export function muteConfirmationMessage(mute: MuteTarget): Message {
  const text =
    `New projects ${mute.kind === 'country' ? 'from' : 'that mention'} ${muteText(mute)} are now hidden ` +
    'in this channel.';
  return {
    text,
    blocks: [
      sectionBlock(
        text,
        buttonElement({ id: actionIds.unmute, label: 'Undo', value: muteValueCodec.write(mute) }),
      ),
    ],
  };
}

/** For the channel, since it changes what everyone sees. */
export function muteAnnouncementMessage(mute: MuteTarget, by: UserId): Message {
  return messageWithButtons(
    `${formatMention(by)} muted ${muteText(mute)} in this channel.`,
    buttonElement({ id: actionIds.unmute, label: 'Unmute', value: muteValueCodec.write(mute) }),
  );
}

export function copyLinkMessage(project: ListedProject, permalink: string | undefined): Message {
  const address = safeUrl(project.url);
  return {
    text: joinLines(
      address ? `Project: \`${escapeMrkdwn(address)}\`` : 'This project has no usable link.',
      permalink ? `Card: \`${escapeMrkdwn(permalink)}\`` : undefined,
    ),
  };
}

export function projectAlreadyClaimedMessage(by: UserId, at: number): Message {
  return {
    text: `${formatMention(by)} claimed this project ${formatDate(at)}. They or an admin can release it.`,
  };
}
