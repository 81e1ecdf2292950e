/** `/gig audit export`: the audit log as a CSV file, by direct message to the person who asks. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasRoleAtLeast } from '../../access/access.ts';
import {
  ACTIONS_IN_WORDS,
  type AuditEntry,
  type AuditPageRequest,
  readAuditPage,
} from '../../audit/audit.ts';
import type { Instant } from '../../clock.ts';
import {
  type DecisionCost,
  findDecision,
  type LedgerDecision,
  type LedgerOutcome,
  listOutcomes,
} from '../../decisions/decisions.ts';
import { type ChannelId, isDirectMessage } from '../../ids.ts';
import { toSlackCallError } from '../core/errors.ts';
import { logAndDescribeFailure } from '../core/handler-steps.ts';
import type { CommandCall, Message, Services } from '../core/routes.ts';
import { type RequestContext, resolveVisibleChannels, type VisibleChannels } from '../core/user-channels.ts';
import { joinLines } from '../kit/block-builders.ts';
import { commandButton, messageWithButtons } from '../kit/command-button.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { formatCount, formatLastDays } from '../kit/numbers.ts';

export type CsvCell = string | number | undefined;

/** What a spreadsheet takes for the start of a formula, also behind blanks, and in full width. */
const FORMULA = /^(?=[\s\p{Cf}]*[=+\-@|%＝＋－＠]|[\t\r\n])/u;
/** A program that takes another separator than the comma begins a cell there, inside quotes, too. */
const FORMULA_INSIDE = /(?=[=+\-@|%＝＋－＠])(?<=[,;:|\t\r\n][\s\p{Cf}"]*)/gu;
/** Control characters besides tab and line breaks. */
const UNPRINTABLE = /[\p{Cc}]/gu;

function csvCell(cell: CsvCell): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  const printable = cell.replace(UNPRINTABLE, (it) => ('\t\r\n'.includes(it) ? it : ' '));
  const text = printable.replace(FORMULA_INSIDE, "'").replace(FORMULA, "'");
  return `"${text.replaceAll('"', '""')}"`;
}

/** One line with its end. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

interface ExportedEntry {
  readonly entry: AuditEntry;
  /** Missing for what isn't a decision. */
  readonly decision: LedgerDecision | undefined;
  /** How the decision ended, oldest first. */
  readonly outcomes: readonly LedgerOutcome[];
}

interface Row extends ExportedEntry {
  readonly act: Readonly<Record<string, unknown>>;
}

function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const SUBJECTS = ['title', 'name', 'profileName', 'value', 'user', 'role'] as const;

/** What an outcome says comes later, and so is closer to the truth. */
function costOf({ decision, outcomes }: Row, name: keyof DecisionCost): number | undefined {
  const costs = [decision?.cost, ...outcomes.map(({ cost }) => cost)];
  return costs.findLast((cost) => cost?.[name] !== undefined)?.[name];
}

function detailsOf(act: Row['act']): string {
  return Object.entries(act)
    .flatMap(([name, value]) =>
      name === 'kind' || value === undefined || value === '' ? [] : [`${name}: ${textOf(value)}`],
    )
    .join('; ');
}

const COLUMNS: readonly (readonly [string, (row: Row) => CsvCell])[] = [
  ['time', ({ entry }) => new Date(entry.at).toISOString()],
  ['person', ({ entry }) => entry.by],
  ['channel', ({ entry }) => entry.channel],
  ['action', ({ entry }) => entry.act.kind],
  ['what', ({ entry }) => ACTIONS_IN_WORDS[entry.act.kind]],
  [
    'subject',
    ({ act, decision }) => SUBJECTS.map((name) => textOf(act[name])).find(Boolean) ?? decision?.subject,
  ],
  ['details', ({ act }) => detailsOf(act)],
  ['result', ({ entry }) => entry.answer?.kind],
  ['result_code', ({ entry }) => entry.answer?.code],
  ['result_words', ({ entry }) => entry.answer?.words],
  ['job', ({ entry, act }) => entry.answer?.job ?? textOf(act['job'])],
  ['outcome', ({ outcomes }) => outcomes.at(-1)?.result],
  ['connects', (row) => costOf(row, 'connects')],
  ['boost_connects', (row) => costOf(row, 'boostConnects')],
  ['credits', (row) => costOf(row, 'credits')],
  [
    'uncertain_credits',
    // What was uncertain once may be known now.
    ({ outcomes }) => outcomes.findLast(({ cost }) => cost?.credits !== undefined)?.cost?.uncertainCredits,
  ],
  ['shown', ({ decision }) => decision?.shown?.text],
  ['shown_hash', ({ decision }) => decision?.shown?.hash],
  ['ledger_number', ({ decision }) => decision?.seq],
  ['ledger_hash', ({ decision }) => decision?.hash],
];

/** Without its first character, spreadsheets read UTF-8 as another encoding. */
const AUDIT_CSV_START = `\uFEFF${csvLine(COLUMNS.map(([name]) => name))}`;

/** In one file. */
export const MOST_EXPORTED = 10_000;
/** Read at most, in case most of them belong to channels that the person may not see. */
const MOST_READ = 2 * MOST_EXPORTED;
/** Read at once: a page takes some milliseconds. */
const PAGE = 100;

export interface AuditPeriod {
  readonly days: number;
  readonly from: Instant;
}

