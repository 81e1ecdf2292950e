/** The lists of a digest: best projects, the first few rows, all rows, and the charts in its thread. Pure. */
import type { SectionBlock } from '@slack/types';
import type { BestProject, DigestCharts, DigestFacts } from '../../digests/facts.ts';
import { DIGEST_ROWS_SHOWN, type DigestListName, splitDigestThread } from '../../digests/split-digest.ts';
import { cardPostId } from '../../outbox/outbox.ts';
import type { Message } from '../core/routes.ts';
import {
  capitalize,
  contextBlock,
  joinFacts,
  joinLines,
  sectionBlock,
  sectionBlocks,
} from '../kit/block-builders.ts';
import { type ChartBlock, chartBlock, chartText } from '../kit/chart-block.ts';
import type { MessageLinks } from '../kit/message-link.ts';
import { clipText, escapeMrkdwn, formatLink, formatMention, safeLine } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber, formatShare } from '../kit/numbers.ts';
import { andMoreText } from '../kit/paged-list.ts';
import { fitText } from '../kit/project/fit-text.ts';
import { projectBudgetText, projectLink } from '../kit/project/project-lines.ts';
import { jobLabel, jobStatusLabel, setupNameText } from '../kit/words/job-text.ts';
import { outcomeEmoji, outcomeLabel, SHORT_WEEKDAYS } from '../kit/words/labels.ts';
import { formatMonthDay, formatPastTime } from './digest-state.ts';

/** A line of mrkdwn, and the charts that it sums up. */
interface ChartGroup {
  readonly takeaway: string;
  readonly charts: readonly ChartBlock[];
}

function burnGroup(points: NonNullable<DigestCharts['burn']>): ChartGroup {
  const last = points.at(-1);
  const [spent, pace] = [last?.spent ?? 0, last?.pace];
  const block = chartBlock({
    type: 'line',
    title: 'Credits spent in this billing period',
    xLabel: 'By the end of the day',
    yLabel: 'Credits',
    categories: points.map(({ day }) => formatMonthDay(day)),
    series: {
      Spent: points.map((point) => point.spent),
      ...(pace !== undefined && { 'Even pace': points.map((point) => point.pace ?? 0) }),
    },
  });
  const takeaway = joinFacts(
    `*${formatCount(spent, 'credit')} spent in this billing period*`,
    pace === undefined ? undefined : `at an even pace, it would be ${formatNumber(pace)}`,
  );
  return { takeaway, charts: [block] };
}

/** `1 interview in 9 proposals`. Above one half, rounding would make it 1 in 1. */
function oneIn(part: number, whole: number, noun: string): string | undefined {
  if (part === 0) return undefined;
  if (2 * part > whole) return `${formatCount(part, noun)} in ${formatCount(whole, 'proposal')}`;
  return `1 ${noun} in ${formatCount(Math.round(whole / part), 'proposal')}`;
}

function stagesGroup(stages: NonNullable<DigestCharts['stages']>): ChartGroup {
  const { days, sent, viewed, interviewed, hired, invited } = stages;
  const block = chartBlock({
    type: 'bar',
    title: `Proposals sent in the last ${formatCount(days, 'day')}`,
    xLabel: 'Result so far',
    yLabel: 'Proposals',
    categories: ['Sent', 'Viewed', 'Interviewed', 'Hired'],
    series: { Proposals: [sent, viewed, interviewed, hired] },
  });
  const hires = hired === 0 ? 'No hires' : formatCount(hired, 'hire');
  const replied = `${formatCount(invited.sent, 'invitation')} (${formatCount(invited.hired, 'hire')})`;
  const takeaway = joinFacts(
    `*${hires} from ${formatCount(sent, 'proposal')} in ${formatCount(days, 'day')}*`,
    `${escapeMrkdwn(formatShare(viewed, sent))} viewed`,
    oneIn(interviewed, sent, 'interview'),
    oneIn(hired, sent, 'hire'),
    invited.sent > 0 ? `not counted: replies to ${replied}` : undefined,
  );
  return { takeaway, charts: [block] };
}

const HALVES = ['AM', 'PM'] as const;

/** `12–2 AM`, `10 AM–12 PM`. @param from an even hour, 0 to 22 */
function twoHoursText(from: number): string {
  const to = from + 2;
  const half = (hour: number) => HALVES[Math.floor(hour / 12) % 2];
  const start = half(from) === half(to) ? `${from % 12 || 12}` : `${from % 12 || 12} ${half(from)}`;
  return `${start}–${to % 12 || 12} ${half(to)}`;
}

