/** Follow-up questions of a card's menu, for one person, and the answers to them. Pure. */
import type { StaticSelect } from '@slack/types';
import { SkipReason } from '../../feed/feed.ts';
import type { MessageTs, UserId } from '../../ids.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import type { Message } from '../core/routes.ts';
import {
  buttonElement,
  capitalize,
  joinLines,
  menuOption,
  plainTextObject,
  sectionBlock,
} from '../kit/block-builders.ts';
import {
  formatMuteCountryValue,
  formatMuteWordValue,
  formatSkipValue,
  MAX_MUTED_WORD_LENGTH,
  muteValueCodec,
} from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { cleanLine, escapeMrkdwn, formatDate, formatMention, safeUrl } from '../kit/mrkdwn.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import { SKIP_REASON_LABELS } from '../kit/words/labels.ts';
import { muteText } from '../subscriptions/subscriptions.ts';

function choice(placeholder: string, options: StaticSelect['options']): StaticSelect {
  return {
    type: 'static_select',
    action_id: actionIds.more,
    placeholder: plainTextObject(placeholder),
    ...(options ? { options } : {}),
  };
}

export function skipReasonMessage(project: ListedProject, card: MessageTs): Message {
  const options = SkipReason.options.map((reason) =>
    menuOption(capitalize(SKIP_REASON_LABELS[reason]), formatSkipValue(reason, card)),
  );
  return {
    text: 'Why skip this project?',
    blocks: [sectionBlock(`Why skip ${projectLink(project, 100)}?`, choice('Choose a reason', options))],
  };
}

/** Offers the client's country and the most specific words; undefined when there is nothing to mute. */
export function muteOptionsMessage(project: ListedProject, card: MessageTs): Message | undefined {
  const country = cleanLine(project.client.country ?? '');
  const words = suggestMuteWords(project, MAX_MUTED_WORD_LENGTH);
  const options = [
    ...(country ? [menuOption(`Clients in ${country}`, formatMuteCountryValue(card))] : []),
    ...words.map((word) => menuOption(`Projects that mention “${word}”`, formatMuteWordValue(card, word))),
  ];
  if (options.length === 0) return undefined;
  return {
    text: 'Hide projects like this in this channel',
    blocks: [
      sectionBlock(
        `Hide projects like ${projectLink(project, 100)} in this channel. ` +
          'Applies to everyone here, and only to new projects.',
        choice('Choose what to mute', options),
      ),
    ],
  };
}

export interface MuteTarget {
  readonly kind: 'country' | 'word';
  readonly value: string;
}

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
  return { text: `${formatMention(by)} muted ${muteText(mute)} in this channel. Undo it in \`/gig list\`.` };
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

const MOST = 8;
const MOST_SKILLS = 5;

/** Common title words that describe nothing. */
const EMPTY_WORDS = new Set(
  (
    'about build create developer developers development engineer expert experienced from have help into ' +
    'looking need needed please project simple small someone that this urgent want website with work your'
  ).split(' '),
);

function wordsOf(title: string): readonly string[] {
  const words =
    cleanLine(title)
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}.+#-]*[\p{L}\p{N}+#]/gu) ?? [];
  return words.filter((word) => word.length >= 4 && !EMPTY_WORDS.has(word));
}

/**
 * The skills, which the marketplace chose, then the longest title words: unique, lower case, at most
 * `longest` characters each. At most eight.
 */
export function suggestMuteWords(
  project: Pick<ListedProject, 'title' | 'skills'>,
  longest: number,
): readonly string[] {
  const skills = project.skills
    .map((skill) => cleanLine(skill).toLowerCase())
    .filter((skill) => skill !== '');
  const title = [...wordsOf(project.title)].sort((a, b) => b.length - a.length);
  const fitting = (words: readonly string[]) => words.filter((word) => word.length <= longest);
  return [...new Set([...fitting(skills).slice(0, MOST_SKILLS), ...fitting(title)])].slice(0, MOST);
}
