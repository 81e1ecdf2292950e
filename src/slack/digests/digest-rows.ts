/** The rows of a digest's lists: the digest shows the first few, its thread shows all. Pure. */
import type { SectionBlock } from '@slack/types';
import type { DigestFacts } from '../../digests/facts.ts';
import type { DigestListName } from '../../digests/split-digest.ts';
import { capitalize, joinFacts, sectionBlock } from '../kit/block-builders.ts';
import { clipText, formatMention, safeLine } from '../kit/mrkdwn.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import { formatPastTime } from '../kit/words/digest-times.ts';
import { jobLabel, jobStatusLabel, setupNameText } from '../kit/words/job-text.ts';
import { outcomeEmoji, outcomeLabel } from '../kit/words/outcome-labels.ts';

const TITLE = 90;
/** Including the link: a longer URL costs the link, not the row. */
const LONGEST_TITLE = 300;
/** `splitDigestThread` relies on it. */
const LONGEST_ROW = 400;
/** How many rows of the maximum length fit in a section. */
const ROWS_PER_SECTION = 7;

export type DigestBid = DigestFacts['bids']['list'][number];
type InvitationFacts = DigestFacts['invitations']['list'][number];
type OutcomeFacts = DigestFacts['outcomes']['list'][number];
type ToldProject = DigestFacts['projects']['unclaimedList'][number];

/** A project's title, linked. mrkdwn. */
export function shortProjectLink(project: Pick<ToldProject, 'title' | 'url'>): string {
  const linked = projectLink(project, TITLE);
  return linked.length <= LONGEST_TITLE ? linked : projectLink({ title: project.title, url: '' }, TITLE);
}

/** A bid's status, worded as on its card. mrkdwn. */
export function bidStatusText(bid: DigestBid): string {
  if (bid.waitsForApproval) return 'waiting for review';
  if (bid.sent) return 'proposal sent';
  if (bid.state === 'unknown' && bid.job === undefined) return 'outcome unknown';
  if (bid.state === 'sending') return 'sending…';
  return jobStatusLabel({ status: bid.state, statusTitle: bid.statusTitle });
}

/** `Rebuild our checkout: waiting for review (job #12) · by @Ana with Night shift`. mrkdwn. */
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
  { title, profile, invitedAt }: InvitationFacts,
  { to, timezone }: Pick<DigestFacts, 'to' | 'timezone'>,
): string {
  return joinFacts(
    titleOf(title),
    safeLine(profile ?? '', 60),
    invitedAt === undefined ? undefined : `invited ${formatPastTime(invitedAt, to, timezone)}`,
  );
}

/** `🎉 Hired: Booking site · Ana Lund`. mrkdwn. */
export function outcomeRow({ outcome, title, freelancer }: OutcomeFacts): string {
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

/** Rows as a bulleted list, in as many sections as needed. */
export function bulletListSections(rows: readonly string[]): SectionBlock[] {
  const sections: SectionBlock[] = [];
  for (let from = 0; from < rows.length; from += ROWS_PER_SECTION) {
    const own = rows.slice(from, from + ROWS_PER_SECTION);
    sections.push(sectionBlock(own.map((row) => `• ${clipText(row, LONGEST_ROW)}`).join('\n')));
  }
  return sections;
}
