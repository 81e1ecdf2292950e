/** The digest: a lead reads it in the morning, on one screen of a phone. The rest is in its thread. Pure. */
import type { KnownBlock } from '@slack/types';
import type { DigestFacts } from '../../digests/facts.ts';
import { DIGEST_ROWS_SHOWN, isDigestEmpty, splitDigestThread } from '../../digests/split-digest.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlocks,
  capitalize,
  contextBlock,
  DIVIDER,
  fieldsSection,
  headerBlock,
  joinFacts,
  joinLines,
  sectionBlock,
} from '../kit/block-builders.ts';
import type { MessageLinks } from '../kit/message-link.ts';
import { formatMention } from '../kit/mrkdwn.ts';
import { formatCount, formatDuration, formatNumber } from '../kit/numbers.ts';
import { foldedBlock } from '../kit/rich-blocks.ts';
import { outcomeLabel } from '../kit/words/labels.ts';
import { needsAnswer, needsAnswerSections } from './digest-needs.ts';
import { bestProjectSections, bidRow, bidStatusText, type DigestBid, digestRows } from './digest-rows.ts';
import {
  creditsSpentText,
  creditsWarningText,
  digestConnectsText,
  digestCreditsText,
  digestFeedButtons,
  digestFeedsText,
  formatPastTime,
  formatShortDate,
  hasCreditsUntilReset,
  setupsNearLimitText,
} from './digest-state.ts';

type Outcomes = DigestFacts['outcomes']['counts'];

function titleText({ to, timezone }: DigestFacts): string {
  return `Digest for ${formatShortDate(to, timezone)}`;
}

function sinceText({ from, to, timezone }: DigestFacts): string {
  return `since ${formatPastTime(from, to, timezone)}`;
}

const ORDER = ['hired', 'interviewed', 'viewed', 'withdrawn', 'outbid'] as const;

/** `1 hired, 2 interviewed`. */
function outcomesWords(counts: Outcomes): string {
  return ORDER.flatMap((outcome) => {
    const many = counts.find((each) => each.outcome === outcome)?.count ?? 0;
    return many > 0 ? [`${formatNumber(many)} ${outcomeLabel(outcome)}`] : [];
  }).join(', ');
}

function outcomesTotal({ outcomes }: DigestFacts): number {
  return outcomes.counts.reduce((sum, each) => sum + each.count, 0);
}

interface KeyNumber {
  readonly many: number;
  readonly noun: string;
}

const MOST_NUMBERS = 3;

/** The three most important numbers that are not zero. */
function keyNumbers(facts: DigestFacts): readonly KeyNumber[] {
  const { projects, bids, invitations, credits } = facts;
  const all = [
    { many: projects.told, noun: projects.told === 1 ? 'new project' : 'new projects' },
    { many: bids.made, noun: bids.made === 1 ? 'bid' : 'bids' },
    { many: outcomesTotal(facts), noun: outcomesTotal(facts) === 1 ? 'proposal update' : 'proposal updates' },
    { many: invitations.came, noun: invitations.came === 1 ? 'invitation' : 'invitations' },
    { many: credits.spent, noun: credits.spent === 1 ? 'credit spent' : 'credits spent' },
  ];
  return all.filter(({ many }) => many > 0).slice(0, MOST_NUMBERS);
}

function lateText({ late, to, timezone }: DigestFacts): string | undefined {
  if (!late) return undefined;
  const missed = late.missed > 0 ? `, also covers ${formatCount(late.missed, 'missed digest')}` : '';
  return `late: due ${formatPastTime(late.dueAt, to, timezone)}${missed}`;
}

function askedText({ askedBy }: DigestFacts): string | undefined {
  return askedBy === undefined ? undefined : `requested by ${formatMention(askedBy)}`;
}

function quietMessage(facts: DigestFacts): Message {
  const how = joinFacts(lateText(facts), askedText(facts));
  const end = hasCreditsUntilReset(facts)
    ? '. Everything is working.'
    : `. ${capitalize(creditsWarningText(facts))}.`;
  const head = `*${titleText(facts)}*${how ? ` (${how})` : ''}`;
  return { text: `${head}: nothing new ${sinceText(facts)}. ${creditsSpentText(facts)}${end}` };
}

function moreText(more: number): string | undefined {
  return more > 0 ? `…and ${formatNumber(more)} more in the thread` : undefined;
}

function shortState(bid: DigestBid): string {
  const state = bidStatusText(bid);
  if (state === 'proposal sent') return 'sent';
  return state === 'outcome unknown' ? 'unknown' : state;
}

/** `2 waiting for review, 1 sent`, most common first. */
function statesText({ list }: DigestFacts['bids']): string {
  const counts = new Map<string, number>();
  for (const bid of list) counts.set(shortState(bid), (counts.get(shortState(bid)) ?? 0) + 1);
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 5)
    .map(([state, many]) => `${formatNumber(many)} ${state}`)
    .join(', ');
}

