/** One page of the audit log, newest first. Pure. */

import type { KnownBlock } from '@slack/types';
import type { AuditEntry } from '../../audit/audit.ts';
import type { AuditPage } from '../../audit/read-audit.ts';
import type { Instant } from '../../clock.ts';
import type { ChannelId } from '../../ids.ts';
import { isDirectMessage } from '../../ids.ts';
import type { Message } from '../core/routes.ts';
import type { VisibleChannels } from '../core/user-channels.ts';
import { actionsBlock, buttonElement, contextBlock, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink, clipText } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import type { UserGroupNames } from '../kit/words/access-text.ts';
import { auditPageValueCodec } from './audit-values.ts';
import { auditLine, redactedAuditEntryText } from './audit-words.ts';

/** Each entry is one section. */
export const AUDIT_PAGE_SIZE = 15;
const LONGEST_LINE = 700;

export interface AuditFacts extends AuditPage, VisibleChannels {
  readonly days: number;
  readonly from: Instant;
  /** Only entries of this channel; missing: all entries. */
  readonly channel?: ChannelId;
  readonly names: UserGroupNames;
}

function turnButtons({ days, from, entries, hasNewer, hasOlder }: AuditFacts): KnownBlock[] {
  const turn = (to: 'older' | 'newer', edge: AuditEntry | undefined) =>
    edge ? [auditPageValueCodec.write({ days, from, to, at: edge.at, number: edge.number })] : [];
  const newer = hasNewer ? turn('newer', entries[0]) : [];
  const older = hasOlder ? turn('older', entries.at(-1)) : [];
  const buttons = [
    ...newer.map((value) =>
      buttonElement({
        id: actionIds.auditBack,
        label: 'Previous',
        value,
        accessibilityLabel: 'Newer entries',
      }),
    ),
    ...older.map((value) =>
      buttonElement({ id: actionIds.auditPage, label: 'Next', value, accessibilityLabel: 'Older entries' }),
    ),
  ];
  return buttons.length > 0 ? [actionsBlock(buttons)] : [];
}

/** Whether the entry belongs to a channel that the reader may not see. */
function isClosed({ channel }: AuditEntry, sees: AuditFacts['sees']): boolean {
  return channel !== undefined && !isDirectMessage(channel) && !sees(channel);
}

function closedNote({ entries, sees, isUnsure }: AuditFacts): KnownBlock[] {
  if (!entries.some((entry) => isClosed(entry, sees))) return [];
  const why = isUnsure
    ? "Couldn't check your channels with Slack, so other channels show without details. " +
      'Try again in a minute.'
    : "Private channels you're not in show without details.";
  return [contextBlock(why)];
}

export function auditLogMessage(facts: AuditFacts): Message {
  const { days, entries, channel, names, sees } = facts;
  const where = channel ? channelLink(channel) : 'this workspace';
  const span = `the last ${days === 1 ? '24 hours' : formatCount(days, 'day')}`;
  const title = `Audit log for ${where}, ${span}`;
  const nothing =
    entries.length === 0
      ? 'No changes and no bids in this period. Use `/gig audit 30` to see the last 30 days.'
      : undefined;
  return {
    text: title,
    blocks: [
      sectionBlock(joinLines(`*${title}*`, nothing)),
      ...entries.map((entry) =>
        sectionBlock(
          clipText(
            isClosed(entry, sees) ? redactedAuditEntryText(entry) : auditLine(entry, names),
            LONGEST_LINE,
          ),
        ),
      ),
      ...closedNote(facts),
      ...(channel ? [contextBlock("You're an admin of this channel, so you see only its entries.")] : []),
      ...turnButtons(facts),
    ],
  };
}
