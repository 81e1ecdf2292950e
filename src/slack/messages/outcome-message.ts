/** What has become of a proposal, as a message of its own; and one line for those that came with many others. */
import type { OutcomeCounts, OutcomeNews, ProposalOutcome } from '../../outbox/outcome-news.ts';
import { formatDate, safeLine } from '../blocks/mrkdwn.ts';
import { formatCount, formatNumber } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { capitalize, contextBlock, joinFacts, joinLines, sectionBlock } from './block-builders.ts';
import { connectsAndPositionText } from './job-text.ts';
import { outcomeEmoji, outcomeLabel, outcomeLabels } from './outcome-labels.ts';
import { codeText } from './query-error.ts';

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
      // A freelancer's profile bears the freelancer's name.
      ...new Set([safeLine(news.freelancer ?? '', 80), safeLine(news.profile ?? '', 80)]),
      submittedAt === undefined || submittedAt < 0 ? undefined : `sent ${formatDate(submittedAt)}`,
    ),
    joinFacts(connectsAndPositionText(news), templateText(news)),
  );
}

/** `Hired: Rebuild our checkout`, with what it cost and who sent it. */
export function proposalOutcomeMessage(news: OutcomeNews): Message {
  const what = capitalize(outcomeLabels(news.outcomes)) || 'Updated';
  const title = safeLine(news.title ?? '', 150) || `proposal ${news.proposal}`;
  const facts = factsText(news);
  return {
    text: `${what}: ${title}`,
    blocks: [
      sectionBlock(joinLines(`${outcomeEmoji(news.outcomes)} *${what}: ${title}*`, facts)),
      contextBlock(`See it in full with ${codeText(`/gig proposal ${news.proposal}`)}.`),
    ],
  };
}

/** The search that lists them. */
const SEARCH: Readonly<Record<ProposalOutcome, string>> = {
  viewed: 'is:viewed',
  interviewed: 'is:interviewed',
  hired: 'is:hired',
  withdrawn: 'is:withdrawn',
  outbid: 'is:outbid',
};

/** `Updates on 190 more proposals: 185 viewed, 5 boost outbid.` */
/** Or `Proposal updates while Gigdesk couldn't post here: 185 viewed, 5 boost outbid.` */
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
