import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../src/log.ts';
import { formatCheckedLine } from '../../src/storage/disk.ts';
import { type JournalStoreOptions, openJournalStore } from '../../src/storage/open-journal-store.ts';
import { collection } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { MemoryDisk } from '../kit/memory-disk.ts';
import { seededRandom } from '../seeded-random.ts';
import { allNotes, counts, KeyParts, notes, putNote, team } from './collections.ts';

const folder = '/data';
const journal = (segment: number) => `/data/journal-0000000${segment}.jsonl`;
const snapshot = (segment: number) => `/data/snapshot-0000000${segment}.jsonl`;

describe('damage on the disk', () => {
  let disk: MemoryDisk;

  beforeEach(() => {
    disk = new MemoryDisk();
  });

  function open(collections: JournalStoreOptions['collections'] = [notes]) {
    return openJournalStore({ folder, team, collections, log: silentLog, clock: new ManualClock(), disk });
  }

  async function run(...names: string[]): Promise<readonly string[]> {
    const store = await open();
    for (const name of names) await putNote(store, name, `text of ${name}`);
    await store.close();
    return store.notices;
  }

  /** Stops without a last snapshot. */
  async function crashAfter(...names: string[]): Promise<void> {
    const store = await open();
    for (const name of names) await putNote(store, name, `text of ${name}`);
    disk = disk.restart(seededRandom(1));
  }

  async function load() {
    const store = await open();
    const names = (await allNotes(store)).map(([key]) => key[1]);
    return { store, names };
  }

  const aside = () => disk.paths().filter((path) => /damaged|unreadable/.test(path));

  it('the torn end of a last line is cut off without a word', async () => {
    await crashAfter('a', 'b');
    disk.overwrite(journal(1), disk.text(journal(1)).slice(0, -20));
    const { store, names } = await load();
    expect(names).toEqual(['a']);
    expect(store.notices).toEqual([]);
    await store.close();
    expect((await load()).names).toEqual(['a']);
  });

  it('a damaged snapshot is set aside and named; the previous one and the journal restore it', async () => {
    await run('a');
    await run('b');
    await crashAfter('c');
    const damaged = disk.text(snapshot(3)).replace('text of a', 'text of x');
    disk.overwrite(snapshot(3), damaged);
    const { store, names } = await load();
    expect(names).toEqual(['a', 'b', 'c']);
    expect(await store.read((tx) => tx.get(notes, [team, 'a']))).toEqual({
      key: [team, 'a'],
      text: 'text of a',
    });
    expect(store.notices).toHaveLength(1);
    expect(aside().map((path) => disk.text(path))).toEqual([damaged]);
    await store.close();
  });

  it('each way in which a snapshot can be damaged is noticed', async () => {
    const text = async () => {
      disk = new MemoryDisk();
      await run('a');
      await run('b');
      return disk.text(snapshot(3));
    };
    const lines = (whole: string) => whole.trimEnd().split('\n');
    const harms: ((whole: string) => string)[] = [
      () => '',
      () => 'not json\n',
      (whole) => whole.slice(0, whole.length / 2),
      (whole) => `${lines(whole).slice(0, -1).join('\n')}\n`,
      (whole) => `${[...lines(whole).slice(0, 2), ...lines(whole).slice(3)].join('\n')}\n`,
      (whole) => whole.replace('text of b', 'text of y'),
      (whole) => `${whole}["more"]\n`,
    ];
    for (const harm of harms) {
      const good = await text();
      disk.overwrite(snapshot(3), harm(good));
      const { store, names } = await load();
      expect(names).toEqual(['a', 'b']);
      expect(store.notices).toHaveLength(1);
      expect(store.notices[0]).toContain('snapshot-00000003.jsonl');
      expect(aside()).toEqual(['/data/snapshot-00000003.jsonl.damaged-2026-01-05T09-00-00.000Z']);
      await putNote(store, 'c', 'goes on');
      await store.close();
      expect((await load()).names).toEqual(['a', 'b', 'c']);
    }
  });

  it('a damaged line in the journal: all before it loads; a copy of it is kept and named', async () => {
    await crashAfter('a', 'b', 'c', 'd');
    const harmed = disk.text(journal(1)).replace('text of c', 'text of x');
    disk.overwrite(journal(1), harmed);
    const { store, names } = await load();
    expect(names).toEqual(['a', 'b']);
    expect(store.notices).toHaveLength(1);
    expect(store.notices[0]).toMatchSnapshot();
    const [copy = ''] = aside();
    expect(store.notices[0]).toContain(copy.slice('/data/'.length));
    expect(disk.text(copy)).toBe(harmed);
    await putNote(store, 'e', 'goes on');
    disk = disk.restart(seededRandom(1));
    const again = await load();
    expect(again.names).toEqual(['a', 'b', 'e']);
    expect(again.store.notices).toEqual([]);
  });

  it('a missing part of the journal: what follows is kept apart, not applied on top of a gap', async () => {
    await run('a');
    await run('b');
    await crashAfter('c');
    disk.overwrite(snapshot(3), '');
    disk.forget(journal(2));
    const { store, names } = await load();
    expect(names).toEqual(['a']);
    expect(store.notices.join()).toContain('journal-00000003.jsonl');
    expect(
      aside()
        .map((path) => disk.text(path))
        .join(),
    ).toContain('text of c');
  });

  it('refuses to start when nothing good is left, and touches nothing', async () => {
    await run('a');
    await run('b');
    await run('c');
    disk.overwrite(snapshot(4), '');
    disk.overwrite(snapshot(3), 'also bad\n');
    const before = disk.paths();
    const opening = open();
    await expect(opening).rejects.toMatchObject({ name: 'StorageError', code: 'damaged' });
    await expect(opening).rejects.toThrow('snapshot-00000003.jsonl');
    expect(disk.paths()).toEqual(before);
  });

  it('refuses a snapshot of another version instead of going back to an older one', async () => {
    await run('a');
    await run('b');
    const written = disk.text(snapshot(3));
    for (const data of ['2', '"1.2"']) {
      disk.overwrite(snapshot(3), written.replace('"data":1', `"data":${data}`));
      await expect(open()).rejects.toThrowErrorMatchingSnapshot();
    }
  });

  it('refuses a journal of another form instead of cutting it off', async () => {
    await crashAfter('a');
    const [line = ''] = disk.text(journal(1)).split('\n');
    const json = line.slice(line.indexOf('{')).replace('"data":1', '"data":"1.2"');
    disk.overwrite(journal(1), formatCheckedLine(json));
    const before = disk.text(journal(1));
    await expect(open()).rejects.toMatchObject({ code: 'newer' });
    expect(disk.text(journal(1))).toBe(before);
  });

  const Strict = z.object({ key: KeyParts, text: z.string().max(15) });
  const strict = collection({ name: 'notes', schema: Strict, key: ({ key }) => key });

  it('records that no longer fit their schema stay in place and are reread at each start', async () => {
    await run('short', 'much longer');
    const before = disk.text(snapshot(2));
    for (let starts = 0; starts < 3; starts++) {
      const store = await open([strict]);
      expect((await allNotes(store)).map(([key]) => key[1])).toEqual(['short']);
      expect(store.notices).toEqual([]);
      expect(store.invalidRecords).toBe(1);
      await store.transact((tx) => tx.put(strict, { key: [team, 'short'], text: `life ${starts}` }));
      await store.close();
    }
    const line = (text: string) => text.split('\n').find((each) => each.includes('much longer'));
    expect(line(disk.text(snapshot(5)))).toBe(line(before));
    expect(aside()).toEqual([]);
    const { names, store } = await load();
    expect(names).toEqual(['much longer', 'short']);
    expect(store.invalidRecords).toBe(0);
  });

  it('what such a record was is kept apart when another takes its place, or it is deleted', async () => {
    await run('much longer', 'longer than that');
    const store = await open([strict]);
    await store.transact(async (tx) => {
      await tx.put(strict, { key: [team, 'much longer'], text: 'new' });
      await tx.put(strict, { key: [team, 'much longer'], text: 'newer' });
      await tx.delete(strict, [team, 'longer than that']);
    });
    await store.close();
    const { names, store: later } = await load();
    expect(names).toEqual(['much longer']);
    expect(later.invalidRecords).toBe(0);
    const kept = disk
      .text(snapshot(3))
      .split('\n')
      .filter((line) => line.includes('text of'));
    expect(kept).toHaveLength(2);
    expect(kept.join()).toContain('"text of longer than that"');
    expect(kept.join()).toContain('"text of much longer"');
  });

  describe('records that money depends on', () => {
    const essential = (readInvalid: (onDisk: unknown) => z.infer<typeof Strict> | undefined) => ({
      ...strict,
      essential: { readInvalid },
    });

    it('count as what is safe, and keep what they are on the disk', async () => {
      await run('short', 'much longer');
      const safe = essential(() => ({ key: [team, 'much longer'], text: 'safe' }));
      for (let starts = 0; starts < 3; starts++) {
        const store = await open([safe]);
        expect(await store.read((tx) => tx.get(safe, [team, 'much longer']))).toEqual({
          key: [team, 'much longer'],
          text: 'safe',
        });
        expect(store.invalidRecords).toBe(1);
        await store.transact((tx) => tx.put(safe, { key: [team, 'short'], text: `life ${starts}` }));
        await store.close();
      }
      const { store } = await load();
      expect(await store.read((tx) => tx.get(notes, [team, 'much longer']))).toEqual({
        key: [team, 'much longer'],
        text: 'text of much longer',
      });
    });

    it('keep the store from opening where that can’t be told, and nothing is touched', async () => {
      await run('much longer');
      const before = new Map(disk.paths().map((path) => [path, disk.text(path)]));
      const opening = open([essential(() => undefined)]);
      await expect(opening).rejects.toMatchObject({ code: 'newer' });
      await expect(opening).rejects.toThrow('much longer');
      expect(new Map(disk.paths().map((path) => [path, disk.text(path)]))).toEqual(before);
    });
  });

  describe('the data version', () => {
    const openAs = (version: number) =>
      openJournalStore({
        team,
        folder,
        collections: [notes],
        log: silentLog,
        clock: new ManualClock(),
        disk,
        version,
      });

    it.each(['in a snapshot', 'in the journal'])(
      'of a newer one %s is refused with a sentence, and nothing is touched',
      async (where) => {
        const newer = await openAs(2);
        await putNote(newer, 'a', 'text');
        if (where === 'in a snapshot') await newer.close();
        else disk = disk.restart(seededRandom(1));
        const before = new Map(disk.paths().map((path) => [path, disk.text(path)]));
        await expect(openAs(1)).rejects.toMatchObject({ code: 'newer' });
        await expect(openAs(1)).rejects.toThrowErrorMatchingSnapshot();
        expect(new Map(disk.paths().map((path) => [path, disk.text(path)]))).toEqual(before);
        expect((await allNotes(await openAs(2))).map(([key]) => key[1])).toEqual(['a']);
      },
    );
  });

  it('a record that was put right later in the journal is no loss', async () => {
    await run('a');
    const store = await open();
    await store.transact((tx) => tx.put(notes, { key: [team, 'a'], text: 'ok' }));
    disk = disk.restart(seededRandom(1));
    const Strict = z.object({ key: KeyParts, text: z.literal('ok') });
    const reopened = await open([{ ...strict, schema: Strict }]);
    expect(reopened.notices).toEqual([]);
  });

  it.each([
    ['as they are', {}],
    ['packed', { packed: true }],
  ] as const)(
    'an older version loses neither collections nor fields that it does not know, of records held %s',
    async (_how, held) => {
      const newer = await open([notes, counts]);
      await newer.transact(async (tx) => {
        await tx.put(counts, { key: [team, 'n'], count: 7 });
        await tx.put(notes, { key: [team, 'a'], text: 'x', rank: 3 });
        await tx.put(notes, { key: [team, 'b'], text: 'y', rank: 4 });
      });
      await newer.close();
      const Older = z.object({ key: KeyParts, text: z.string() });
      const older = collection({ name: 'notes', schema: Older, key: ({ key }) => key, ...held });
      const between = await open([older]);
      expect(await between.read((tx) => tx.get(older, [team, 'a']))).toEqual({ key: [team, 'a'], text: 'x' });
      await between.transact((tx) => tx.put(older, { key: [team, 'c'], text: 'z' }));
      await between.close();
      const back = await open([notes, counts]);
      expect(await back.read((tx) => tx.get(counts, [team, 'n']))).toEqual({ key: [team, 'n'], count: 7 });
      expect(await back.read((tx) => tx.get(notes, [team, 'b']))).toEqual({
        key: [team, 'b'],
        text: 'y',
        rank: 4,
      });
      expect(back.notices).toEqual([]);
    },
  );
});
