/** A project's card, as posted in a channel. Pure. */
import type { KnownBlock } from '@slack/types';
import type { ProjectBidsAndJobs } from '../../bidding/project-bidding.ts';
import type { CardData } from '../../feed/feed.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { biddingLines, disqualificationBlocks } from '../bids/bids.ts';
import type { Message } from '../core/routes.ts';
import { contextBlock, joinFacts, joinLines, plainTextSection, sectionBlock } from '../kit/block-builders.ts';
import { formatTimeAgo, safeLine } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { clientLine } from '../kit/project/client.ts';
import { projectBudgetText, projectLink, skillsLine, verdictLine } from '../kit/project/project-lines.ts';
import { listProjectRedFlags } from '../kit/project/red-flags.ts';
import { excerptText } from '../kit/text-parts.ts';
import { filterNames } from '../kit/words/filters.ts';
import { cardButtons } from './card-buttons.ts';
import { cardMentionText } from './card-mention.ts';
import { type CardStage, cardStage, cardStateLines } from './card-state.ts';
import { compactCardText } from './compact-lines.ts';

const EXCERPT = 300;
/** How much of the AI's reason shows next to its verdict; a compact card has less room. */
const REASON = { full: 300, compact: 80 } as const;
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

function flagsLine(project: ListedProject): string | undefined {
  const flags = listProjectRedFlags(project);
  return flags.length > 0 ? `:triangular_flag_on_post: ${flags.join(' · ')}` : undefined;
}

/** Only the most important lines if the details are in the thread. */
function fullBlocks({ seen, filters, hasDetailsInThread }: CardData): KnownBlock[] {
  const { project } = seen;
  const client = clientLine(project.client);
  const judged = joinLines(
    client && `Client: ${client}`,
    flagsLine(project),
    verdictLine(project.verdict, hasDetailsInThread ? 0 : REASON.full),
  );
  const text = hasDetailsInThread ? '' : excerptText(project.description, EXCERPT);
  const foot = joinLines(
    hasDetailsInThread ? undefined : skillsLine(project.skills),
    filters.length > 0 ? `${filters.length > 1 ? 'Filters' : 'Filter'}: ${filterNames(filters)}` : undefined,
  );
  return [
    sectionBlock(topLines(project)),
    ...(judged ? [sectionBlock(judged)] : []),
    ...(text ? [plainTextSection(text)] : []),
    ...(foot ? [contextBlock(foot)] : []),
  ];
}

function body(stage: CardStage, view: CardData): KnownBlock[] {
  const called = cardMentionText(view.card.mention);
  // Keep the mention: removing it and adding it back on Undo would notify the people again.
  if (stage === 'skipped') return [contextBlock(joinFacts(projectLink(view.seen.project), called))];
  const blocks =
    view.settings.density === 'compact' ? [sectionBlock(compactCardText(view))] : fullBlocks(view);
  return [...blocks, ...(called ? [sectionBlock(`:bell: ${called}`)] : [])];
}

/** The AI's full reason, if someone may override it and the card shows less. */
function reasonBlocks(stage: CardStage, view: CardData, bidding: ProjectBidsAndJobs): KnownBlock[] {
  const isLean = view.hasDetailsInThread && view.settings.density === 'full';
  const shown = isLean ? 0 : REASON[view.settings.density];
  return stage === 'skipped' ? [] : disqualificationBlocks(bidding, view.seen.project.verdict, shown);
}

/**
 * The card in the channel's density; once skipped, a line with Undo. Delivery posts it and updates it when
 * its content changes.
 */
export function cardMessage(view: CardData, bidding: ProjectBidsAndJobs): Message {
  const { project } = view.seen;
  const stage = cardStage(view.card);
  const state = [...cardStateLines(view.card), ...biddingLines(bidding)];
  const country = project.client.country && safeLine(project.client.country, 60);
  const called = cardMentionText(view.card.mention);
  const buttons = cardButtons(stage, view, bidding);
  return {
    text: joinFacts(
      `New project: ${safeLine(project.title, 150) || 'untitled'}`,
      projectBudgetText(project.budget),
      country,
      called && `for ${called}`,
    ),
    blocks: [
      ...body(stage, view),
      ...(state.length > 0 ? [contextBlock(joinLines(...state))] : []),
      ...reasonBlocks(stage, view, bidding),
      ...(buttons ? [buttons] : []),
    ],
  };
}
