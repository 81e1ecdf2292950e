/** `/gig audit export`: the audit log as a CSV file, by direct message to the person who asks. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasRoleAtLeast } from '../../access/access.ts';
import { type AuditEntry, type AuditPageRequest, readAuditPage } from '../../audit/audit.ts';
import { DAY, type Instant } from '../../clock.ts';
import { findDecision, listOutcomes } from '../../decisions/decisions.ts';
import { type ChannelId, isDirectMessage } from '../../ids.ts';
import { toSlackCallError } from '../core/errors.ts';
import { logAndDescribeFailure } from '../core/handler-steps.ts';
import type { CommandCall, Message, Services } from '../core/routes.ts';
import { resolveVisibleChannels, type VisibleChannels } from '../core/user-channels.ts';
import { actionsBlock, joinLines, textMessage } from '../kit/block-builders.ts';
import { commandButton } from '../kit/command-button.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { formatCount, formatLastDays } from '../kit/numbers.ts';
import { AUDIT_CSV_START, auditCsvLine, type ExportedEntry } from './audit-csv.ts';

/** In one file. */
export const MOST_EXPORTED = 10_000;
/** Read at most, in case most of them belong to channels that the person may not see. */
const MOST_READ = 2 * MOST_EXPORTED;
/** Read at once: a page takes some milliseconds. */
const PAGE = 100;

export interface ExportRequest {
  readonly days: number;
  readonly from: Instant;
}

interface ExportedLog {
  readonly lines: readonly string[];
  /** Entries of channels that the person may not see. */
  readonly hidden: number;
  /** There are older entries in the period. */
  readonly isCut: boolean;
}

interface ExportedPage {
  readonly entries: readonly ExportedEntry[];
  readonly hasOlder: boolean;
}

/** The next older page, with the decisions of its entries, and how they ended. */
function readPage({ store, team }: Services, order: AuditPageRequest): Promise<ExportedPage> {
  return store.read(async (tx) => {
    const { entries, hasOlder } = await readAuditPage(tx, team, order);
    const found: ExportedEntry[] = [];
    for (const entry of entries) {
      const decision = await findDecision(tx, [team, entry.at, entry.number]);
      found.push({ entry, decision, outcomes: decision ? await listOutcomes(tx, decision) : [] });
    }
    return { entries: found, hasOlder };
  });
}

function placesOf(entries: readonly ExportedEntry[]): readonly ChannelId[] {
  const places = entries.flatMap(({ entry }) => entry.channel ?? []);
  return [...new Set(places)].filter((place) => !isDirectMessage(place));
}

function isVisible({ channel }: AuditEntry, { sees }: VisibleChannels): boolean {
  return channel === undefined || isDirectMessage(channel) || sees(channel);
}

/** Newest first. @returns undefined when Slack doesn't say which channels the person is in */
async function readLog(
  call: CommandCall,
  channel: ChannelId | undefined,
  from: Instant,
): Promise<ExportedLog | undefined> {
  const lines: string[] = [];
  let hidden = 0;
  let turn: AuditPageRequest['turn'];
  for (let read = 0; ; read += PAGE) {
    const order = { from, size: PAGE, ...(channel ? { channel } : {}), ...(turn ? { turn } : {}) };
    const { entries, hasOlder } = await readPage(call.services, order);
    const outlook = await resolveVisibleChannels(call, placesOf(entries));
    const visible = entries.filter(({ entry }) => isVisible(entry, outlook));
    if (outlook.isUnsure && visible.length < entries.length) return undefined;
    hidden += entries.length - visible.length;
    lines.push(...visible.slice(0, MOST_EXPORTED - lines.length).map(auditCsvLine));
    const oldest = entries.at(-1)?.entry;
    if (!oldest || !hasOlder) return { lines, hidden, isCut: false };
    if (lines.length >= MOST_EXPORTED || read + PAGE >= MOST_READ) return { lines, hidden, isCut: true };
    turn = { to: 'older', than: [oldest.at, oldest.number] };
    await nextTurn();
  }
}

function pagesButton(days: number) {
  return actionsBlock([commandButton({ command: 'audit', label: 'Show Pages', args: String(days) })]);
}

const UNSURE: Message = {
  text: "Couldn't check your channels with Slack, so nothing was exported. Try again in a minute.",
};

function noScopeMessage(days: number): Message {
  const words =
    "Gigdesk can't send files here: its Slack app doesn't have the permission `files:write`. " +
    'You can read the audit log in pages instead.';
  return textMessage(words, pagesButton(days));
}

function nothingMessage({ hidden }: ExportedLog, days: number): Message {
  const when = formatLastDays(days);
  const text =
    hidden > 0
      ? `All ${formatCount(hidden, 'entry', 'entries')} in ${when} are from private channels you're not in.`
      : `No changes and no bids in ${when}.`;
  return { text };
}

function sentText({ lines, hidden, isCut }: ExportedLog, days: number): string {
  return joinLines(
    `${formatCount(lines.length, 'entry', 'entries')} of ${formatLastDays(days)}.`,
    isCut ? 'Only the newest are in the file: there are more than fit.' : undefined,
    hidden > 0
      ? `${formatCount(hidden, 'entry', 'entries')} from private channels you're not in are left out.`
      : undefined,
  );
}

/** An admin of one channel gets its entries; admins everywhere those of all channels that they may see. */
export async function exportAuditLog(call: CommandCall, { days, from }: ExportRequest): Promise<void> {
  const { services, person, channel: here } = call;
  if (services.missingScopes?.includes('files:write')) return call.answer(noScopeMessage(days));
  const everywhere = await services.resolvePerson(person.user);
  const channel = hasRoleAtLeast(everywhere.role, 'admin') ? undefined : here;
  const log = await readLog(call, channel, from);
  if (!log) return call.answer(UNSURE);
  if (log.lines.length === 0) return call.answer(nothingMessage(log, days));
  const day = new Date(services.clock.now()).toISOString().slice(0, 10);
  const where = channel ? channelLink(channel) : 'this workspace';
  const words = sentText(log, days);
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

/** The oldest entry of a period. */
export function periodStart({ clock }: Services, days: number): Instant {
  return Math.max(0, clock.now() - days * DAY);
}
