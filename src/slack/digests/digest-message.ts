/**
 * The digest: a lead reads it in the morning, on one screen of a phone. The rest is in its thread. What needs
 * an answer are bids that wait for a person, and unclaimed invitations. Pure.
 */
import type { KnownBlock, SectionBlock } from '@slack/types';
import type { DigestFacts } from '../../digests/facts.ts';
import { DIGEST_ROWS_SHOWN, isDigestEmpty, splitDigestThread } from '../../digests/split-digest.ts';
import { cardPostId } from '../../outbox/outbox.ts';
import type { PostId } from '../../outbox/posts.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlocks,
  type ButtonFacts,
  buttonElement,
  capitalize,
  contextBlock,
  DIVIDER,
  fieldsSection,
  headerBlock,
  joinFacts,
  joinLines,
  sectionBlock,
  textSections,
} from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import type { MessageLinks } from '../kit/message-link.ts';
import { clipText, formatLink, formatMention, safeUrl } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { foldedBlock } from '../kit/rich-blocks.ts';
import { outcomeLabel } from '../kit/words/labels.ts';
import { medianTimesText } from '../response/response.ts';
import {
  bestProjectSections,
  bidRow,
  bidStatusText,
  type DigestBid,
  digestRows,
  invitationRow,
  moreInThreadText,
} from './digest-rows.ts';
import {
  creditsSpentText,
  creditsWarningText,
  digestConnectsText,
  digestCreditsText,
  digestFeedButtons,
  digestFeedsText,
  formatPastTime,
  formatShortDate,
  setupsNearLimitText,
} from './digest-state.ts';

function titleText({ to, timezone }: DigestFacts): string {
  return `Digest for ${formatShortDate(to, timezone)}`;
}

function sinceText({ from, to, timezone }: DigestFacts): string {
  return `since ${formatPastTime(from, to, timezone)}`;
}

const ORDER = ['hired', 'interviewed', 'viewed', 'withdrawn', 'outbid'] as const;

function outcomesTotal({ outcomes }: DigestFacts): number {
  return outcomes.counts.reduce((sum, each) => sum + each.count, 0);
}

function keyNumbers(facts: DigestFacts) {
  const { projects, bids, invitations, credits } = facts;
  const counted = (many: number, one: string, more = `${one}s`) => ({ many, noun: many === 1 ? one : more });
  return [
    counted(projects.told, 'new project'),
    counted(bids.made, 'bid'),
    counted(outcomesTotal(facts), 'proposal update'),
    counted(invitations.came, 'invitation'),
    counted(credits.spent, 'credit spent', 'credits spent'),
  ]
    .filter(({ many }) => many > 0)
    .slice(0, 3);
}

function lateText({ late, to, timezone }: DigestFacts): string | undefined {
  if (!late) return undefined;
  const missed = late.missed > 0 ? `, also covers ${formatCount(late.missed, 'missed digest')}` : '';
  return `late: due ${formatPastTime(late.dueAt, to, timezone)}${missed}`;
}

function askedText({ askedBy }: DigestFacts): string | undefined {
  return askedBy && `requested by ${formatMention(askedBy)}`;
}

function quietMessage(facts: DigestFacts): Message {
  const how = joinFacts(lateText(facts), askedText(facts));
  const state = capitalize(creditsWarningText(facts) ?? 'Everything is working');
  const head = `*${titleText(facts)}*${how ? ` (${how})` : ''}`;
  return { text: `${head}: nothing new ${sinceText(facts)}. ${creditsSpentText(facts)}. ${state}.` };
}

interface ItemToAnswer {
  /** mrkdwn. */
  readonly text: string;
  /** Plain, for screen readers. */
  readonly title: string;
  readonly post: PostId;
  /** The step it waits for; undefined: only its message has one. */
  readonly step?: Pick<ButtonFacts, 'id' | 'label' | 'value'> | undefined;
}

/** Someone must approve it, or find out whether it was created. */
function needsAnswer({ waitsForApproval, state, job }: DigestBid): boolean {
  return waitsForApproval || (state === 'unknown' && job === undefined);
}

/** Where each is done, the rights of its own channel are checked. */
function stepOfBid({ waitsForApproval, job, bid }: DigestBid): ItemToAnswer['step'] {
  if (waitsForApproval && job !== undefined)
    return { id: actionIds.jobReview, label: 'Review', value: String(job) };
  return bid === undefined ? undefined : { id: actionIds.bidCheck, label: 'Check', value: bid };
}

