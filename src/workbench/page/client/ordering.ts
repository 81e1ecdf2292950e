/** A channel's messages in the page: oldest first, by `ts`, merged from pages of the server. Pure. */
import type { ShownMessage } from '../protocol.ts';

/** Maximum number of messages on a page; a shorter page is the channel's first. Source: protocol.ts. */
export const MESSAGES_PER_PAGE = 200;

/** Negative when `a` comes before `b`. A `ts` is seconds, a point, and a counter. */
export function compareTs(a: string, b: string): number {
  const [seconds = '', count = ''] = a.split('.');
  const [otherSeconds = '', otherCount = ''] = b.split('.');
  return Number(seconds) - Number(otherSeconds) || Number(count) - Number(otherCount);
}

function isSame(a: ShownMessage, b: ShownMessage): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** `page`, with the known object of each unchanged message, so that the list can skip redrawing it. */
function keepUnchanged(known: readonly ShownMessage[], page: readonly ShownMessage[]): ShownMessage[] {
  const before = new Map(known.map((each) => [each.ts, each]));
  return page.map((each) => {
    const old = before.get(each.ts);
    return old && isSame(old, each) ? old : each;
  });
}

/**
 * All known messages after a page arrives. A page is complete in its range: known messages that it lacks were
 * deleted. `before`: the `ts` that the page was requested with; absent for the newest.
 */
export function mergeMessagePage(
  known: readonly ShownMessage[],
  page: readonly ShownMessage[],
  before?: string,
): readonly ShownMessage[] {
  const first = page[0]?.ts;
  const last = known.at(-1)?.ts;
  const isWhole = page.length < MESSAGES_PER_PAGE;
  const isApart = first !== undefined && last !== undefined && compareTs(last, first) < 0;
  // The messages between the two were never fetched; scrolling up fetches them.
  if (isApart && !isWhole && before === undefined) return page;
  const above = known.filter(({ ts }) => !isWhole && first !== undefined && compareTs(ts, first) < 0);
  const below = known.filter(({ ts }) => before !== undefined && compareTs(ts, before) >= 0);
  return [...above, ...keepUnchanged(known, page), ...below];
}

/**
 * The page to fetch for an update of the message `ts`: the page below `before`, or without it the newest.
 * undefined: the message is above all fetched ones, so it isn't shown.
 */
export function findPageContaining(
  known: readonly ShownMessage[],
  ts: string,
): { readonly before?: string } | undefined {
  const fromEnd = known.findLastIndex((each) => compareTs(each.ts, ts) <= 0);
  if (fromEnd === -1 && known.length >= MESSAGES_PER_PAGE) return undefined;
  const next = known[fromEnd + 1]?.ts;
  const isInNewest = known.length - fromEnd <= MESSAGES_PER_PAGE;
  return isInNewest || next === undefined ? {} : { before: next };
}
