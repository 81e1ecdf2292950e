/** What is still to be set up, one step at a time; nothing once all of it is done. Pure. */
import type { KnownBlock } from '@slack/types';
import { hasRoleAtLeast } from '../../access/access.ts';
import type { ChannelId } from '../../ids.ts';
import { buttonElement, sectionBlock } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink, cleanLine, clipText } from '../kit/mrkdwn.ts';
import { type HomeChannel, type HomeFacts, homeChannelValueCodec } from './home-facts.ts';

/** Where Gigdesk was invited to; more hardly wait at once. */
const MOST_WAITING = 3;

interface Place {
  readonly channel: ChannelId;
  readonly name: string;
}

function placeBlock({ channel, name }: Place): KnownBlock {
  const set = buttonElement({
    id: actionIds.homeSetUp,
    label: 'Set Up',
    value: homeChannelValueCodec.write({ channel }),
    accessibilityLabel: `Set Up ${clipText(cleanLine(name), 50)}`,
  });
  return sectionBlock(channelLink(channel), set);
}

function stepBlocks(what: string, places: readonly Place[]): KnownBlock[] {
  return [
    sectionBlock(`:point_right: *Next step:* ${what}`),
    ...places.slice(0, MOST_WAITING).map(placeBlock),
  ];
}

function hasResults({ profiles }: HomeChannel): boolean {
  return profiles.length > 0;
}

/** At most four blocks. */
export function nextStepBlocks({ channels, invitedTo, remembered }: HomeFacts): KnownBlock[] {
  // Without Slack's answer, nobody knows what the person's channels have.
  if (remembered) return [];
  if (invitedTo.length > 0)
    return stepBlocks(
      'Gigdesk is in a channel that gets nothing yet. Choose what it gets; setup costs no credits.',
      invitedTo.map(({ id, name }) => ({ channel: id, name })),
    );
  if (channels.length === 0)
    return stepBlocks(
      'Open a channel and type `/invite @gigdesk`. Then press *Set Up This Channel* in the message there.',
      [],
    );
  const own = channels.filter(({ role }) => hasRoleAtLeast(role, 'viewer'));
  const [first] = own;
  if (!first) return [];
  if (!channels.some(hasResults))
    return stepBlocks(
      `get invitations and results of your profiles, for example in ${channelLink(first.channel)}. ` +
        'They cost no credits.',
      [first],
    );
  if (!channels.some(({ digest }) => digest !== undefined))
    return stepBlocks(
      `plan a daily summary, for example for ${channelLink(first.channel)}. It costs no credits.`,
      [first],
    );
  return [];
}
