/** Direct messages about projects that a person follows: one project, or a list. */
import type { Button } from '@slack/types';
import { z } from 'zod';
import type { FeedService } from '../../feed/create-feed.ts';
import type { CardData } from '../../feed/feed.ts';
import { ProjectKey } from '../../ids.ts';
import { cardPostId } from '../../outbox/outbox.ts';
import type { PostContentOf } from '../../outbox/posts.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import { compactCardText } from '../cards/cards.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  joinFacts,
  sectionBlock,
  sectionBlocks,
} from '../kit/block-builders.ts';
import { ChannelValue, jsonValueCodec } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { readPostLink } from '../kit/message-link.ts';
import { channelLink, codeText, formatLink, formatMention, safeLine, safeUrl } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { projectRow } from '../kit/project/project-lines.ts';
import { writeFollow } from './parse-follow.ts';

/** The card of a pressed button. */
export const followedCardCodec = jsonValueCodec(z.object({ channel: ChannelValue, project: ProjectKey }));

/** Claiming needs a card that everyone sees. */
function cardButtons({ card, seen }: CardData): Button[] {
  const { channel, project, state, claim, skip } = card;
  const value = followedCardCodec.write({ channel, project });
  const { title } = seen.project;
  const button = (id: string, label: string) =>
    buttonElement({ id, label, value, accessibilityLabel: `${label}: ${title}` });
  return [
    button(actionIds.followDetails, 'Details'),
    ...(state === 'posted' && !claim && !skip ? [button(actionIds.followClaim, 'Claim')] : []),
  ];
}

function whyText({ channel, rule }: PostContentOf<'followed-project'>, { card }: CardData): string {
  const written = writeFollow(rule);
  const missing = {
    posted: undefined,
    deferred: 'the card comes later',
    suppressed: "the channel's own rules hide it",
  };
  return joinFacts(
    `Found for ${channelLink(channel)}`,
    missing[card.state],
    `you follow ${codeText(written, 200)}`,
    card.claim && `claimed by ${formatMention(card.claim.by)}`,
  );
}

interface RenderPorts {
  readonly feed: Pick<FeedService, 'readCardData'>;
  /** `https://acme.slack.com/`; missing: no links to cards. */
  readonly workspaceUrl?: string | undefined;
}

/** @returns undefined: the project was deleted */
export async function renderFollowedProject(
  tx: ReadTransaction,
  ports: RenderPorts,
  content: PostContentOf<'followed-project'>,
): Promise<Message | undefined> {
  const { channel, project } = content;
  const view = await ports.feed.readCardData(tx, channel, project);
  if (!view) return undefined;
  // To the card, or to the summary that lists it.
  const link = await readPostLink(tx, cardPostId(channel, project), ports.workspaceUrl);
  const url = link && safeUrl(link);
  const open = buttonElement({ id: actionIds.openLink, label: 'Open Card', value: 'card' });
  return {
    text: `:bell: New project that you follow: ${safeLine(view.seen.project.title, 150) || 'untitled'}`,
    blocks: [
      sectionBlock(`:bell: ${compactCardText(view)}`),
      contextBlock(whyText(content, view)),
      actionsBlock([...(url ? [{ ...open, url }] : []), ...cardButtons(view)]),
    ],
  };
}

export async function renderFollowedList(
  tx: ReadTransaction,
  ports: RenderPorts,
  content: PostContentOf<'followed-list'>,
): Promise<Message | undefined> {
  const rows: string[] = [];
  for (const { channel, project } of content.items) {
    const view = await ports.feed.readCardData(tx, channel, project);
    if (!view) continue;
    const link = await readPostLink(tx, cardPostId(channel, project), ports.workspaceUrl);
    const card = link && formatLink(link, 'Open card');
    rows.push(joinFacts(projectRow(view.seen.project), channelLink(channel), card));
  }
  if (rows.length === 0) return undefined;
  const { more } = content;
  const text = `:bell: ${formatCount(rows.length + more, 'new project')} that you follow`;
  return {
    text,
    blocks: [
      sectionBlock(`*${text}*`),
      ...sectionBlocks(rows),
      ...(more > 0 ? [contextBlock(`${more} more. See them in your channels.`)] : []),
    ],
  };
}
