/** The questions that a card's menu asks, for the person alone, and the answers to a press. */
import type { StaticSelect } from '@slack/types';
import { SkipReason } from '../../feed/records.ts';
import type { MessageTs, UserId } from '../../ids.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { cleanLine } from '../blocks/clean-text.ts';
import { actionIds } from '../blocks/ids.ts';
import { date, escapeMrkdwn, mention, safeUrl } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';
import { button, capital, lines, option, plain, section } from './parts.ts';
import { projectLink } from './project-link.ts';
import { SKIP_WORDS } from './skip-reasons.ts';
import { muteName } from './subscription-list.ts';
import { tellingWords } from './telling-words.ts';
import { LONGEST_MUTED_WORD, muteCountryValue, muteValue, muteWordValue, skipValue } from './values.ts';

function choice(placeholder: string, options: StaticSelect['options']): StaticSelect {
  return {
    type: 'static_select',
    action_id: actionIds.more,
    placeholder: plain(placeholder),
    ...(options ? { options } : {}),
  };
}

export function askSkipReason(project: ListedProject, card: MessageTs): Message {
  const options = SkipReason.options.map((reason) =>
    option(capital(SKIP_WORDS[reason]), skipValue(reason, card)),
  );
  return {
    text: 'Why skip this project?',
    blocks: [section(`Why skip ${projectLink(project, 100)}?`, choice('Choose a reason', options))],
  };
}

/** Offers the client's country and the words that tell most; undefined when there is nothing to mute. */
export function askMute(project: ListedProject, card: MessageTs): Message | undefined {
  const country = cleanLine(project.client.country ?? '');
  const words = tellingWords(project, LONGEST_MUTED_WORD);
  const options = [
    ...(country ? [option(`Clients in ${country}`, muteCountryValue(card))] : []),
    ...words.map((word) => option(`Projects that mention “${word}”`, muteWordValue(card, word))),
  ];
  if (options.length === 0) return undefined;
  return {
    text: 'Hide projects like this in this channel',
    blocks: [
      section(
        `Hide projects like ${projectLink(project, 100)} in this channel. Applies to everyone here, and only to new projects.`,
        choice('Choose what to mute', options),
      ),
    ],
  };
}

export interface Muted {
  readonly kind: 'country' | 'word';
  readonly value: string;
}

/** For the person who muted: with the way back. */
export function mutedMessage(mute: Muted): Message {
  const text = `New projects ${mute.kind === 'country' ? 'from' : 'that mention'} ${muteName(mute)} are now hidden in this channel.`;
  return {
    text,
    blocks: [section(text, button({ id: actionIds.unmute, label: 'Undo', value: muteValue.write(mute) }))],
  };
}

/** For the channel, since it changes what everyone sees. */
export function mutedForChannel(mute: Muted, by: UserId): Message {
  return { text: `${mention(by)} muted ${muteName(mute)} in this channel. Undo it in \`/gig list\`.` };
}

export function unmutedForChannel(mute: Muted, by: UserId): Message {
  return { text: `${mention(by)} unmuted ${muteName(mute)} in this channel.` };
}

export function copyLinkMessage(project: ListedProject, permalink: string | undefined): Message {
  const address = safeUrl(project.url);
  return {
    text: lines(
      address ? `Project: \`${escapeMrkdwn(address)}\`` : 'This project has no usable link.',
      permalink ? `Card: \`${escapeMrkdwn(permalink)}\`` : undefined,
    ),
  };
}

export function heldMessage(by: UserId, at: number): Message {
  return { text: `${mention(by)} claimed this project ${date(at)}. They or an admin can release it.` };
}
