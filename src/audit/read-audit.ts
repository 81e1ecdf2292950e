/** Reads the audit log page by page, newest first. */
import type { Instant } from '../clock.ts';
import type { ChannelId, TeamId } from '../ids.ts';
import type { KeyPart, ListOptions, ReadTransaction } from '../storage/store.ts';
import { type AuditEntry, auditEntries } from './audit.ts';

/** Position of an entry in the log: its instant, and its number within the instant. */
export type AuditCursor = readonly [at: Instant, number: number];

export interface AuditPageRequest {
  /** Only entries of this channel; missing: everywhere. */
  readonly channel?: ChannelId;
  /** The oldest instant to include. */
  readonly from: Instant;
  readonly size: number;
  /** The page older or newer than this entry; missing: the newest page. */
  readonly turn?: { readonly to: 'older' | 'newer'; readonly than: AuditCursor };
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Whether there are more entries on that side. */
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

function placeOf({ at, number }: AuditEntry): AuditCursor {
  return [at, number];
}

/** The position right after an entry, so that a range can exclude the entry. */
function behind([at, number]: AuditCursor): AuditCursor {
  return [at, number + 1];
}

/** Reads one page; new entries don't shift the page. */
export async function readAuditPage(
  tx: ReadTransaction,
  team: TeamId,
  { channel, from, size, turn }: AuditPageRequest,
): Promise<AuditPage> {
  const where: Pick<ListOptions, 'index' | 'prefix'> = channel
    ? { index: 'byChannel', prefix: [team, channel] }
    : { prefix: [team] };
  const read = async (
    start: readonly KeyPart[],
    end: AuditCursor | undefined,
    limit: number,
    reverse: boolean,
  ): Promise<AuditEntry[]> => {
    const entries = await tx.list(auditEntries, {
      ...where,
      from: start,
      ...(end ? { to: end } : {}),
      limit,
      reverse,
    });
    return entries.map(({ value }) => value);
  };
  const isAny = async (start: readonly KeyPart[], end: AuditCursor | undefined) =>
    (await read(start, end, 1, false)).length > 0;

  if (turn?.to === 'newer') {
    const found = await read(laterOf([from], behind(turn.than)), undefined, size + 1, false);
    const entries = found.slice(0, size).toReversed();
    const hasOlder = await isAny([from], behind(turn.than));
    return { entries, hasOlder, hasNewer: found.length > size };
  }
  const found = await read([from], turn?.than, size + 1, true);
  const entries = found.slice(0, size);
  const [first] = entries;
  const start = first ? behind(placeOf(first)) : turn?.than;
  const hasNewer = start !== undefined && (await isAny(laterOf([from], start), undefined));
  return { entries, hasOlder: found.length > size, hasNewer };
}

/** Limits a start to the window, because a button may contain an older position. */
function laterOf(window: readonly [Instant], place: AuditCursor): readonly KeyPart[] {
  return place[0] < window[0] ? window : place;
}
