import { hasRoleAtLeast } from '../../access/roles.ts';
import type { AuditEntry } from '../../audit/audit.ts';
import { type AuditPageRequest, readAuditPage } from '../../audit/read-audit.ts';
import { DAY, type Instant } from '../../clock.ts';
import { isDirectMessage } from '../../ids.ts';
import type { CommandCall, CommandRoute, Message } from '../core/routes.ts';
import { type RequestContext, resolveVisibleChannels } from '../core/user-channels.ts';
import { readGroupNames } from '../core/user-groups.ts';
import { invalidDaysMessage } from '../kit/input-error.ts';
import { parseDays } from '../kit/words/parse-words.ts';
import { AUDIT_PAGE_SIZE, auditLogMessage } from './audit-log.ts';

const DAYS = 7;
const MOST_DAYS = 400;

function groupsOf({ act }: AuditEntry): readonly string[] {
  return act.kind === 'access-changed' ? [...act.added.groups, ...act.removed.groups] : [];
}

export interface AuditLogRequest {
  readonly days: number;
  readonly from: Instant;
  readonly turn?: NonNullable<AuditPageRequest['turn']>;
}

/**
 * An admin of one channel sees its entries. Admins everywhere also see other channels' entries, without
 * details of private channels they aren't in.
 */
export async function renderAuditLog(
  reader: RequestContext,
  { days, from, turn }: AuditLogRequest,
): Promise<Message> {
  const { services, person, channel } = reader;
  const everywhere = await services.resolvePerson(person.user);
  const where = hasRoleAtLeast(everywhere.role, 'admin') ? {} : { channel };
  const order = { ...where, from, size: AUDIT_PAGE_SIZE, ...(turn ? { turn } : {}) };
  const page = await services.store.read((tx) => readAuditPage(tx, services.team, order));
  const names = await readGroupNames(services, page.entries.flatMap(groupsOf));
  const places = page.entries
    .flatMap((entry) => entry.channel ?? [])
    .filter((each) => !isDirectMessage(each));
  const outlook = await resolveVisibleChannels(reader, places);
  return auditLogMessage({ ...page, ...where, ...outlook, days, from, names });
}

async function run(call: CommandCall): Promise<void> {
  const days = call.args === '' ? DAYS : parseDays(call.args, MOST_DAYS);
  if (days === undefined)
    return call.answer(invalidDaysMessage(call.args, { usual: DAYS, most: MOST_DAYS }, 'audit 30'));
  await call.answer(
    await renderAuditLog(call, { days, from: Math.max(0, call.services.clock.now() - days * DAY) }),
  );
}

export const auditCommand: CommandRoute = {
  word: 'audit',
  topic: 'about',
  needs: 'admin',
  usage: ['audit [<days>]'],
  summary: 'See who bid, approved, subscribed, or changed a budget or role, and when and where.',
  details:
    'Newest first, for the last 7 days by default. Entries are kept for 400 days. ' +
    "Channel admins see their channel's entries. " +
    "Entries from private channels you're not in show no details.",
  examples: ['audit', 'audit 30'],
  run,
};
