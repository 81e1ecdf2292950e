/**
 * A project's card, as posted in a channel: its lines, its buttons without those that no longer apply, and
 * the details in the thread of a short card. Pure.
 */

import type { ActionsBlock, Button, KnownBlock, Overflow } from '@slack/types';
import { isProjectBidOn, type ProjectBidsAndJobs } from '../../bidding/project-bidding.ts';
import type { Card, CardData } from '../../feed/feed.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { cardPostId } from '../../outbox/outbox.ts';
import type { CardDeadlines } from '../../response/response.ts';
import { bidButtons, biddingLines, disqualificationBlocks, openBidButton } from '../bids/bids.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  buttonElement,
  contextBlock,
  joinFacts,
  joinLines,
  menuOption,
  plainTextSection,
  sectionBlock,
  textSections,
} from '../kit/block-builders.ts';
import { cardMenuValues } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { excerptText } from '../kit/long-text.ts';
import { cleanLine, formatDate, formatMention, formatTimeAgo, safeLine } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { clientLine, clientSpendText, ratingText } from '../kit/project/client.ts';
import { cardFitText, shortFitText } from '../kit/project/fit-text.ts';
import { descriptionBlocks } from '../kit/project/project-details.ts';
import { projectBudgetText, projectLink, skillsLine, verdictLine } from '../kit/project/project-lines.ts';
import { listProjectWarnings } from '../kit/project/red-flags.ts';
import { filterNames } from '../kit/words/filters.ts';
import { otherClaimLines, SKIP_REASON_LABELS } from '../kit/words/labels.ts';
import { deadlineLine } from '../response/response.ts';

const EXCERPT = 300;
/** A note about what is missing would be nearly as long as the rest. */
const LONGEST_WHOLE = 380;
/** How much of the AI's reason shows next to its verdict; a compact card has less room. */
const REASON = { full: 300, compact: 80 } as const;
/** In the thread of a short card. */
const DETAILS_REASON = 1_500;

/**
 * The card in the channel's density; once skipped, a line with Undo. Delivery posts it and updates it when
 * its content changes.
 */
export function cardMessage(view: CardData, bidding: ProjectBidsAndJobs, deadlines?: CardDeadlines): Message {
  const { project } = view.seen;
  const stage = view.card.skip ? 'skipped' : view.card.claim ? 'claimed' : 'open';
  const due = isProjectBidOn(bidding) ? undefined : deadlineLine(deadlines);
  const here = cardPostId(view.card.channel, view.card.project);
  const state = joinLines(
    ...cardStateLines(view.card),
    ...otherClaimLines(bidding.claims, here),
    due,
    ...biddingLines(bidding),
  );
  const country = project.client.country && safeLine(project.client.country, 60);
  const called = cardMentionText(view.card);
  return {
    text: joinFacts(
      `New project: ${safeLine(project.title, 150) || 'untitled'}`,
      projectBudgetText(project.budget),
      country,
      called && `for ${called}`,
    ),
    blocks: [
      ...body(stage, view),
      ...(state ? [contextBlock(state)] : []),
      ...reasonBlocks(stage, view, bidding),
      ...cardButtons(stage, view, bidding),
    ],
  };
}

/** The thread of a short card: what the card leaves out. @returns undefined when there are no details. */
export function cardDetailsMessage({ seen: { project } }: CardData): Message | undefined {
  const verdict = project.verdict?.reason ? verdictLine(project.verdict, DETAILS_REASON) : undefined;
  const skills = skillsLine(project.skills);
  const blocks = [
    ...textSections(verdict),
    ...descriptionBlocks(project.description),
    ...(skills ? [contextBlock(skills)] : []),
  ];
  const title = safeLine(project.title, 150) || 'an untitled project';
  return blocks.length > 0 ? { text: `More about ${title}`, blocks } : undefined;
}

function topLines(project: ListedProject): string {
  const pays = projectBudgetText(project.budget);
  const questions = project.questions.length;
  return joinLines(
    `*${projectLink(project, 200)}*`,
    joinFacts(
      pays ? `*${pays}*` : 'no budget listed',
      questions > 0 ? formatCount(questions, 'screening question') : undefined,
      project.publishedAt === undefined ? undefined : `posted ${formatTimeAgo(project.publishedAt)}`,
    ),
  );
}

function fullBlocks({ card, seen, filters, hasDetailsInThread }: CardData): KnownBlock[] {
  const { project } = seen;
  const client = clientLine(project.client);
  const flags = listProjectWarnings(project);
  const judged = joinLines(
    client && `Client: ${client}`,
    flags.length > 0 ? `:triangular_flag_on_post: ${flags.join(' · ')}` : undefined,
    verdictLine(project.verdict, hasDetailsInThread ? 0 : REASON.full),
    cardFitText(card.fit),
  );
  const description = hasDetailsInThread ? '' : cleanLine(project.description);
  const text = description.length <= LONGEST_WHOLE ? description : excerptText(description, EXCERPT);
  const foot = joinLines(
    hasDetailsInThread ? undefined : skillsLine(project.skills),
    filters.length > 0 ? `${filters.length > 1 ? 'Filters' : 'Filter'}: ${filterNames(filters)}` : undefined,
  );
  return [
    sectionBlock(topLines(project)),
    ...textSections(judged),
    ...(text ? [plainTextSection(text)] : []),
    ...(foot ? [contextBlock(foot)] : []),
  ];
}

