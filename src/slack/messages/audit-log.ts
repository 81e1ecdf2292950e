/** The audit log, a page of it, newest first. Pure. */
import type { KnownBlock } from '@slack/types';
import type { AuditEntry } from '../../audit/audit.ts';
import type { AuditPage } from '../../audit/read-audit.ts';
import type { Instant } from '../../clock.ts';
import type { ChannelId } from '../../ids.ts';
import { actionIds } from '../blocks/ids.ts';
import { channelLink, clip } from '../blocks/mrkdwn.ts';
import { count } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import type { Outlook } from '../sight.ts';
import { isDirect } from '../views/home-facts.ts';
import type { GroupNames } from './access-words.ts';
import { auditPageValue } from './audit-values.ts';
import { auditLine, closedAuditLine } from './audit-words.ts';
import { actions, button, context, lines, section } from './parts.ts';

/** One section each. */
export const AUDIT_PAGE = 15;
const LONGEST_LINE = 700;

export interface AuditFacts extends AuditPage, Outlook {
  readonly days: number;
  readonly from: Instant;
  /** What was done in this channel alone; missing: everywhere. */
  readonly channel?: ChannelId;
  readonly names: GroupNames;
}

function turnButtons({ days, from, entries, hasNewer, hasOlder }: AuditFacts): KnownBlock[] {
  const turn = (to: 'older' | 'newer', edge: AuditEntry | undefined) =>
    edge ? [auditPageValue.write({ days, from, to, at: edge.at, number: edge.number })] : [];
  const newer = hasNewer ? turn('newer', entries[0]) : [];
  const older = hasOlder ? turn('older', entries.at(-1)) : [];
  const buttons = [
    ...newer.map((value) =>
      button({ id: actionIds.auditBack, label: 'Previous', value, spoken: 'Newer entries' }),
    ),
    ...older.map((value) =>
      button({ id: actionIds.auditPage, label: 'Next', value, spoken: 'Older entries' }),
    ),
  ];
  return buttons.length > 0 ? [actions(buttons)] : [];
}

/** Of a channel that the reader may not see. */
function isClosed({ channel }: AuditEntry, sees: AuditFacts['sees']): boolean {
  return channel !== undefined && !isDirect(channel) && !sees(channel);
}

function closedNote({ entries, sees, isUnsure }: AuditFacts): KnownBlock[] {
  if (!entries.some((entry) => isClosed(entry, sees))) return [];
  const why = isUnsure
    ? "Couldn't check your channels with Slack, so other channels show without details. Try again in a minute."
    : "Private channels you're not in show without details.";
  return [context(why)];
}

export function auditLogMessage(facts: AuditFacts): Message {
  const { days, entries, channel, names, sees } = facts;
  const where = channel ? channelLink(channel) : 'this workspace';
  const span = `the last ${days === 1 ? '24 hours' : count(days, 'day')}`;
  const title = `Audit log for ${where}, ${span}`;
  const nothing =
    entries.length === 0
      ? 'No changes and no bids in this period. Use `/gig audit 30` to see the last 30 days.'
      : undefined;
  return {
    text: title,
    blocks: [
      section(lines(`*${title}*`, nothing)),
      ...entries.map((entry) =>
        section(clip(isClosed(entry, sees) ? closedAuditLine(entry) : auditLine(entry, names), LONGEST_LINE)),
      ),
      ...closedNote(facts),
      ...(channel ? [context("You're an admin of this channel, so you see only its entries.")] : []),
      ...turnButtons(facts),
    ],
  };
}
