import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AuditPage,
  type AuditPageRequest,
  auditEntries,
  readAuditPage,
  recordAuditEntry,
  recordAuditResult,
} from '../../src/audit/audit.ts';
import { ChannelId, UserId } from '../../src/ids.ts';
import { createMemoryStore } from '../memory-store.ts';

const ana = UserId.parse('UANA');
const C1 = ChannelId.parse('C1');
const C2 = ChannelId.parse('C2');
const resumed = { kind: 'resumed' } as const;

function openLog() {
  const store = createMemoryStore();
  return {
    store,
    add: (at: number, channel?: ChannelId) =>
      store.transact((tx) => recordAuditEntry(tx, { at, by: ana, channel, act: resumed })),
    /** Oldest first. */
    all: async () => {
      const found = await store.read((tx) => tx.list(auditEntries, { limit: 1_000 }));
      return found.map(({ value }) => value);
    },
    page: (order: AuditPageRequest) => store.read((tx) => readAuditPage(tx, order)),
  };
}

type Log = ReturnType<typeof openLog>;
type Base = Omit<AuditPageRequest, 'turn'>;

/** Presses the same button while it is shown. @returns all shown texts, in order */
async function walk(log: Log, base: Base, to: 'older' | 'newer', start: AuditPage) {
  const seen = inOrder(start, to);
  let page = start;
  while (to === 'older' ? page.hasOlder : page.hasNewer) {
    const edge = inOrder(page, to).at(-1) ?? expect.fail('nothing is behind an empty page');
    page = await log.page({ ...base, turn: { to, than: [edge.at, edge.number] } });
    expect(to === 'older' ? page.hasNewer : page.hasOlder).toBe(true);
    seen.push(...inOrder(page, to));
  }
  return { seen, page };
}

function inOrder({ entries }: AuditPage, to: 'older' | 'newer') {
  return to === 'older' ? [...entries] : entries.toReversed();
}

describe('the pages of the audit log', () => {
  const places = fc.constantFrom(C1, C2, undefined);

  it('hold every entry once, newest first, there and back, while others come in', async () => {
    const when = fc.array(fc.tuple(fc.nat(5), places), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(when, fc.integer({ min: 1, max: 7 }), fc.boolean(), async (entries, size, one) => {
        const log = openLog();
        for (const [at, channel] of entries.toSorted(([a], [b]) => a - b)) await log.add(at, channel);
        const all = (await log.all())
          .filter(({ channel, at }) => at >= 1 && (!one || channel === C1))
          .toReversed();
        const base: Base = { ...(one ? { channel: C1 } : {}), from: 1, size };
        const newest = await log.page(base);
        expect(newest.hasNewer).toBe(false);
        await log.add(9, C1);
        const { seen, page: oldest } = await walk(log, base, 'older', newest);
        expect(seen).toEqual(all);
        const back = await walk(log, base, 'newer', oldest);
        expect(back.seen.filter(({ at }) => at < 9)).toEqual(all.toReversed());
      }),
      { numRuns: 100 },
    );
  });

  it('do not begin before the window, whatever place is named', async () => {
    const log = openLog();
    for (const at of [1, 2, 3]) await log.add(at);
    const page = await log.page({ from: 2, size: 15, turn: { to: 'newer', than: [0, 0] } });
    expect(page.entries.map(({ at }) => at)).toEqual([3, 2]);
    const none = await log.page({ from: 2, size: 15, turn: { to: 'older', than: [0, 0] } });
    expect(none).toEqual({ entries: [], hasOlder: false, hasNewer: true });
  });
});

describe('an entry', () => {
  it('gets its answer later, unless it was deleted', async () => {
    const log = openLog();
    const key = await log.add(1);
    await log.store.transact((tx) => recordAuditResult(tx, key, { kind: 'refused', words: 'no' }));
    expect(await log.all()).toMatchObject([{ answer: { kind: 'refused', words: 'no' } }]);
    await log.store.transact((tx) => tx.delete(auditEntries, key));
    await log.store.transact((tx) => recordAuditResult(tx, key, { kind: 'created' }));
    expect(await log.all()).toEqual([]);
  });
});
