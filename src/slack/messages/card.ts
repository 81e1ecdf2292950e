/** The card of a project, as it stands in a channel. */
import type { KnownBlock } from '@slack/types';
import type { ProjectBidding } from '../../bidding/project-bidding.ts';
import type { CardView } from '../../feed/feed.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { count } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { biddingLines } from './bid-lines.ts';
import { budgetLabel } from './budget-label.ts';
import { cardButtons } from './card-buttons.ts';
import { calledText } from './card-mention.ts';
import { type CardStage, cardStage, stateLines } from './card-state.ts';
import { clientLine } from './client-line.ts';
import { compactLines } from './compact-lines.ts';
import { overruledBlocks } from './disqualified.ts';
import { excerpt } from './excerpt.ts';
import { filterNames } from './filter-name.ts';
import { context, line, lines, plainSection, section } from './parts.ts';
import { projectLink } from './project-link.ts';
import { redFlags } from './red-flags.ts';
import { skillsLine } from './skills-line.ts';
import { verdictLine } from './verdict-line.ts';
import { ago } from './when.ts';

const EXCERPT = 300;
/** So much of the AI's reason stands beside its verdict; a compact card has room for less. */
const REASON = { full: 300, compact: 80 } as const;
function topLines(project: ListedProject): string {
  const pays = budgetLabel(project.budget);
  const questions = project.questions.length;
  return lines(
    `*${projectLink(project, 200)}*`,
    line(
      pays ? `*${pays}*` : 'no budget listed',
      questions > 0 ? count(questions, 'screening question') : undefined,
      project.publishedAt === undefined ? undefined : `posted ${ago(project.publishedAt)}`,
    ),
  );
}

function flagsLine(project: ListedProject): string | undefined {
  const flags = redFlags(project);
  return flags.length > 0 ? `:triangular_flag_on_post: ${flags.join(' · ')}` : undefined;
}

/** Where the thread has the details, the lines that decide. */
function fullBlocks({ seen, filters, detailsBelow }: CardView): KnownBlock[] {
  const { project } = seen;
  const client = clientLine(project.client);
  const judged = lines(
    client && `Client: ${client}`,
    flagsLine(project),
    verdictLine(project.verdict, detailsBelow ? 0 : REASON.full),
  );
  const text = detailsBelow ? '' : excerpt(project.description, EXCERPT);
  const foot = lines(
    detailsBelow ? undefined : skillsLine(project.skills),
    filters.length > 0 ? `Found by ${filterNames(filters)}` : undefined,
  );
  return [
    section(topLines(project)),
    ...(judged ? [section(judged)] : []),
    ...(text ? [plainSection(text)] : []),
    ...(foot ? [context(foot)] : []),
  ];
}

function body(stage: CardStage, view: CardView): KnownBlock[] {
  const called = calledText(view.card.mention);
  // Whoever was called stays named: taken away and put back by Undo, it would call them again.
  if (stage === 'skipped') return [context(line(projectLink(view.seen.project), called))];
  const blocks = view.settings.density === 'compact' ? [section(compactLines(view))] : fullBlocks(view);
  return [...blocks, ...(called ? [section(`:bell: ${called}`)] : [])];
}

/** The AI's reason, where somebody may overrule it and the card shows less. */
function reasonBlocks(stage: CardStage, view: CardView, bidding: ProjectBidding): KnownBlock[] {
  const isLean = view.detailsBelow && view.settings.density === 'full';
  const shown = isLean ? 0 : REASON[view.settings.density];
  return stage === 'skipped' ? [] : overruledBlocks(bidding, view.seen.project.verdict, shown);
}

/**
 * The card in the channel's density; once skipped, a line with the way back. Delivery sends it and shows it anew when
 * what it tells has changed.
 */
export function cardMessage(view: CardView, bidding: ProjectBidding): Message {
  const { project } = view.seen;
  const stage = cardStage(view.card);
  const state = [...stateLines(view.card), ...biddingLines(bidding)];
  const country = project.client.country && safeLine(project.client.country, 60);
  const called = calledText(view.card.mention);
  const buttons = cardButtons(stage, view, bidding);
  return {
    text: line(
      `New project: ${safeLine(project.title, 150) || 'untitled'}`,
      budgetLabel(project.budget),
      country,
      called && `for ${called}`,
    ),
    blocks: [
      ...body(stage, view),
      ...(state.length > 0 ? [context(lines(...state))] : []),
      ...reasonBlocks(stage, view, bidding),
      ...(buttons ? [buttons] : []),
    ],
  };
}
