/** A channel's messages as the page holds them: oldest first, by `ts`, put together from pages of the server. Pure. */
import type { ShownMessage } from '../protocol.ts';

/** How many messages a page of a channel has at the most; a shorter one is the first. Source: protocol.ts. */
export const PAGE_SIZE = 200;

/** Negative when `a` stands above `b`. A `ts` is seconds, a point, and a counter. */
export function compareTs(a: string, b: string): number {
  const [seconds = '', count = ''] = a.split('.');
  const [otherSeconds = '', otherCount = ''] = b.split('.');
  return Number(seconds) - Number(otherSeconds) || Number(count) - Number(otherCount);
}

function isSame(a: ShownMessage, b: ShownMessage): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** `page`, with the objects of `known` where nothing changed, so that what is drawn already can be told from what is not. */
function keepUnchanged(known: readonly ShownMessage[], page: readonly ShownMessage[]): ShownMessage[] {
  const before = new Map(known.map((each) => [each.ts, each]));
  return page.map((each) => {
    const old = before.get(each.ts);
    return old && isSame(old, each) ? old : each;
  });
}

/**
 * What is known after a page has come. The page tells everything in its range: what it lacks there was deleted.
 * `before`: the `ts` below which it was asked for; absent for the newest.
 */
export function mergePage(
  known: readonly ShownMessage[],
  page: readonly ShownMessage[],
  before?: string,
): readonly ShownMessage[] {
  const first = page[0]?.ts;
  const last = known.at(-1)?.ts;
  const isWhole = page.length < PAGE_SIZE;
  const isApart = first !== undefined && last !== undefined && compareTs(last, first) < 0;
  // What lies between the two was never fetched: whoever scrolls up gets it then.
  if (isApart && !isWhole && before === undefined) return page;
  const above = known.filter(({ ts }) => !isWhole && first !== undefined && compareTs(ts, first) < 0);
  const below = known.filter(({ ts }) => before !== undefined && compareTs(ts, before) >= 0);
  return [...above, ...keepUnchanged(known, page), ...below];
}

/**
 * What to ask the server for to hear of the message `ts` again: the page below `before`, or without it the newest.
 * undefined: it stands above all that was fetched, so nobody sees it.
 */
export function findPageContaining(
  known: readonly ShownMessage[],
  ts: string,
): { readonly before?: string } | undefined {
  const fromEnd = known.findLastIndex((each) => compareTs(each.ts, ts) <= 0);
  if (fromEnd === -1 && known.length >= PAGE_SIZE) return undefined;
  const next = known[fromEnd + 1]?.ts;
  const isInNewest = known.length - fromEnd <= PAGE_SIZE;
  return isInNewest || next === undefined ? {} : { before: next };
}
