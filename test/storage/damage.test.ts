import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../src/log.ts';
import { type LowdbOptions, openLowdbStore } from '../../src/storage/lowdb/open.ts';
import type { Collection } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { seededRandom } from '../seeded-random.ts';
import { allNotes, counts, notes, putNote, team } from './collections.ts';
import { CrashDisk } from './crash-disk.ts';

const folder = '/data';
const journal = (segment: number) => `/data/journal-0000000${segment}.jsonl`;
const snapshot = (segment: number) => `/data/snapshot-0000000${segment}.jsonl`;

describe('damage on the disk', () => {
  let disk: CrashDisk;

  beforeEach(() => {
    disk = new CrashDisk();
  });

  function open(collections: LowdbOptions['collections'] = [notes]) {
    return openLowdbStore({ folder, collections, log: silentLog, clock: new ManualClock(), disk });
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

  it('a damaged snapshot is set aside and named; the one before it and the journal give all of it back', async () => {
    await run('a');
    await run('b');
    await crashAfter('c');
    const damaged = disk.text(snapshot(3)).replace('text of a', 'text of x');
    disk.overwrite(snapshot(3), damaged);
    const { store, names } = await load();
    expect(names).toEqual(['a', 'b', 'c']);
    expect(await store.read((tx) => tx.get(notes, [team, 'a']))).toEqual({ text: 'text of a' });
    expect(store.notices).toHaveLength(1);
    expect(aside().map((path) => disk.text(path))).toEqual([damaged]);
    await store.close();
  });

  it('each way in which a snapshot can be damaged is noticed', async () => {
    const text = async () => {
      disk = new CrashDisk();
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

  it('a damaged line inside the journal: all before it is loaded, a copy of the journal is kept and named', async () => {
    await crashAfter('a', 'b', 'c', 'd');
    const harmed = disk.text(journal(1)).replace('text of c', 'text of x');
    disk.overwrite(journal(1), harmed);
    const { store, names } = await load();
    expect(names).toEqual(['a', 'b']);
    expect(store.notices).toHaveLength(1);
    expect(store.notices[0]).toContain('Changes behind it are lost');
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

  it('refuses a snapshot of a newer version instead of going back to an older one', async () => {
    await run('a');
    await run('b');
    disk.overwrite(snapshot(3), disk.text(snapshot(3)).replace('"version":1', '"version":2'));
    await expect(open()).rejects.toThrow('newer version');
  });

  it('records that no longer fit their schema are kept in a file and named, once', async () => {
    await run('short', 'much longer');
    const Strict = z.object({ text: z.string().max(15) });
    const strict: Collection<z.infer<typeof Strict>> = { ...notes, schema: Strict, indexes: {} };
    const store = await open([strict]);
    expect((await allNotes(store)).map(([key]) => key[1])).toEqual(['short']);
    expect(store.notices).toHaveLength(1);
    const [file = ''] = aside();
    expect(store.notices[0]).toContain(file.slice('/data/'.length));
    expect(disk.text(file)).toContain('text of much longer');
    await store.close();
    expect((await open([strict])).notices).toEqual([]);
  });

  it('a record that was put right later in the journal is no loss', async () => {
    await run('a');
    const store = await open();
    await store.transact((tx) => tx.put(notes, [team, 'a'], { text: 'ok' }));
    disk = disk.restart(seededRandom(1));
    const Strict = z.object({ text: z.literal('ok') });
    const reopened = await open([{ name: 'notes', schema: Strict, indexes: {} }]);
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
        await tx.put(counts, [team, 'n'], { count: 7 });
        await tx.put(notes, [team, 'a'], { text: 'x', rank: 3 });
        await tx.put(notes, [team, 'b'], { text: 'y', rank: 4 });
      });
      await newer.close();
      const Older = z.object({ text: z.string() });
      const older: Collection<z.infer<typeof Older>> = { name: 'notes', schema: Older, indexes: {}, ...held };
      const between = await open([older]);
      expect(await between.read((tx) => tx.get(older, [team, 'a']))).toEqual({ text: 'x' });
      await between.transact((tx) => tx.put(older, [team, 'c'], { text: 'z' }));
      await between.close();
      const back = await open([notes, counts]);
      expect(await back.read((tx) => tx.get(counts, [team, 'n']))).toEqual({ count: 7 });
      expect(await back.read((tx) => tx.get(notes, [team, 'b']))).toEqual({ text: 'y', rank: 4 });
      expect(back.notices).toEqual([]);
    },
  );
});
