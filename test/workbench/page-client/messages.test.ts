/** The order of messages, the dividers between them, and the unread mark. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrivalAnnouncementText } from '../../../src/workbench/page/client/arrival-announcement.ts';
import { buildMessageRows } from '../../../src/workbench/page/client/message-rows.ts';
import {
  compareTs,
  findPageContaining,
  MESSAGES_PER_PAGE,
  mergeMessagePage,
} from '../../../src/workbench/page/client/ordering.ts';
import { nextOrder, sortRows, type TableOrder } from '../../../src/workbench/page/client/sort-rows.ts';
import {
  clampSeenMessageCounts,
  countUnread,
  findFirstUnreadTs,
  markChannelSeen,
} from '../../../src/workbench/page/client/unread.ts';
import type { ShownMessage } from '../../../src/workbench/page/protocol.ts';

const MINUTE = 60_000;

/** As the page's server sends it. */
function aMessage(count: number, changes: Partial<ShownMessage> = {}): ShownMessage {
  return {
    channel: 'C1',
    ts: `1795000000.${String(count).padStart(6, '0')}`,
    at: 0,
    author: 'gigdesk',
    byBot: true,
    edited: false,
    onlyMe: false,
    replies: 0,
    html: '<p>Hello</p>',
    blocks: [],
    unfurls: [],
    files: [],
    ...changes,
  };
}

function many(count: number): readonly ShownMessage[] {
  return Array.from({ length: count }, (_, at) => aMessage(at + 1));
}

function textsOf(messages: readonly ShownMessage[]): readonly string[] {
  return messages.map(({ ts }) => ts);
}

