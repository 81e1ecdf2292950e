/** A proposal's new outcome as a message, and one line for outcomes that arrived with many others. Pure. */
import type { OutcomeCounts, OutcomeNews, ProposalOutcome } from '../../outbox/news.ts';
import type { Message } from '../core/routes.ts';
import { actionsBlock, capitalize, joinFacts, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { codeText, formatDate, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { openProposalButton } from '../kit/proposal-button.ts';
import { connectsAndPositionText } from '../kit/words/job-text.ts';
import { outcomeEmoji, outcomeLabel, outcomeLabels } from '../kit/words/labels.ts';

function templateText({ template, variant }: OutcomeNews): string | undefined {
  const name = safeLine(template ?? '', 80);
  const letter = safeLine(variant ?? '', 40);
  if (!letter) return name && `template ${name}`;
  return name ? `template ${name}, variant ${letter}` : `variant ${letter}`;
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

/** The search query that lists them. */
const SEARCH: Readonly<Record<ProposalOutcome, string>> = {
  viewed: 'is:viewed',
  interviewed: 'is:interviewed',
  hired: 'is:hired',
  withdrawn: 'is:withdrawn',
  outbid: 'is:outbid',
};

/**
 * `Updates on 190 more proposals: 185 viewed, 5 boost outbid.`, or the same with
 * `Proposal updates while Gigdesk couldn't post here: …`
 */
export function outcomesSummaryMessage({ proposals, counts, heldBack }: OutcomeCounts): Message {
  const each = counts
    .map(({ outcome, count: many }) => `${formatNumber(many)} ${outcomeLabel(outcome)}`)
    .join(', ');
  const searches = counts.map(({ outcome }) => codeText(`/gig proposals ${SEARCH[outcome]}`)).join(' or ');
  const what = heldBack
    ? "Proposal updates while Gigdesk couldn't post here:"
    : `Updates on ${formatCount(proposals, 'more proposal')}:`;
  return {
    text: joinLines(`:inbox_tray: *${what}* ${each}.`, searches && `See them with ${searches}.`),
  };
}
