/** `/gig lookup`, the message shortcut that looks up linked projects, and the buttons below their answers. */

import type { KnownBlock } from '@slack/types';
import { findProjectCard, findSeenProject } from '../../feed/find-project.ts';
import { isDirectMessage, ProjectKey } from '../../ids.ts';
import type { ProjectReference } from '../../marketplace/client.ts';
import { parseProjectReference } from '../../marketplace/project-key.ts';
import { ListedProject, type Verdict } from '../../marketplace/schema.ts';
import { findStoredLookup } from '../../projects/lookup-cache.ts';
import { openBidModal, readBidProjectInfo, toCallOrigin } from '../bids/bids.ts';
import { findPostLink } from '../core/handler-steps.ts';
import type {
  ActionCall,
  ActionRoute,
  CommandCall,
  CommandRoute,
  Message,
  ShortcutCall,
  ShortcutRoute,
} from '../core/routes.ts';
import { SHORTCUT_REQUEST_LABEL } from '../core/slow-reply.ts';
import { actionsBlock, buttonElement, contextBlock, joinFacts } from '../kit/block-builders.ts';
import { inputErrorMessage } from '../kit/command-text.ts';
import { actionIds, shortcutIds } from '../kit/ids.ts';
import { codeText, escapeMrkdwn, formatMention } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { projectDetailsMessage } from '../kit/project/project-details.ts';
import {
  invalidProjectReferenceMessage,
  projectReferenceText,
  referencedProjectNotFoundMessage,
} from '../kit/project/project-lines.ts';
import { chargedCreditsText, insufficientCreditsText } from '../kit/words/credits-text.ts';
import { claimCard } from './card-actions.ts';
import { findPostingRefusal, shareCard } from './share-window.ts';

const EXAMPLE = 'lookup ~012345678901234567';

export const lookupCommand: CommandRoute = {
  word: 'lookup',
  topic: 'projects',
  needs: 'viewer',
  usage: ['lookup <link | ~id | uid>'],
  summary: 'Show a project in full. Costs this channel at most 1 credit.',
  details: 'Only you see the reply. For a link in a message, use the message shortcut “Look up project”.',
  examples: ['lookup https://www.marketplace.example/jobs/~012345678901234567', 'lookup ~012345678901234567'],
  isSlow: true,
  async run(call) {
    const which = 'Which project? Paste its link, or the part of the link that starts with `~`.';
    if (call.args === '') return call.answer(inputErrorMessage(which, EXAMPLE));
    const reference = parseProjectReference(call.args);
    if (!reference) return call.answer(invalidProjectReferenceMessage(call.args, EXAMPLE));
    await call.answer(await lookUpAndDescribeProject(call, reference));
  },
};

/** Each lookup may cost a credit, so a message full of links is only partly looked up. */
const MOST = 3;

const NO_LINK: Message = {
  text:
    'No project link found in this message. A project link contains `~` and digits. ' +
    `You can also use ${codeText('/gig lookup <link>')}.`,
};

/** After a failure, lists the projects left: the error doesn't name them, and they would fail, too. */
async function orSayWhatIsLeft(
  call: ShortcutCall,
  left: readonly ProjectReference[],
  lookedUp: Promise<Message>,
): Promise<Message> {
  try {
    return await lookedUp;
  } catch (thrown) {
    await call.answer({ text: `Not looked up: ${left.map(projectReferenceText).join(', ')}.` });
    throw thrown;
  }
}

/** Shows a message's linked projects to the user only. */
export const lookUpProjectShortcut: ShortcutRoute = {
  id: shortcutIds.lookUp,
  needs: 'viewer',
  pendingLabel: SHORTCUT_REQUEST_LABEL,
  async run(call) {
    const references = findProjectReferences(call.message.text, call.message.blocks);
    if (references.length === 0) return call.answer(NO_LINK);
    const asked = references.slice(0, MOST);
    const look = (reference: ProjectReference) =>
      lookUpAndDescribeProject(call, reference, { namesProject: true });
    for (const [index, reference] of asked.entries())
      await call.answer(await orSayWhatIsLeft(call, asked.slice(index), look(reference)));
    const more = references.length - MOST;
    const rest = `The message has ${formatCount(more, 'more project')}.`;
    if (more > 0)
      await call.answer({ text: `${rest} Use ${codeText('/gig lookup <link>')} to see each one.` });
  },
};

/**
 * Looks up and describes the project, or says why nothing was bought.
 * @param verdict from the listing: a lookup returns none.
 * @param namesProject whether a refusal names the project, among others.
 * @throws MarketplaceError for anything but an unknown project
 */
export async function lookUpAndDescribeProject(
  { services, channel, person }: Pick<CommandCall, 'services' | 'channel' | 'person'>,
  reference: ProjectReference,
  { verdict, namesProject }: { readonly verdict?: Verdict | undefined; readonly namesProject?: true } = {},
): Promise<Message> {
  const outcome = await services.projects.lookUp({ channel, user: person.user }, reference);
  if (outcome.kind === 'found')
    return projectDetailsMessage(
      { ...outcome.project, verdict },
      chargedCreditsText(outcome),
      await lookupButtonBlocks({ services, channel }, outcome.project),
    );
  if (outcome.kind !== 'failed') {
    const text = insufficientCreditsText(outcome);
    return { text: namesProject ? `${projectReferenceText(reference)}: ${text}` : text };
  }
  if (outcome.error.code === 'not-found') return referencedProjectNotFoundMessage(reference, outcome.askedAt);
  throw outcome.error;
}

