/** Reads one page of records that are sorted by time; new records don't shift it. */
import type { Instant } from '../clock.ts';
import type { Collection, Key, KeyPart, ReadTransaction } from './store.ts';

/** A record's place: its instant, and its number among the records around that instant. */
export type PageCursor = readonly [at: Instant, number: number];

/** The page older or newer than a record. */
export interface PageTurn {
  readonly to: 'older' | 'newer';
  readonly than: PageCursor;
}

interface PageRequest<T> {
  /** One of the collection's indexes; without it, the order of keys. The prefix is followed by the cursor. */
  readonly index?: string;
  readonly prefix?: Key;
  /** The oldest instant to include; missing: all. */
  readonly from?: Instant;
  readonly size: number;
  /** Missing: the newest page. */
  readonly turn?: PageTurn;
  readonly cursorOf: (record: T) => PageCursor;
}

/** The position right after a record, so that a range can exclude the record. */
function behind([at, number]: PageCursor): PageCursor {
  return [at, number + 1];
}

/** The page's entries, newest first. */
export async function readPage<T>(
  tx: ReadTransaction,
  collection: Collection<T>,
  { index, prefix, from, size, turn, cursorOf }: PageRequest<T>,
) {
  const oldest = from === undefined ? undefined : [from];
  /** Limits a start to the window, because a button may contain an older position. */
  const notBefore = (place: PageCursor) => (from !== undefined && place[0] < from ? [from] : place);
  const read = async (
    start: readonly KeyPart[] | undefined,
    end: PageCursor | undefined,
    limit: number,
    reverse: boolean,
  ): Promise<T[]> => {
    const records = await tx.list(collection, { index, prefix, from: start, to: end, limit, reverse });
    return records.map(({ value }) => value);
  };
  const isAny = async (start: readonly KeyPart[] | undefined, end: PageCursor | undefined) =>
    (await read(start, end, 1, false)).length > 0;

  if (turn?.to === 'newer') {
    const after = behind(turn.than);
    const found = await read(notBefore(after), undefined, size + 1, false);
    const entries = found.slice(0, size).toReversed();
    return { entries, hasOlder: await isAny(oldest, after), hasNewer: found.length > size };
  }
  const found = await read(oldest, turn?.than, size + 1, true);
  const entries = found.slice(0, size);
  const [first] = entries;
  const start = first ? behind(cursorOf(first)) : turn?.than;
  const hasNewer = start !== undefined && (await isAny(notBefore(start), undefined));
  return { entries, hasOlder: found.length > size, hasNewer };
}
