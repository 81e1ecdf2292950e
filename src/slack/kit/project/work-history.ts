/** What a client's earlier jobs say about the client. Pure. */
import type { WorkHistoryEntry } from '../../../marketplace/schema.ts';
import { joinFacts, joinLines, joinRows } from '../block-builders.ts';
import { safeLine } from '../mrkdwn.ts';
import { formatCount, formatMoney } from '../numbers.ts';
import { andMoreText } from '../paged-list.ts';

const SHOWN = 5;
const MOST_OF_A_COMMENT = 200;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `Aug 2025` from an ISO date; other texts unchanged. mrkdwn. */
function month(told: string | undefined): string {
  const [, year, digits] = /^(\d{4})-(\d{2})(?!\d)/u.exec(told ?? '') ?? [];
  const name = MONTHS[Number(digits) - 1];
  return year && name ? `${name} ${year}` : safeLine(told ?? '', 20);
}

/** `Aug 2025`, `May to Aug 2025`, `Dec 2024 to Feb 2025`, `since Aug 2025`. mrkdwn. */
function period({ startDate, endDate }: WorkHistoryEntry): string | undefined {
  const from = month(startDate);
  const to = month(endDate);
  if (!(from && to)) return from ? `since ${from}` : to || undefined;
  if (from === to) return to;
  const isOneYear = /^\w{3} \d{4}$/u.test(from) && from.slice(4) === to.slice(4);
  return `${isOneYear ? from.slice(0, 3) : from} to ${to}`;
}

function quote(speaker: string, comment: string | undefined): string | undefined {
  const words = safeLine(comment ?? '', MOST_OF_A_COMMENT);
  return words ? `   ${speaker}: “${words}”` : undefined;
}

function entryLines(entry: WorkHistoryEntry): string {
  const contractor = safeLine(entry.contractor ?? '', 60);
  const status = safeLine(entry.status ?? '', 30).toLowerCase();
  const facts = joinFacts(
    status,
    entry.totalCharge === undefined ? undefined : `paid ${formatMoney(entry.totalCharge)}`,
    !entry.rate ? undefined : `at ${formatMoney(entry.rate)} an hour`,
    entry.totalHours ? formatCount(entry.totalHours, 'hour') : undefined,
    period(entry),
    entry.scoreOfClient === undefined ? undefined : `gave the client ★ ${entry.scoreOfClient.toFixed(1)}`,
    entry.score === undefined ? undefined : `got ★ ${entry.score.toFixed(1)}`,
  );
  return joinLines(
    `• *${safeLine(entry.title ?? '', 80) || 'Untitled job'}*${facts ? ` – ${facts}` : ''}`,
    quote(contractor || 'Freelancer', entry.commentOnClient),
    quote('Client', entry.comment),
  );
}

/**
 * The first five jobs: what they paid, and what freelancer and client said about each other. mrkdwn; split
 * into as many section texts as needed.
 */
export function workHistoryTexts(entries: readonly WorkHistoryEntry[]): readonly string[] {
  if (entries.length === 0) return [];
  const more = andMoreText(entries.length - SHOWN);
  return joinRows([
    `*Client's work history* (${formatCount(entries.length, 'job')})`,
    ...entries.slice(0, SHOWN).map(entryLines),
    ...(more ? [more] : []),
  ]);
}
