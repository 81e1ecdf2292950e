/** Outcomes of several proposals as one message, with a menu that opens each of them. Pure. */
import type { KnownBlock, StaticSelect } from '@slack/types';
import type { ListedOutcome, OutcomeCounts, OutcomeList, OutcomeNews } from '../../outbox/news.ts';
import { ProposalOutcome } from '../../outbox/news.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  contextBlock,
  joinFacts,
  joinLines,
  menuOption,
  plainTextObject,
  sectionBlock,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { slackLimits } from '../kit/limits.ts';
import { cleanLine, clipText, formatDate, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { outcomeEmoji, outcomeLabel, outcomeLabels } from '../kit/words/labels.ts';
import { searchOutcomesBlocks } from './outcome-message.ts';

/** More would push other messages off the screen; the menu has all. */
const LINES = 8;
const LONGEST_TITLE = 90;
const LONGEST_NAME = 40;
/** So that an option has room for what happened. */
const LONGEST_CHOICE = 45;

/** One per proposal, with all its outcomes; the newest first. */
function mergeByProposal(entries: readonly ListedOutcome[]): readonly OutcomeNews[] {
  const merged = new Map<number, OutcomeNews>();
  for (const { news } of entries) {
    const before = merged.get(news.proposal)?.outcomes ?? [];
    merged.delete(news.proposal);
    merged.set(news.proposal, { ...news, outcomes: [...new Set([...before, ...news.outcomes])] });
  }
  return [...merged.values()].reverse();
}

function countOf(outcome: ProposalOutcome, entries: readonly ListedOutcome[], rest?: OutcomeCounts): number {
  const listed = entries.filter(({ news }) => news.outcomes.includes(outcome)).length;
  return listed + (rest?.counts.find((each) => each.outcome === outcome)?.count ?? 0);
}

/** `6 viewed, 1 withdrawn` */
function countsText({ entries, rest }: OutcomeList): string {
  return ProposalOutcome.options
    .map((outcome) => ({ outcome, count: countOf(outcome, entries, rest) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .map(({ outcome, count }) => `${formatNumber(count)} ${outcomeLabel(outcome)}`)
    .join(', ');
}

function titleOf({ title, proposal }: OutcomeNews): string {
  return cleanLine(title ?? '') || `Proposal ${proposal}`;
}

/** `👀 *Rebuild our checkout* · viewed · Ada Webb`. mrkdwn. */
function lineText(news: OutcomeNews): string {
  const who = safeLine(news.freelancer ?? news.profile ?? '', LONGEST_NAME);
  return joinFacts(
    `${outcomeEmoji(news.outcomes)} *${safeLine(titleOf(news), LONGEST_TITLE)}*`,
    outcomeLabels(news.outcomes),
    who,
  );
}

function openSelect(proposals: readonly OutcomeNews[]): StaticSelect {
  return {
    type: 'static_select',
    action_id: actionIds.proposalOpen,
    placeholder: plainTextObject('Open a proposal'),
    options: proposals
      .slice(0, slackLimits.selectOptions.max)
      .map((news) =>
        menuOption(
          `${clipText(titleOf(news), LONGEST_CHOICE)}: ${outcomeLabels(news.outcomes)}`,
          String(news.proposal),
        ),
      ),
  };
}

/** What the message has no room for. mrkdwn. */
function moreText(hidden: number, rest: OutcomeCounts | undefined): string {
  return joinFacts(
    hidden > 0 ? `${formatNumber(hidden)} more in the menu` : undefined,
    rest && `${formatNumber(rest.proposals)} earlier`,
  );
}

/** The channel's hourly summary, or what arrived with too many others. */
export function outcomeListMessage(list: OutcomeList): Message {
  const { of, entries, rest } = list;
  const proposals = mergeByProposal(entries);
  const [first] = entries;
  const total = proposals.length + (rest?.proposals ?? 0);
  const what = `Updates on ${formatCount(total, of === 'hour' ? 'proposal' : 'more proposal')}`;
  const since = of === 'hour' && first ? ` since ${formatDate(first.at)}` : '';
  const text = `${what}: ${countsText(list)}`;
  const more = moreText(Math.max(0, proposals.length - LINES), rest);
  const blocks: KnownBlock[] = [
    sectionBlock(
      joinLines(
        `:inbox_tray: *${what}*${since}: ${countsText(list)}`,
        ...proposals.slice(0, LINES).map(lineText),
      ),
    ),
    ...(more ? [contextBlock(more)] : []),
    ...(proposals.length > 0 ? [actionsBlock([openSelect(proposals)])] : []),
    ...searchOutcomesBlocks(rest?.counts ?? []),
  ];
  return { text, blocks };
}
