/** What is still to be set up, one step at a time; nothing once all of it is done. Pure. */
import type { Button, KnownBlock } from '@slack/types';
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

function setUpButton({ channel, name }: Place): Button {
  return buttonElement({
    id: actionIds.homeSetUp,
    label: 'Set Up',
    value: homeChannelValueCodec.write({ channel }),
    accessibilityLabel: `Set Up ${clipText(cleanLine(name), 50)}`,
  });
}

/** @param what a sentence; it names the place if there is only one */
function stepBlocks(what: string, places: readonly Place[]): KnownBlock[] {
  const text = `:point_right: *Next step:* ${what}`;
  const [only, ...more] = places;
  if (only && more.length === 0) return [sectionBlock(text, setUpButton(only))];
  return [
    sectionBlock(text),
    ...places
      .slice(0, MOST_WAITING)
      .map((place) => sectionBlock(channelLink(place.channel), setUpButton(place))),
  ];
}

function hasResults({ profiles }: HomeChannel): boolean {
  return profiles.length > 0;
}

/** At most four blocks. */
export function nextStepBlocks({ channels, invitedTo, remembered }: HomeFacts): KnownBlock[] {
  // Without Slack's answer, nobody knows what the person's channels have.
  if (remembered) return [];
  const [invited, ...others] = invitedTo;
  if (invited) {
    const which = others.length > 0 ? 'these channels' : channelLink(invited.id);
    const where = others.length > 0 ? 'in them' : 'in it';
    return stepBlocks(
      `Set up ${which}. Gigdesk is ${where}, but posts nothing yet. Setup costs no credits.`,
      invitedTo.map(({ id, name }) => ({ channel: id, name })),
    );
  }
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
      `Get invitations and proposal updates, for example in ${channelLink(first.channel)}. ` +
        'They cost no credits.',
      [first],
    );
  if (!channels.some(({ digest }) => digest !== undefined))
    return stepBlocks(
      `Get a daily digest, for example in ${channelLink(first.channel)}. It costs no credits.`,
      [first],
    );
  return [];
}