function listItemsToAnswer(facts: DigestFacts): readonly ItemToAnswer[] {
  const bids = facts.bids.list.filter(needsAnswer).slice(0, DIGEST_ROWS_SHOWN.bids);
  const invitations = facts.invitations.list.slice(0, DIGEST_ROWS_SHOWN.invitations);
  return [
    ...bids.map((bid) => ({ text: bidRow(bid), title: bid.title, post: bid.post, step: stepOfBid(bid) })),
    ...invitations.map((each) => ({
      text: `Invitation: ${invitationRow(each, facts)}`,
      title: each.title,
      post: each.post,
      step: { id: actionIds.invitationOpen, label: 'Details', value: each.uid },
    })),
  ];
}

/** The posts to which the main message links. */
export function listLinkedPosts(facts: DigestFacts): readonly PostId[] {
  const best = facts.projects.best.slice(0, DIGEST_ROWS_SHOWN.best);
  return [
    ...best.map(({ project }) => cardPostId(facts.channel, project)),
    ...listItemsToAnswer(facts).map(({ post }) => post),
  ];
}

/** Slack cuts longer rows anyway. */
const LONGEST_ROW = 600;

function itemSection({ text, title, post, step }: ItemToAnswer, links: MessageLinks): SectionBlock {
  const url = safeUrl(links.get(post) ?? '');
  const row = clipText(text, LONGEST_ROW);
  if (step) {
    const accessibilityLabel = `${step.label}: ${title}`;
    const link = url === undefined ? undefined : formatLink(url, 'Open card');
    return sectionBlock(joinFacts(row, link), buttonElement({ ...step, accessibilityLabel }));
  }
  if (url === undefined) return sectionBlock(row);
  const label = { label: 'Open', accessibilityLabel: `Open: ${title}` };
  return sectionBlock(row, { ...buttonElement({ id: actionIds.openLink, value: 'open', ...label }), url });
}

function needsAnswerSections(facts: DigestFacts, links: MessageLinks): readonly SectionBlock[] {
  const { bids, invitations } = facts;
  const waiting = bids.list.filter(needsAnswer).length;
  const count = waiting + invitations.waiting;
  if (count === 0) return [];
  const items = listItemsToAnswer(facts);
  const kinds = [
    waiting > 0 ? formatCount(waiting, 'bid') : '',
    invitations.waiting > 0 ? formatCount(invitations.waiting, 'unclaimed invitation') : '',
  ].filter((words) => words !== '');
  return [
    sectionBlock(`*Needs an answer:* ${kinds.join(', ')}`),
    ...items.map((each) => itemSection(each, links)),
    ...textSections(moreInThreadText(count - items.length)),
  ];
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
  const more = moreInThreadText(others.length - rows.length);
  const title = `${head}${summed ? `: ${summed}` : ''}`;
  const listed = rows.map((row) => `• ${row}`);
  if (rows.length <= 1) return [sectionBlock(joinLines(`:dart: *${title}*`, ...listed, more))];
  return [foldedBlock(title, [sectionBlock(joinLines(...listed, more))])];
}

function outcomesText(facts: DigestFacts): string | undefined {
  const { counts, list } = facts.outcomes;
  if (outcomesTotal(facts) === 0) return undefined;
  const words = ORDER.flatMap((outcome) => {
    const many = counts.find((each) => each.outcome === outcome)?.count ?? 0;
    return many > 0 ? [`${formatNumber(many)} ${outcomeLabel(outcome)}`] : [];
  });
  const rows = digestRows(facts, 'outcomes', 0, DIGEST_ROWS_SHOWN.outcomes);
  const more = moreInThreadText(list.length - rows.length);
  return joinLines(`:loudspeaker: *${words.join(', ')}*`, ...rows, more);
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

/**
 * Leaves out empty parts. If nothing happened: one line.
 * @param links to the messages that it names; missing ones aren't linked
 */
export function digestMessage(facts: DigestFacts, links: MessageLinks = new Map()): Message {
  if (isDigestEmpty(facts)) return quietMessage(facts);
  const numbers = keyNumbers(facts);
  const words = joinFacts(...numbers.map(({ many, noun }) => `${formatNumber(many)} ${noun}`));
  const how = joinFacts(sinceText(facts), lateText(facts), askedText(facts));
  const { response } = facts;
  const medians = response
    ? [contextBlock(`:alarm_clock: Median response: ${medianTimesText(response)}`)]
    : [];
  const foot = unclaimedText(facts) ?? threadText(facts);
  const parts = [
    [...textSections(digestFeedsText(facts)), ...actionsBlocks(digestFeedButtons(facts))],
    bestProjectSections(facts, links),
    needsAnswerSections(facts, links),
    [...textSections(outcomesText(facts)), ...bidsBlocks(facts), ...medians],
    textSections(joinLines(digestConnectsText(facts), digestCreditsText(facts), setupsNearLimitText(facts))),
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
