/** What a client's earlier jobs say of the client. */
import type { WorkHistoryEntry } from '../../marketplace/schema.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { count, money, number } from '../blocks/numbers.ts';
import { line, lines } from './parts.ts';

const SHOWN = 5;

function years({ startDate, endDate }: WorkHistoryEntry): string | undefined {
  const from = safeLine(startDate ?? '', 10);
  const to = safeLine(endDate ?? '', 10);
  if (!from) return to || undefined;
  return to ? `${from} to ${to}` : `since ${from}`;
}

function entryLines(entry: WorkHistoryEntry): string {
  const said = safeLine(entry.commentOnClient ?? '', 140);
  const facts = line(
    entry.totalCharge === undefined ? undefined : `paid ${money(entry.totalCharge)}`,
    entry.totalHours ? `${number(entry.totalHours)} hours` : undefined,
    years(entry),
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
