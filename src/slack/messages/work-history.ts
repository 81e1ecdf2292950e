/** What a client's earlier jobs say of the client. */
import type { WorkHistoryEntry } from '../../marketplace/schema.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { count, money, number } from '../blocks/numbers.ts';
import { line, lines } from './parts.ts';

const SHOWN = 5;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `Aug 2025` of an ISO date; other words as they came. mrkdwn. */
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

function entryLines(entry: WorkHistoryEntry): string {
  const said = safeLine(entry.commentOnClient ?? '', 140);
  const facts = line(
    entry.totalCharge === undefined ? undefined : `paid ${money(entry.totalCharge)}`,
    entry.totalHours ? count(entry.totalHours, 'hour') : undefined,
    period(entry),
    entry.scoreOfClient === undefined ? undefined : `gave the client ★ ${entry.scoreOfClient.toFixed(1)}`,
    entry.score === undefined ? undefined : `got ★ ${entry.score.toFixed(1)}`,
  );
  return lines(
    `• *${safeLine(entry.title ?? '', 80) || 'Job without a title'}*${facts ? ` – ${facts}` : ''}`,
    said ? `   “${said}”` : undefined,
  );
}

/** The first five jobs with what they paid and the contractors' words on the client. mrkdwn; undefined without any. */
export function workHistoryText(entries: readonly WorkHistoryEntry[]): string | undefined {
  if (entries.length === 0) return undefined;
  const more = entries.length - SHOWN;
  return lines(
    `*Client's work history* (${count(entries.length, 'job')})`,
    ...entries.slice(0, SHOWN).map(entryLines),
    more > 0 ? `…and ${number(more)} more` : undefined,
  );
}
