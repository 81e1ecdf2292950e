/** `/gig audit`: one page of the audit log, newest first, with buttons to the others. */
import type { Button, KnownBlock } from '@slack/types';
import { z } from 'zod';
import { type AuditEntry, type AuditPage, type AuditPageRequest, readAuditPage } from '../../audit/audit.ts';
import { DAY } from '../../clock.ts';
import type { ChannelId } from '../../ids.ts';
import type { ActionCall, ActionRoute, CommandCall, CommandRoute, Message } from '../core/routes.ts';
import { type RequestContext, resolveVisibleChannels, type VisibleChannels } from '../core/user-channels.ts';
import { readGroupNames } from '../core/user-groups.ts';
import { actionsBlocks, contextBlock, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { jsonValueCodec } from '../kit/button-values.ts';
import { commandButton, messageWithButtons } from '../kit/command-button.ts';
import { invalidDaysMessage, parseDays } from '../kit/command-text.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { formatLastDays } from '../kit/numbers.ts';
import { pageButtons } from '../kit/paged-list.ts';
import { dataTableBlock, dateCell, mrkdwnCell, personCell } from '../kit/rich-blocks.ts';
import type { UserGroupNames } from '../kit/words/labels.ts';
import { type AuditPeriod, exportAuditLog, findAuditedChannel, isVisible, placesOf } from './audit-export.ts';
import { auditPlaceText, auditText, type FilterNames, redactedAuditText } from './audit-words.ts';

const DAYS = 7;
const MOST_DAYS = 400;

const instant = z.number().int().min(0).max(8_640_000_000_000_000);

const auditPageValueCodec = jsonValueCodec(
  z.object({
    /** The number of days requested, and the start time that resulted from it. */
    days: z.number().int().min(1).max(MOST_DAYS),
    from: instant,
    to: z.enum(['older', 'newer']),
    /** The entry at the edge of the current page. */
    at: instant,
    number: z.number().int().min(0).max(1_000_000),
  }),
);

const AUDIT_PAGE_SIZE = 15;
const LONGEST_TEXT = 500;

interface AuditFacts extends AuditPage, VisibleChannels, AuditPeriod {
  /** Only entries of this channel; missing: all entries. */
  readonly channel?: ChannelId;
  readonly names: UserGroupNames;
  readonly filterNames: FilterNames;
}

function turnButtons({ days, from, entries, hasNewer, hasOlder }: AuditFacts): Button[] {
  const turn = (to: 'older' | 'newer', edge: AuditEntry | undefined) =>
    edge && { days, from, to, at: edge.at, number: edge.number };
  return pageButtons(
    auditPageValueCodec.write,
    {
      id: actionIds.auditBack,
      label: 'Previous',
      to: hasNewer ? turn('newer', entries[0]) : undefined,
      accessibilityLabel: 'Newer entries',
    },
    {
      id: actionIds.auditPage,
      label: 'Next',
      to: hasOlder ? turn('older', entries.at(-1)) : undefined,
      accessibilityLabel: 'Older entries',
    },
  );
}

function closedNote(facts: AuditFacts): KnownBlock[] {
  if (facts.entries.every((entry) => isVisible(entry, facts))) return [];
  const why = facts.isUnsure
    ? "Couldn't check your channels with Slack, so other channels show without details. " +
      'Try again in a minute.'
    : "Private channels you're not in show without details.";
  return [contextBlock(why)];
}

function auditTable(caption: string, facts: AuditFacts): KnownBlock[] {
  const { entries, names, filterNames } = facts;
  if (entries.length === 0) return [];
  const rows = entries.map((entry) => {
    const isOpen = isVisible(entry, facts);
    return [
      dateCell(entry.at),
      personCell(entry.by),
      mrkdwnCell(isOpen ? auditPlaceText(entry) : 'another channel'),
      mrkdwnCell(isOpen ? auditText(entry, names, filterNames) : redactedAuditText(entry), LONGEST_TEXT),
    ];
  });
  const columns = ['When', 'Who', 'Where', 'What'];
  return [dataTableBlock({ caption, columns, rows, pageSize: AUDIT_PAGE_SIZE })];
}

const LONGER_DAYS = 30;
const LONGER = commandButton({ command: 'audit', label: 'Last 30 Days', args: String(LONGER_DAYS) });

function auditLogMessage(facts: AuditFacts): Message {
  const { days, entries, channel } = facts;
  const where = channel ? channelLink(channel) : 'this workspace';
  const span = formatLastDays(days);
  const title = `Audit log for ${where}, ${span}`;
  const nothing = entries.length === 0 ? 'No changes and no bids in this period.' : undefined;
  return {
    text: title,
    blocks: [
      ...(nothing ? [sectionBlock(joinLines(`*${title}*`, nothing))] : []),
      ...auditTable(`Audit log${channel ? '' : ' for this workspace'}, ${span}`, facts),
      ...closedNote(facts),
      ...(channel ? [contextBlock("You're an admin of this channel, so you see only its entries.")] : []),
      ...actionsBlocks(turnButtons(facts)),
      ...actionsBlocks(nothing && days < LONGER_DAYS ? [LONGER] : []),
    ],
  };
}

/** Without details of private channels that the reader isn't in. */
async function renderAuditLog(
  reader: RequestContext,
  { days, from, turn }: AuditPeriod & Pick<AuditPageRequest, 'turn'>,
): Promise<Message> {
  const { services } = reader;
  const where = { channel: await findAuditedChannel(reader) };
  const order = { ...where, from, size: AUDIT_PAGE_SIZE, turn };
  const page = await services.store.read((tx) => readAuditPage(tx, order));
  const acts = page.entries.map(({ act }) => act);
  const groups = acts.flatMap((act) =>
    act.kind === 'access-changed' ? [...act.added.groups, ...act.removed.groups] : [],
  );
  const names = await readGroupNames(services, groups);
  const filters = new Set(
    acts.flatMap((act) => (act.kind === 'subscribed' || act.kind === 'unsubscribed' ? [act.filter] : [])),
  );
  const filterNames = await services.directory.readEntryNames('filter', [...filters]);
  const outlook = await resolveVisibleChannels(reader, placesOf(page.entries));
  return auditLogMessage({ ...page, ...where, ...outlook, days, from, names, filterNames });
}

async function runAudit(call: CommandCall): Promise<void> {
  const [, exported, rest = call.args] = /^(export)(?:\s+(.*))?$/isu.exec(call.args) ?? [];
  const written = exported && rest === call.args ? '' : rest;
  const days = written === '' ? DAYS : parseDays(written, MOST_DAYS);
  if (days === undefined) {
    const example = exported ? 'audit export 30' : 'audit 30';
    return call.answer(invalidDaysMessage(written, { usual: DAYS, most: MOST_DAYS }, example));
  }
  const order = { days, from: Math.max(0, call.services.clock.now() - days * DAY) };
  if (exported) return exportAuditLog(call, order);
  await call.answer(await renderAuditLog(call, order));
}

export const auditCommand: CommandRoute = {
  word: 'audit',
  topic: 'about',
  needs: 'admin',
  usage: ['audit [<days>]', 'audit export [<days>]'],
  summary: 'See who did what. Bids, approvals, subscriptions, budgets and roles, with time and place.',
  details:
    'Newest first, for the last 7 days by default. Entries are kept for 400 days. ' +
    "Channel admins see their channel's entries. " +
    "Entries from private channels you're not in show no details. " +
    '`audit export` sends you the entries you can see as a CSV file, by direct message.',
  examples: ['audit', 'audit 30', 'audit export 90'],
  run: runAudit,
};

const NEW_LIST = commandButton({ command: 'audit', label: 'New List' });
const OUTDATED = messageWithButtons('This list is out of date.', NEW_LIST);

async function turnPage(call: ActionCall): Promise<void> {
  const asked = auditPageValueCodec.read(call.value);
  if (!asked) return call.answer(OUTDATED);
  const { days, from, to, at, number } = asked;
  await call.replace(await renderAuditLog(call, { days, from, turn: { to, than: [at, number] } }));
}

/** Each button's value names its target page. */
export const auditActions: readonly ActionRoute[] = [
  { id: actionIds.auditPage, needs: 'admin', run: turnPage },
  { id: actionIds.auditBack, needs: 'admin', run: turnPage },
];