function busiest(names: readonly string[], counts: readonly number[]): string | undefined {
  const most = Math.max(...counts);
  const first = counts.indexOf(most);
  return counts.lastIndexOf(most) === first ? names[first] : undefined;
}

function arrivalsGroup(
  { days, byTime, byWeekday }: NonNullable<DigestCharts['arrivals']>,
  timezone: string,
): ChartGroup {
  const hours = byTime.map((_, at) => twoHoursText(2 * at));
  const chart = (by: string, what: string, categories: readonly string[], projects: readonly number[]) =>
    chartBlock({
      type: 'bar',
      title: `Projects by ${by}, last ${formatCount(days, 'day')}`,
      xLabel: `${what} in ${timezone}`,
      yLabel: 'Projects',
      categories,
      series: { Projects: projects },
    });
  const all = byWeekday.reduce((sum, projects) => sum + projects, 0);
  const [time, day] = [busiest(hours, byTime), busiest(SHORT_WEEKDAYS, byWeekday)];
  const takeaway = joinFacts(
    `*${formatCount(all, 'project')} published in the last ${formatCount(days, 'day')}*`,
    time && `busiest time: ${time}`,
    day && `busiest day: ${day}`,
  );
  return {
    takeaway,
    charts: [chart('time of day', 'Time', hours, byTime), chart('weekday', 'Day', SHORT_WEEKDAYS, byWeekday)],
  };
}

/** @param names as many as Slack takes in a message */
function digestChartsMessage(facts: DigestFacts, names: readonly (keyof DigestCharts)[]): Message {
  const { burn, stages, arrivals } = facts.charts ?? {};
  const drawn = {
    burn: burn && burnGroup(burn),
    stages: stages && stagesGroup(stages),
    arrivals: arrivals && arrivalsGroup(arrivals, facts.timezone),
  };
  const groups = names.flatMap((name) => drawn[name] ?? []);
  return {
    text: joinLines(...groups.flatMap(({ takeaway, charts }) => [takeaway, ...charts.map(chartText)])),
    blocks: groups.flatMap(({ takeaway, charts }) => [sectionBlock(takeaway), ...charts]),
  };
}

const TITLE = 90;
/** Including the link: a longer URL costs the link, not the row. */
const LONGEST_TITLE = 300;
/** `splitDigestThread` relies on it. */
const LONGEST_ROW = 400;
const ROWS_PER_SECTION = 7;

export type DigestBid = DigestFacts['bids']['list'][number];
type ToldProject = DigestFacts['projects']['unclaimedList'][number];

function shortProjectLink(project: Pick<ToldProject, 'title' | 'url'>): string {
  const linked = projectLink(project, TITLE);
  return linked.length <= LONGEST_TITLE ? linked : projectLink({ title: project.title, url: '' }, TITLE);
}

/** A bid's status, worded as on its card, within a line. mrkdwn. */
export function bidStatusText(bid: DigestBid): string {
  if (bid.waitsForApproval) return 'waiting for review';
  if (bid.sent) return 'proposal sent';
  if (bid.state === 'unknown' && bid.job === undefined) return 'outcome unknown';
  if (bid.state === 'held') return 'waiting to be sent';
  if (bid.state === 'sending') return 'sending…';
  const label = jobStatusLabel({ status: bid.state, statusTitle: bid.statusTitle });
  // `Failed` as `failed`, but `AI review` as it is: the marketplace's words are within a line here.
  return label.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());
}

/** `Rebuild our checkout: waiting for review (bid #12) · by @Ana with Night shift`. mrkdwn. */
export function bidRow(bid: DigestBid): string {
  const job = bid.job === undefined ? '' : ` (${jobLabel(bid.job)})`;
  const who = bid.by === undefined ? '' : `by ${clipText(formatMention(bid.by), 40)}`;
  const setup = setupNameText({ setupName: bid.setupName });
  const how = [who, setup ? `with ${setup}` : ''].filter((words) => words !== '').join(' ');
  return joinFacts(`${titleOf(bid.title)}: ${bidStatusText(bid)}${job}`, how);
}

function titleOf(title: string | undefined): string {
  return safeLine(title ?? '', TITLE) || 'Untitled project';
}