/** Deep enough for any block, and a bound for anything else. */
const DEEPEST = 12;
const MOST_TEXTS = 2_000;

function collectTexts(value: unknown, depth: number, into: string[]): void {
  if (depth > DEEPEST || into.length >= MOST_TEXTS) return;
  if (typeof value === 'string') into.push(value);
  else if (Array.isArray(value)) for (const each of value) collectTexts(each, depth + 1, into);
  else if (typeof value === 'object' && value !== null) collectTexts(Object.values(value), depth + 1, into);
}

/** URLs, and bare IDs with their tilde. */
const CANDIDATE = /https?:\/\/[^\s<>|"']+|(?<![\w/])~\d{10,30}\b/giu;

function findProjectReferences(text: string, blocks: unknown): readonly ProjectReference[] {
  const texts = [text];
  collectTexts(blocks, 0, texts);
  const found = new Map<string, ProjectReference>();
  for (const candidate of texts.flatMap((each) => each.replace(/&amp;/gu, '&').match(CANDIDATE) ?? [])) {
    const reference = parseProjectReference(candidate);
    if (reference) found.set(JSON.stringify(reference), reference);
  }
  return [...found.values()];
}

/** Below a lookup's answer. In a direct message, only Bid. */
async function lookupButtonBlocks(
  { services, channel }: Pick<CommandCall, 'services' | 'channel'>,
  project: ListedProject,
): Promise<KnownBlock[]> {
  const { store } = services;
  const card = await store.read((tx) => findProjectCard(tx, channel, { project: project.key }));
  const isPosted = card?.state === 'posted';
  const button = (id: string, label: string) =>
    buttonElement({ id, label, value: project.key, accessibilityLabel: `${label}: ${project.title}` });
  const isChannel = !isDirectMessage(channel);
  const elements = [
    { ...button(actionIds.lookupBid, 'Bid'), style: 'primary' as const },
    ...(isChannel && !card?.claim ? [button(actionIds.lookupClaim, 'Claim')] : []),
    ...(isChannel && !isPosted ? [button(actionIds.lookupShare, 'Share to Channel')] : []),
  ];
  const link = isPosted ? await findPostLink(services, channel, card.project) : undefined;
  const seeIt = link ? `: <${escapeMrkdwn(link)}|see its card>` : '';
  const foot = joinFacts(
    isPosted ? `Already posted in this channel${seeIt}` : undefined,
    card?.claim && `claimed by ${formatMention(card.claim.by)}`,
    isChannel && !isPosted ? 'Claim also posts its card in this channel.' : undefined,
  );
  return [...(foot ? [contextBlock(foot)] : []), actionsBlock(elements)];
}

const OUTDATED: Message = {
  text: 'This answer is out of date, so nothing changed. Look the project up again.',
};

/** The project of the button, as a list or a lookup showed it to the team within the last day. */
async function findPressedProject({ services, value }: ActionCall): Promise<ListedProject | undefined> {
  const { store, clock } = services;
  const key = ProjectKey.safeParse(value).data;
  if (key === undefined) return undefined;
  return store.read(async (tx) => {
    const seen = await findSeenProject(tx, { project: key });
    if (seen) return seen.project;
    const looked = await findStoredLookup(tx, key, clock.now());
    return looked && ListedProject.parse(looked.project);
  });
}

async function bid(call: ActionCall): Promise<void> {
  const project = await findPressedProject(call);
  if (!project) return call.answer(OUTDATED);
  const { key, title, url } = project;
  await openBidModal(call, (tx) => readBidProjectInfo(tx, toCallOrigin(call), { project: key, title, url }));
}

async function share(call: ActionCall): Promise<void> {
  const project = await findPressedProject(call);
  if (!project || isDirectMessage(call.channel)) return call.answer(OUTDATED);
  const refusal = await findPostingRefusal(call, call.channel);
  await call.answer(refusal ?? (await shareCard(call, call.channel, project)));
}

/** Posts the card if the channel has none, since a claim is there for everyone to see. */
async function claim(call: ActionCall): Promise<void> {
  const { services, channel, person } = call;
  const { store } = services;
  const project = await findPressedProject(call);
  if (!project || isDirectMessage(channel)) return call.answer(OUTDATED);
  const refusal = await findPostingRefusal(call, channel);
  if (refusal) return call.answer(refusal);
  await services.feed.shareProject(channel, project, person.user);
  const card = await store.read((tx) => findProjectCard(tx, channel, { project: project.key }));
  if (!card) return call.answer(OUTDATED);
  await claimCard(call, card);
}

export const lookupButtons: readonly ActionRoute[] = [
  { id: actionIds.lookupBid, needs: 'bidder', run: bid },
  { id: actionIds.lookupClaim, needs: 'viewer', run: claim },
  { id: actionIds.lookupShare, needs: 'viewer', run: share },
];
