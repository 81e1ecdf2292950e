/** Direct messages about a card: a colleague assigned it, or a reminder is due. Pure. */
import type { KnownBlock } from '@slack/types';
import type { PostContentOf } from '../../outbox/posts.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, buttonElement, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { reminderValueCodec } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink, formatDate, formatMention, safeLine, safeUrl } from '../kit/mrkdwn.ts';

function titleText(title: string): string {
  return safeLine(title, 150) || 'an untitled project';
}

/** A link button to the card, if Slack gave its link. */
function openButton(link: string | undefined) {
  const url = link === undefined ? undefined : safeUrl(link);
  return url === undefined
    ? []
    : [{ ...buttonElement({ id: actionIds.openLink, label: 'Open Card', value: 'card' }), url }];
}

/** For the person who got the card. */
export function cardAssignedMessage({ title, by, channel, link }: PostContentOf<'card-assigned'>): Message {
  const name = titleText(title);
  const buttons = openButton(link);
  const text =
    `:raised_hand: ${formatMention(by)} assigned a project to you in ${channelLink(channel)}: ` + `*${name}*`;
  const blocks: KnownBlock[] = [
    sectionBlock(joinLines(text, "It's claimed for you. If you can't take it, press *Release* on its card.")),
    ...(buttons.length > 0 ? [actionsBlock(buttons)] : []),
  ];
  return { text, blocks };
}

/** For the person who asked for it. */
export function reminderMessage({
  title,
  channel,
  project,
  setAt,
  link,
}: PostContentOf<'reminder'>): Message {
  const text = `:alarm_clock: Reminder: *${titleText(title)}* in ${channelLink(channel)}`;
  const snooze = buttonElement({
    id: actionIds.reminderSnooze,
    label: 'Snooze 1 Hour',
    value: reminderValueCodec.write({ channel, project }),
  });
  return {
    text,
    blocks: [
      sectionBlock(joinLines(text, `You set it ${formatDate(setAt)}.`)),
      actionsBlock([...openButton(link), snooze]),
    ],
  };
}