/** `Photo shop · Web studio · invited yesterday at 17:04`. mrkdwn. */
export function invitationRow(
  { title, profile, invitedAt }: DigestFacts['invitations']['list'][number],
  { to, timezone }: Pick<DigestFacts, 'to' | 'timezone'>,
): string {
  return joinFacts(
    titleOf(title),
    safeLine(profile ?? '', 60),
    invitedAt === undefined ? undefined : `invited ${formatPastTime(invitedAt, to, timezone)}`,
  );
}

function outcomeRow({ outcome, title, freelancer }: DigestFacts['outcomes']['list'][number]): string {
  return joinFacts(
    `${outcomeEmoji([outcome])} ${capitalize(outcomeLabel(outcome))}: ${titleOf(title)}`,
    safeLine(freelancer ?? '', 60),
  );
}

function unclaimedRow(project: ToldProject, { to, timezone }: Pick<DigestFacts, 'to' | 'timezone'>): string {
  const { publishedAt } = project;
  const posted =
    publishedAt === undefined ? undefined : `posted ${formatPastTime(publishedAt, to, timezone)}`;
  return joinFacts(shortProjectLink(project), posted);
}

/** The list's rows in a range. mrkdwn. */
export function digestRows(
  facts: DigestFacts,
  list: DigestListName,
  from: number,
  to: number,
): readonly string[] {
  switch (list) {
    case 'invitations':
      return facts.invitations.list.slice(from, to).map((each) => invitationRow(each, facts));
    case 'bids':
      return facts.bids.list.slice(from, to).map(bidRow);
    case 'outcomes':
      return facts.outcomes.list.slice(from, to).map(outcomeRow);
    case 'unclaimed':
      return facts.projects.unclaimedList.slice(from, to).map((each) => unclaimedRow(each, facts));
  }
}

/** @returns undefined when nothing is left out */
export function moreInThreadText(more: number): string | undefined {
  return more > 0 ? `…and ${formatNumber(more)} more in the thread` : undefined;
}

function bulletListSections(rows: readonly string[]): SectionBlock[] {
  const sections: SectionBlock[] = [];
  for (let from = 0; from < rows.length; from += ROWS_PER_SECTION) {
    const own = rows.slice(from, from + ROWS_PER_SECTION);
    sections.push(sectionBlock(own.map((row) => `• ${clipText(row, LONGEST_ROW)}`).join('\n')));
  }
  return sections;
}

/** More would not be read on a phone. */
const MOST_REASONS = 4;

function bestRow(project: BestProject, place: number, link: string | undefined): string {
  const pay = projectBudgetText(project.budget);
  const card = link === undefined ? undefined : formatLink(link, 'Open card');
  return joinLines(
    joinFacts(`${place}. ${shortProjectLink(project)}`, pay && `*${pay}*`, card),
    `      ${fitText(project, { most: MOST_REASONS })}`,
  );
}

/** A title and up to five rows, in as few sections as possible. Empty if there are none. */
export function bestProjectSections(facts: DigestFacts, links: MessageLinks): readonly SectionBlock[] {
  const { best, told } = facts.projects;
  if (best.length === 0) return [];
  const shown = best.slice(0, DIGEST_ROWS_SHOWN.best);
  const title = told > shown.length ? `Best of ${formatCount(told, 'new project')}` : 'New projects';
  const rows = shown.map((each, at) =>
    bestRow(each, at + 1, links.get(cardPostId(facts.channel, each.project))),
  );
  return sectionBlocks([`*${title}*`, ...rows]);
}

const TITLES: Readonly<Record<DigestListName, string>> = {
  invitations: 'Unclaimed invitations',
  bids: 'Bids, newest first',
  outcomes: 'Proposal updates',
  unclaimed: 'Unclaimed projects, newest first',
};

/** @returns undefined if the digest has no such part */
export function digestThreadPartMessage(facts: DigestFacts, part: number): Message | undefined {
  const found = splitDigestThread(facts)[part];
  if (!found) return undefined;
  if ('charts' in found) return digestChartsMessage(facts, found.charts);
  const text = `${TITLES[found.list]}${
    found.from === 0 && found.to >= found.total
      ? ''
      : ` (${formatNumber(found.from + 1)} to ${formatNumber(found.to)} of ${formatNumber(found.total)})`
  }`;
  const beyond = found.isLast ? andMoreText(found.total - found.to) : undefined;
  return {
    text,
    blocks: [
      sectionBlock(`*${text}*`),
      ...bulletListSections(digestRows(facts, found.list, found.from, found.to)),
      ...(beyond ? [contextBlock(beyond)] : []),
    ],
  };
}
