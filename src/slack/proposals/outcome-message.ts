/** New outcomes of proposals as messages: of one, of several in a list, and only counted. Pure. */
import type { ActionsBlock, KnownBlock, StaticSelect } from '@slack/types';
import type { ListedOutcome, OutcomeCounts, OutcomeList, OutcomeNews } from '../../outbox/news.ts';
import { countOutcomes, sumOutcomeCounts } from '../../proposals/outcomes.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  capitalize,
  contextBlock,
  joinFacts,
  joinLines,
  menuOption,
  plainTextObject,
  sectionBlock,
} from '../kit/block-builders.ts';
import { commandButtonIds, commandValueCodec, openProposalButton } from '../kit/command-button.ts';
import { actionIds } from '../kit/ids.ts';
import { slackLimits } from '../kit/limits.ts';
import { cleanLine, clipText, formatDate, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { connectsAndPositionText } from '../kit/words/job-text.ts';
import { outcomeEmoji, outcomeLabel, outcomeLabels } from '../kit/words/labels.ts';
import { formatTimeIfShowable } from './proposal-details.ts';

function templateText({ template, variant }: OutcomeNews): string | undefined {
  const name = safeLine(template ?? '', 80);
  const letter = safeLine(variant ?? '', 40);
  if (!letter) return name && `template ${name}`;
  return name ? `template ${name}, letter ${letter}` : `letter ${letter}`;
}

function factsText(news: OutcomeNews): string {
  const { submittedAt } = news;
  return joinLines(
    joinFacts(
      // Both show once if they are equal: a freelancer's profile has the freelancer's name.
      ...new Set([safeLine(news.freelancer ?? '', 80), safeLine(news.profile ?? '', 80)]),
      formatTimeIfShowable(submittedAt, (at) => `sent ${formatDate(at)}`),
    ),
    joinFacts(connectsAndPositionText(news), templateText(news)),
  );
}

/** `Hired: Rebuild our checkout`, with its cost and sender. */
export function proposalOutcomeMessage(news: OutcomeNews): Message {
  const what = capitalize(outcomeLabels(news.outcomes)) || 'Updated';
  const title = safeLine(news.title ?? '', 150) || `proposal ${news.proposal}`;
  return {
    text: `${what}: ${title}`,
    blocks: [
      sectionBlock(joinLines(`${outcomeEmoji(news.outcomes)} *${what}: ${title}*`, factsText(news))),
      actionsBlock([openProposalButton(news.proposal)]),
    ],
  };
}

/** `6 viewed, 1 withdrawn` */
function countsText(counts: OutcomeCounts['counts']): string {
  return counts.map(({ outcome, count }) => `${formatNumber(count)} ${outcomeLabel(outcome)}`).join(', ');
}

function searchOutcomesBlocks(counts: OutcomeCounts['counts']): readonly ActionsBlock[] {
  const options = counts.map(({ outcome, count }) =>
    menuOption(countsText([{ outcome, count }]), commandValueCodec.write({ args: `is:${outcome}` })),
  );
  if (options.length === 0) return [];
  const placeholder = plainTextObject('Show proposals');
  const action_id = commandButtonIds.proposals;
  return [actionsBlock([{ type: 'static_select', action_id, placeholder, options }])];
}

/**
 * `Updates on 190 more proposals: 185 viewed, 5 boost outbid.`, or the same with
 * `Proposal updates while Gigdesk couldn't post here: …`
 */
export function outcomesSummaryMessage({ proposals, counts, heldBack }: OutcomeCounts): Message {
  const what = heldBack
    ? "Proposal updates while Gigdesk couldn't post here:"
    : `Updates on ${formatCount(proposals, 'more proposal')}:`;
  const text = `:inbox_tray: *${what}* ${countsText(counts)}.`;
  return { text, blocks: [sectionBlock(text), ...searchOutcomesBlocks(counts)] };
}

/** More would push other messages off the screen; the menu has all. */
const LINES = 8;
const LONGEST_TITLE = 90;
const LONGEST_NAME = 40;
/** So that an option has room for what happened. */
const LONGEST_CHOICE = 45;

function mergeByProposal(entries: readonly ListedOutcome[]): readonly OutcomeNews[] {
  const merged = new Map<number, OutcomeNews>();
  for (const { news } of entries) {
    const before = merged.get(news.proposal)?.outcomes ?? [];
    merged.delete(news.proposal);
    merged.set(news.proposal, { ...news, outcomes: [...new Set([...before, ...news.outcomes])] });
  }
  return [...merged.values()].reverse();
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

/** The channel's hourly summary, or what arrived with too many others. */
export function outcomeListMessage({ of, entries, rest }: OutcomeList): Message {
  const proposals = mergeByProposal(entries);
  const [first] = entries;
  const total = proposals.length + (rest?.proposals ?? 0);
  const what = `Updates on ${formatCount(total, of === 'hour' ? 'proposal' : 'more proposal')}`;
  const since = of === 'hour' && first ? ` since ${formatDate(first.at)}` : '';
  const listed = countOutcomes(entries.map(({ news }) => news));
  const counts = countsText(sumOutcomeCounts(rest, listed).counts);
  const hidden = proposals.length - LINES;
  const more = joinFacts(
    hidden > 0 ? `${formatNumber(hidden)} more in the menu` : undefined,
    rest && `${formatNumber(rest.proposals)} earlier`,
  );
  const blocks: KnownBlock[] = [
    sectionBlock(
      joinLines(`:inbox_tray: *${what}*${since}: ${counts}`, ...proposals.slice(0, LINES).map(lineText)),
    ),
    ...(more ? [contextBlock(more)] : []),
    ...(proposals.length > 0 ? [actionsBlock([openSelect(proposals)])] : []),
    ...searchOutcomesBlocks(rest?.counts ?? []),
  ];
  return { text: `${what}: ${counts}`, blocks };
}