/** One bid is shown at once; more open with a press. */
function bidsBlocks(facts: DigestFacts): readonly KnownBlock[] {
  const { made, open, list } = facts.bids;
  if (made === 0 && list.length === 0) return [];
  const others = list.filter((bid) => !needsAnswer(bid));
  const rows = others.slice(0, DIGEST_ROWS_SHOWN.bids).map(bidRow);
  const head = joinFacts(
    made > 0 ? formatCount(made, 'bid') : undefined,
    open > 0 ? `${formatCount(open, 'older bid')} still open` : undefined,
  );
  // The states of bids outside the list are unknown.
  const isWhole = list.length >= made + open;
  const summed = isWhole && list.length > rows.length ? statesText(facts.bids) : undefined;
  const more = moreText(others.length - rows.length);
  const title = `${head}${summed ? `: ${summed}` : ''}`;
  if (rows.length <= 1)
    return [sectionBlock(joinLines(`:dart: *${title}*`, ...rows.map((row) => `• ${row}`), more))];
  return [foldedBlock(title, [sectionBlock(joinLines(...rows.map((row) => `• ${row}`), more))])];
}

/** `Median response: card 40 seconds · claim 6 minutes`. */
function responseBlocks({ response }: DigestFacts): readonly KnownBlock[] {
  if (!response) return [];
  const span = (what: string, ms: number | undefined) =>
    ms === undefined ? undefined : `${what} ${formatDuration(ms)}`;
  const { card, claim, bid } = response;
  const spans = joinFacts(span('card', card), span('claim', claim), span('bid', bid));
  return [contextBlock(`:alarm_clock: Median response: ${spans}`)];
}

function outcomesText(facts: DigestFacts): string | undefined {
  const { counts, list } = facts.outcomes;
  if (outcomesTotal(facts) === 0) return undefined;
  const rows = digestRows(facts, 'outcomes', 0, DIGEST_ROWS_SHOWN.outcomes);
  return joinLines(`:loudspeaker: *${outcomesWords(counts)}*`, ...rows, moreText(list.length - rows.length));
}

function unclaimedText({ projects: { unclaimed, told } }: DigestFacts): string | undefined {
  if (unclaimed === 0) return undefined;
  const of = told > unclaimed ? ` of ${formatNumber(told)}` : '';
  return (
    `${formatNumber(unclaimed)}${of} ${told === 1 ? 'project' : 'projects'} ` +
    `${unclaimed === 1 ? 'is' : 'are'} unclaimed (see thread)`
  );
}

function threadText(facts: DigestFacts): string | undefined {
  const parts = splitDigestThread(facts).filter((part) => 'list' in part);
  if (parts.length === 0) return undefined;
  const isCut = parts.some(({ isLast, to, total }) => isLast && to < total);
  return isCut ? 'More in the thread' : 'Full lists in the thread';
}

function sectionsOf(...texts: readonly (string | undefined)[]): readonly KnownBlock[] {
  return texts.flatMap((text) => (text ? [sectionBlock(text)] : []));
}

/**
 * Leaves out empty parts. If nothing happened: one line.
 * @param links to the messages that it names; missing ones aren't linked
 */
export function digestMessage(facts: DigestFacts, links: MessageLinks = new Map()): Message {
  if (isDigestEmpty(facts)) return quietMessage(facts);
  const numbers = keyNumbers(facts);
  const words = joinFacts(...numbers.map(({ many, noun }) => `${formatNumber(many)} ${noun}`));
  const how = joinFacts(sinceText(facts), lateText(facts), askedText(facts));
  const foot = unclaimedText(facts) ?? threadText(facts);
  const parts = [
    [...sectionsOf(digestFeedsText(facts)), ...actionsBlocks(digestFeedButtons(facts))],
    bestProjectSections(facts, links),
    needsAnswerSections(facts, links),
    [...sectionsOf(outcomesText(facts)), ...bidsBlocks(facts), ...responseBlocks(facts)],
    sectionsOf(joinLines(digestConnectsText(facts), digestCreditsText(facts), setupsNearLimitText(facts))),
  ].filter((blocks) => blocks.length > 0);
  return {
    text: joinLines(`${titleText(facts)} ${sinceText(facts)}: ${words || 'nothing new'}`),
    blocks: [
      headerBlock(titleText(facts)),
      contextBlock(capitalize(how)),
      ...(numbers.length > 0
        ? [fieldsSection(numbers.map(({ many, noun }) => `*${formatNumber(many)}* ${noun}`))]
        : []),
      ...parts.flatMap((blocks) => [DIVIDER, ...blocks]),
      ...(foot ? [contextBlock(foot)] : []),
    ],
  };
}