function body(stage: CardStage, view: CardData): KnownBlock[] {
  const called = cardMentionText(view.card);
  // Keep the mention: removing it and adding it back on Undo would notify the people again.
  if (stage === 'skipped') return [contextBlock(joinFacts(projectLink(view.seen.project), called))];
  const isCompact = view.settings.density === 'compact';
  const blocks = isCompact ? [sectionBlock(compactCardText(view))] : fullBlocks(view);
  return [...blocks, ...textSections(called && `:bell: ${called}`)];
}

/** The AI's full reason, if someone may override it and the card shows less. */
function reasonBlocks(stage: CardStage, view: CardData, bidding: ProjectBidsAndJobs): KnownBlock[] {
  const isLean = view.hasDetailsInThread && view.settings.density === 'full';
  const shown = isLean ? 0 : REASON[view.settings.density];
  return stage === 'skipped' ? [] : disqualificationBlocks(bidding, view.seen.project.verdict, shown);
}

function press(id: string, label: string, view: CardData): Button {
  const { title, key } = view.seen.project;
  return buttonElement({ id, label, value: key, accessibilityLabel: `${label}: ${title}` });
}

const SKIP_OPTION = menuOption('Skip…', cardMenuValues.skip);
const ALWAYS = [
  menuOption('Mute projects like this…', cardMenuValues.mute),
  menuOption('Assign…', cardMenuValues.assign),
];
const ANOTHER_BID = menuOption('Bid with another setup…', cardMenuValues.bid);

/** Slack shows at most 5 options. */
function menu(stage: CardStage, known: ProjectBidsAndJobs, isBidHidden: boolean): Overflow {
  const stands = known.bids.some(({ bid }) => bid.state === 'created');
  const first = stands ? (isBidHidden ? [] : [ANOTHER_BID]) : stage === 'open' ? [SKIP_OPTION] : [];
  return { type: 'overflow', action_id: actionIds.more, options: [...first, ...ALWAYS] };
}

/** The channel can hide the Bid button, but never the buttons that continue an existing bid. */
function bidding(view: CardData, known: ProjectBidsAndJobs, isHidden: boolean): readonly Button[] {
  const { title, key } = view.seen.project;
  const buttons = bidButtons(known, { title, project: isHidden ? undefined : key });
  const open = isProjectBidOn(known) ? openBidButton(known, buttons) : undefined;
  return open ? [...buttons, open] : buttons;
}

/**
 * In order of use: bid actions, Details, Claim or Release, the menu; without those that the channel hides.
 * Release of a claim and Undo of a skip always show.
 */
function cardButtons(stage: CardStage, view: CardData, known: ProjectBidsAndJobs): ActionsBlock[] {
  if (stage === 'skipped') return [actionsBlock([press(actionIds.unskip, 'Undo Skip', view)])];
  const hidden = new Set(view.settings.hiddenButtons);
  const elements = [
    ...bidding(view, known, hidden.has('bid')),
    ...(hidden.has('details') ? [] : [press(actionIds.details, 'Details', view)]),
    ...(stage === 'claimed' ? [press(actionIds.release, 'Release', view)] : []),
    ...(stage === 'open' && !isProjectBidOn(known) && !hidden.has('claim')
      ? [press(actionIds.claim, 'Claim', view)]
      : []),
    ...(hidden.has('more') ? [] : [menu(stage, known, hidden.has('bid'))]),
  ];
  return elements.length > 0 ? [actionsBlock(elements)] : [];
}

type CardStage = 'open' | 'claimed' | 'skipped';

function cardStateLines(card: Card): readonly (string | undefined)[] {
  const { claim, skip, sharedBy } = card;
  const skipped =
    skip &&
    `Skipped by ${formatMention(skip.by)}: ${SKIP_REASON_LABELS[skip.reason]}, ${formatDate(skip.at)}`;
  const shared = sharedBy && `Shared by ${formatMention(sharedBy)}`;
  const how = claim?.assignedBy
    ? `Assigned to ${formatMention(claim.by)} by ${formatMention(claim.assignedBy)}`
    : claim && `Claimed by ${formatMention(claim.by)}`;
  const claimed = claim && `:raised_hand: ${how}, ${formatDate(claim.at)}`;
  return [shared, claimed, skipped];
}

/** Shows only the first warning: two lines have no room for more. mrkdwn. */
function flagText(project: ListedProject): string | undefined {
  const [first, ...more] = listProjectWarnings(project);
  if (!first) return undefined;
  return `:triangular_flag_on_post: ${first}${more.length > 0 ? ` +${more.length}` : ''}`;
}

/** Two lines. mrkdwn. */
export function compactCardText({ card, seen, filters }: CardData): string {
  const { project } = seen;
  const { client } = project;
  const top = joinFacts(`*${projectLink(project)}*`, projectBudgetText(project.budget));
  const below = joinFacts(
    client.country && safeLine(client.country, 40),
    ratingText(client),
    clientSpendText(client),
    verdictLine(project.verdict, REASON.compact),
    flagText(project),
    shortFitText(card.fit),
    project.publishedAt === undefined ? undefined : formatTimeAgo(project.publishedAt),
    filters.length > 0 ? filterNames(filters.slice(0, 3)) : undefined,
  );
  return below ? `${top}\n${below}` : top;
}

/**
 * The people and groups that a card mentions, by the channel's settings: `@Ana @design`. mrkdwn.
 */
export function cardMentionText({ mention }: Pick<Card, 'mention'>): string | undefined {
  const groups = (mention?.groups ?? [])
    .filter((id) => /^S[A-Z0-9]+$/u.test(id))
    .map((id) => `<!subteam^${id}>`);
  return [...(mention?.users ?? []).map(formatMention), ...groups].join(' ') || undefined;
}