interface ExportedLog {
  /** Newest first. */
  readonly lines: readonly string[];
  /** Entries of channels that the person may not see. */
  readonly hidden: number;
  /** There are older entries in the period. */
  readonly isCut: boolean;
}

function readPage({ store }: Services, order: AuditPageRequest) {
  return store.read(async (tx) => {
    const { entries, hasOlder } = await readAuditPage(tx, order);
    const found: ExportedEntry[] = [];
    for (const entry of entries) {
      const decision = await findDecision(tx, [entry.at, entry.number]);
      found.push({ entry, decision, outcomes: decision ? await listOutcomes(tx, decision) : [] });
    }
    return { entries: found, hasOlder };
  });
}

/** Undefined for admins everywhere, who see the entries of all channels; an admin of one channel sees its. */
export async function findAuditedChannel(reader: RequestContext): Promise<ChannelId | undefined> {
  const everywhere = await reader.services.resolvePerson(reader.person.user);
  return hasRoleAtLeast(everywhere.role, 'admin') ? undefined : reader.channel;
}

/** The entries' channels, besides direct messages. */
export function placesOf(entries: readonly AuditEntry[]): readonly ChannelId[] {
  const places = entries.flatMap(({ channel }) => channel ?? []);
  return [...new Set(places)].filter((place) => !isDirectMessage(place));
}

/** Whether the entry belongs to no channel that the person may not see. */
export function isVisible({ channel }: AuditEntry, { sees }: Pick<VisibleChannels, 'sees'>): boolean {
  return channel === undefined || isDirectMessage(channel) || sees(channel);
}

async function readLog(call: CommandCall, channel: ChannelId | undefined, from: Instant) {
  const lines: string[] = [];
  let hidden = 0;
  let turn: AuditPageRequest['turn'];
  for (let read = 0; ; read += PAGE) {
    const order = { from, size: PAGE, channel, turn };
    const { entries, hasOlder } = await readPage(call.services, order);
    const places = placesOf(entries.map(({ entry }) => entry));
    const outlook = await resolveVisibleChannels(call, places);
    const visible = entries.filter(({ entry }) => isVisible(entry, outlook));
    if (outlook.isUnsure && visible.length < entries.length) return undefined;
    hidden += entries.length - visible.length;
    for (const each of visible.slice(0, MOST_EXPORTED - lines.length))
      lines.push(csvLine(COLUMNS.map(([, cellOf]) => cellOf({ ...each, act: each.entry.act }))));
    const oldest = entries.at(-1)?.entry;
    if (!oldest || !hasOlder) return { lines, hidden, isCut: false };
    if (lines.length >= MOST_EXPORTED || read + PAGE >= MOST_READ) return { lines, hidden, isCut: true };
    turn = { to: 'older', than: [oldest.at, oldest.number] };
    await nextTurn();
  }
}

const UNSURE: Message = {
  text: "Couldn't check your channels with Slack, so nothing was exported. Try again in a minute.",
};

function noScopeMessage(days: number): Message {
  const pages = commandButton({ command: 'audit', label: 'Show Pages', args: String(days) });
  return messageWithButtons(
    "Gigdesk can't send files here: its Slack app doesn't have the permission `files:write`. " +
      'You can read the audit log in pages instead.',
    pages,
  );
}

function nothingMessage({ hidden }: ExportedLog, days: number): Message {
  const when = formatLastDays(days);
  const text =
    hidden > 0
      ? `All ${formatCount(hidden, 'entry', 'entries')} in ${when} are from private channels you're not in.`
      : `No changes and no bids in ${when}.`;
  return { text };
}

/** An admin of one channel gets its entries; admins everywhere those of all channels that they may see. */
export async function exportAuditLog(call: CommandCall, { days, from }: AuditPeriod): Promise<void> {
  const { services, person } = call;
  if (services.missingScopes?.includes('files:write')) return call.answer(noScopeMessage(days));
  const channel = await findAuditedChannel(call);
  const log = await readLog(call, channel, from);
  if (!log) return call.answer(UNSURE);
  if (log.lines.length === 0) return call.answer(nothingMessage(log, days));
  const day = new Date(services.clock.now()).toISOString().slice(0, 10);
  const where = channel ? channelLink(channel) : 'this workspace';
  const words = joinLines(
    `${formatCount(log.lines.length, 'entry', 'entries')} of ${formatLastDays(days)}.`,
    log.isCut ? 'Only the newest are in the file: there are more than fit.' : undefined,
    log.hidden > 0
      ? `${formatCount(log.hidden, 'entry', 'entries')} from private channels you're not in are left out.`
      : undefined,
  );
  try {
    await services.slack.sendFile(person.user, {
      bytes: new TextEncoder().encode(AUDIT_CSV_START + log.lines.join('')),
      name: `gigdesk-audit-${day}-${days}d.csv`,
      type: 'text/csv',
      title: `Audit log, ${formatLastDays(days)}`,
      comment: joinLines(`*Audit log for ${where}*`, words),
    });
  } catch (thrown) {
    if (toSlackCallError(thrown).code === 'missing_scope') return call.answer(noScopeMessage(days));
    return call.answer(logAndDescribeFailure(services, 'could not send an audit export', thrown));
  }
  await call.answer({ text: joinLines(':white_check_mark: *Sent you a file by direct message.*', words) });
}
