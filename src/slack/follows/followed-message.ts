/** Direct messages about projects that a person follows: one project, or a list. */
import type { Button } from '@slack/types';
import { z } from 'zod';
import type { FeedService } from '../../feed/create-feed.ts';
import type { CardData } from '../../feed/feed.ts';
import { type ChannelId, ProjectKey } from '../../ids.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
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

function openButton(link: string | undefined): Button[] {
  const url = link === undefined ? undefined : safeUrl(link);
  if (url === undefined) return [];
  return [{ ...buttonElement({ id: actionIds.openLink, label: 'Open Card', value: 'card' }), url }];
}

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

/** @param link to the card, once it is posted */
export function followedProjectMessage(
  about: PostContentOf<'followed-project'>,
  view: CardData,
  link: string | undefined,
): Message {
  const title = safeLine(view.seen.project.title, 150) || 'untitled';
  return {
    text: `:bell: New project that you follow: ${title}`,
    blocks: [
      sectionBlock(`:bell: ${compactCardText(view)}`),
      contextBlock(whyText(about, view)),
      actionsBlock([...openButton(link), ...cardButtons(view)]),
    ],
  };
}

interface FollowedRow {
  readonly project: ListedProject;
  readonly channel: ChannelId;
  readonly link: string | undefined;
}

function listRow({ project, channel, link }: FollowedRow): string {
  const card = link === undefined ? undefined : formatLink(link, 'Open card');
  return joinFacts(projectRow(project), channelLink(channel), card);
}

export function followedListMessage(
  { more }: PostContentOf<'followed-list'>,
  rows: readonly FollowedRow[],
): Message {
  const count = formatCount(rows.length + more, 'new project');
  const text = `:bell: ${count} that you follow`;
  return {
    text,
    blocks: [
      sectionBlock(`*${text}*`),
      ...sectionBlocks(rows.map(listRow)),
      ...(more > 0 ? [contextBlock(`${more} more. See them in your channels.`)] : []),
    ],
  };
}

interface RenderPorts {
  readonly feed: Pick<FeedService, 'readCardData'>;
  /** `https://acme.slack.com/`; missing: no links to cards. */
  readonly workspaceUrl?: string | undefined;
}

/** To the card, or to the summary that lists it. */
function readCardLink(
  tx: ReadTransaction,
  { workspaceUrl }: RenderPorts,
  { channel, project }: Pick<PostContentOf<'followed-project'>, 'channel' | 'project'>,
): Promise<string | undefined> {
  return readPostLink(tx, cardPostId(channel, project), workspaceUrl);
}

/** @returns undefined: the project was deleted */
export async function renderFollowedProject(
  tx: ReadTransaction,
  ports: RenderPorts,
  content: PostContentOf<'followed-project'>,
): Promise<Message | undefined> {
  const view = await ports.feed.readCardData(tx, content.channel, content.project);
  return view && followedProjectMessage(content, view, await readCardLink(tx, ports, content));
}

export async function renderFollowedList(
  tx: ReadTransaction,
  ports: RenderPorts,
  content: PostContentOf<'followed-list'>,
): Promise<Message | undefined> {
  const rows: FollowedRow[] = [];
  for (const item of content.items) {
    const view = await ports.feed.readCardData(tx, item.channel, item.project);
    if (!view) continue;
    const link = await readCardLink(tx, ports, item);
    rows.push({ project: view.seen.project, channel: item.channel, link });
  }
  return rows.length > 0 ? followedListMessage(content, rows) : undefined;
}