describe('messages put together from pages', () => {
  it('stand by second, then by count, not by the alphabet', () => {
    const mixed = ['10.000002', '9.000009', '10.000010'];
    expect(mixed.toSorted(compareTs)).toEqual(['9.000009', '10.000002', '10.000010']);
  });

  it('a newer page takes the place of what it tells of, and older messages stay above', () => {
    const all = many(450);
    const before = all.slice(50, 300);
    const after = mergeMessagePage(before, all.slice(250));
    expect(textsOf(after)).toEqual(textsOf(all.slice(50)));
  });

  it('what a page lacks was deleted', () => {
    const [first, second, third] = many(3);
    if (!first || !second || !third) throw new Error('three messages were made');
    expect(textsOf(mergeMessagePage([first, second, third], [first, third]))).toEqual([first.ts, third.ts]);
    expect(mergeMessagePage([first], [])).toEqual([]);
  });

  it('what did not change stays the same object, so that nobody draws it again', () => {
    const before = many(3);
    const again = structuredClone(before);
    const changed = again.map((each, at) => (at === 1 ? { ...each, edited: true } : each));
    const after = mergeMessagePage(before, changed);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    expect(after[2]).toBe(before[2]);
  });

  it('rereading the page that should hold a change always brings it, and loses nothing', () => {
    const sizes = fc.record({
      total: fc.integer({ min: 1, max: 900 }),
      known: fc.integer({ min: 1, max: 900 }),
      at: fc.nat(899),
    });
    fc.assert(
      fc.property(sizes, ({ total, known: wanted, at }) => {
        const all = many(total);
        // As the page loads them: in whole pages from the end.
        const count = Math.min(total, Math.ceil(wanted / MESSAGES_PER_PAGE) * MESSAGES_PER_PAGE);
        const known = all.slice(-count);
        const target = all[at % total];
        if (!target) throw new Error('the index is within');
        const asked = findPageContaining(known, target.ts);
        const isKnown = known.includes(target);
        expect(asked !== undefined).toBe(isKnown);
        if (!asked) return;
        const { before } = asked;
        const changed = all.map((each) => (each === target ? { ...each, edited: true } : each));
        const page = changed.filter(({ ts }) => before === undefined || compareTs(ts, before) < 0);
        const after = mergeMessagePage(known, page.slice(-MESSAGES_PER_PAGE), before);
        expect(textsOf(after).slice(-known.length)).toEqual(textsOf(known));
        expect(after.find(({ ts }) => ts === target.ts)?.edited).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('lines between messages', () => {
  const dayOf = (at: number) => String(Math.floor(at / (24 * 60 * MINUTE)));

  function kindsOf(messages: readonly ShownMessage[], firstNew?: string): readonly string[] {
    return buildMessageRows(messages, dayOf, firstNew).map((row) =>
      row.kind === 'message' && row.follows ? 'follows' : row.kind,
    );
  }

  it('each day has its line, and what is new one above it', () => {
    const list = [aMessage(1, { at: 0 }), aMessage(2, { at: MINUTE }), aMessage(3, { at: 24 * 60 * MINUTE })];
    expect(kindsOf(list)).toEqual(['day', 'message', 'follows', 'day', 'message']);
    expect(kindsOf(list, list[1]?.ts)).toEqual(['day', 'message', 'new', 'message', 'day', 'message']);
  });

  it('messages join those of the same author within five minutes', () => {
    const ada = aMessage(1, { at: 0, author: 'ada', byBot: false });
    const soon = aMessage(2, { at: 2 * MINUTE, author: 'ada', byBot: false });
    const late = aMessage(3, { at: 8 * MINUTE, author: 'ada', byBot: false });
    const ben = aMessage(4, { at: 8 * MINUTE, author: 'ben', byBot: false });
    expect(kindsOf([ada, soon, late, ben])).toEqual(['day', 'message', 'follows', 'message', 'message']);
  });
});

describe('what was not read yet', () => {
  const channel = { id: 'C1', messages: 7 };

  it('is counted from what was seen, and nothing is after it was', () => {
    expect(countUnread({}, channel)).toBe(7);
    expect(countUnread({ C1: 5 }, channel)).toBe(2);
    expect(countUnread(markChannelSeen({ C2: 1 }, channel), channel)).toBe(0);
  });

  it('deleted messages or a fresh workbench yield no negative count, and hide nothing new', () => {
    expect(countUnread({ C1: 40 }, channel)).toBe(0);
    const clamped = clampSeenMessageCounts({ C1: 40, gone: 3 }, [channel]);
    expect(countUnread(clamped, { id: 'C1', messages: 8 })).toBe(1);
    expect(clamped).not.toHaveProperty('gone');
  });

  it('begins at a message that counted: notes for one reader do not', () => {
    const list = [aMessage(1), aMessage(2), aMessage(3, { onlyMe: true }), aMessage(4)];
    expect(findFirstUnreadTs(list, 1)).toBe(list[3]?.ts);
    expect(findFirstUnreadTs(list, 2)).toBe(list[1]?.ts);
  });
});

describe('what a screen reader hears', () => {
  const said = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ author: 'gigdesk', words: `Project\n ${at}` }));

  it('is their number when they flood, and never a long text', () => {
    expect(arrivalAnnouncementText(said(12), '#web')).toMatch(/^12 .*#web/u);
    const long = arrivalAnnouncementText([{ author: 'gigdesk', words: 'word '.repeat(200) }], '#web');
    expect(long.length).toBeLessThan(200);
    expect(long.endsWith('…')).toBe(true);
  });
});

describe('a data table', () => {
  const row = (name: string, sent: number) => [
    { html: name, sort: name },
    { html: String(sent), sort: sent },
  ];
  const rows = [row('b', 10), row('a', 9), row('c', 100)];
  const sorted = (order: TableOrder | undefined) => sortRows(rows, order).map(([first]) => first?.html);

  it('sorts words by letters and numbers by size, and returns to the order of the app', () => {
    let order = nextOrder(undefined, 1);
    expect(sorted(order)).toEqual(['a', 'b', 'c']);
    order = nextOrder(order, 1);
    expect(sorted(order)).toEqual(['c', 'b', 'a']);
    expect(sorted(nextOrder(order, 0))).toEqual(['a', 'b', 'c']);
    expect(sorted(nextOrder(order, 1))).toEqual(['b', 'a', 'c']);
  });
});
