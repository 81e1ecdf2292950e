/** A proposal's new outcome as a message, and one line for outcomes that arrived with many others. Pure. */
import type { ActionsBlock } from '@slack/types';
import type { OutcomeCounts, OutcomeNews } from '../../outbox/news.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  capitalize,
  joinFacts,
  joinLines,
  menuOption,
  plainTextObject,
  sectionBlock,
} from '../kit/block-builders.ts';
import { commandButtonIds, commandValueCodec, openProposalButton } from '../kit/command-button.ts';
import { formatDate, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { connectsAndPositionText } from '../kit/words/job-text.ts';
import { outcomeEmoji, outcomeLabel, outcomeLabels } from '../kit/words/labels.ts';

function templateText({ template, variant }: OutcomeNews): string | undefined {
  const name = safeLine(template ?? '', 80);
  const letter = safeLine(variant ?? '', 40);
  if (!letter) return name && `template ${name}`;
  return name ? `template ${name}, variant ${letter}` : `letter ${letter}`;
}

function factsText(news: OutcomeNews): string {
  const { submittedAt } = news;
  return joinLines(
    joinFacts(
      // Both show once if they are equal: a freelancer's profile has the freelancer's name.
      ...new Set([safeLine(news.freelancer ?? '', 80), safeLine(news.profile ?? '', 80)]),
      submittedAt === undefined || submittedAt < 0 ? undefined : `sent ${formatDate(submittedAt)}`,
    ),
    joinFacts(connectsAndPositionText(news), templateText(news)),
  );
}

/** `Hired: Rebuild our checkout`, with its cost and sender. */
export function proposalOutcomeMessage(news: OutcomeNews): Message {
  const what = capitalize(outcomeLabels(news.outcomes)) || 'Updated';
  const title = safeLine(news.title ?? '', 150) || `proposal ${news.proposal}`;
  const facts = factsText(news);
  return {
    text: `${what}: ${title}`,
    blocks: [
      sectionBlock(joinLines(`${outcomeEmoji(news.outcomes)} *${what}: ${title}*`, facts)),
      actionsBlock([openProposalButton(news.proposal)]),
    ],
  };
}

const PLACEHOLDER = 'Show proposals';

/** A menu with a search for each outcome; none if there are no counts. */
export function searchOutcomesBlocks(counts: OutcomeCounts['counts']): readonly ActionsBlock[] {
  const options = counts.map(({ outcome, count }) =>
    menuOption(
      `${formatNumber(count)} ${outcomeLabel(outcome)}`,
      commandValueCodec.write({ args: `is:${outcome}` }),
    ),
  );
  if (options.length === 0) return [];
  const placeholder = plainTextObject(PLACEHOLDER);
  const action_id = commandButtonIds.proposals;
  return [actionsBlock([{ type: 'static_select', action_id, placeholder, options }])];
}

/**
 * `Updates on 190 more proposals: 185 viewed, 5 boost outbid.`, or the same with
 * `Proposal updates while Gigdesk couldn't post here: …`
 */
export function outcomesSummaryMessage({ proposals, counts, heldBack }: OutcomeCounts): Message {
  const each = counts
    .map(({ outcome, count: many }) => `${formatNumber(many)} ${outcomeLabel(outcome)}`)
    .join(', ');
  const what = heldBack
    ? "Proposal updates while Gigdesk couldn't post here:"
    : `Updates on ${formatCount(proposals, 'more proposal')}:`;
  const text = `:inbox_tray: *${what}* ${each}.`;
  return { text, blocks: [sectionBlock(text), ...searchOutcomesBlocks(counts)] };
}
