import { beforeEach, describe, expect, it } from 'vitest';
import {
  findProjectAliases,
  type ProjectIdentifiers,
  projectAliases,
  recordProjectAlias,
} from '../../src/aliases/project-aliases.ts';
import { DAY } from '../../src/clock.ts';
import { ProjectKey } from '../../src/ids.ts';
import { deleteOldRecords } from '../../src/storage/delete-old-records.ts';
import type { Store } from '../../src/storage/store.ts';
import { createMemoryStore } from '../memory-store.ts';

const key = (text: string) => ProjectKey.parse(text);

let store: Store;
beforeEach(() => {
  store = createMemoryStore();
});

function link(uid: string, ciphertext: string, at = 0): Promise<boolean> {
  return store.transact((tx) => recordProjectAlias(tx, { uid, ciphertext }, at));
}

function same(names: ProjectIdentifiers) {
  return store.read((tx) => findProjectAliases(tx, names));
}

async function expectOne(...all: readonly ProjectIdentifiers[]): Promise<void> {
  for (const names of all) {
    const { keys, jobIds } = await same(names);
    expect([...keys].sort()).toEqual(['jobuid:ab-1', 'projectuid:ab-1', 'uid:ab-1', '~012']);
    expect([...jobIds].sort()).toEqual(['012', 'ab-1']);
  }
}

describe('a uid and a ~id', () => {
  it('are two projects until they are linked, and one from then on, whichever names it', async () => {
    expect((await same({ project: key('uid:ab-1') })).keys).not.toContain('~012');
    expect(await same({ project: key('~012') })).toEqual({ keys: ['~012'], jobIds: ['012'] });
    expect(await link('ab-1', '~012')).toBe(true);
    await expectOne(
      { project: key('uid:ab-1') },
      { project: key('jobuid:ab-1') },
      { project: key('~012') },
      { marketplaceJobId: '~012' },
      { marketplaceJobId: 'ab-1' },
      { project: key('~012'), marketplaceJobId: 'ab-1' },
    );
  });

  it('are one, too, for somebody who typed the digits of the ~id without its tilde', async () => {
    expect((await same({ project: key('uid:012') })).keys).toContain('~012');
    await link('ab-1', '~012');
    const { keys, jobIds } = await same({ project: key('uid:012'), marketplaceJobId: '012' });
    expect(keys).toEqual(expect.arrayContaining(['~012', 'uid:ab-1']));
    expect(jobIds).toEqual(expect.arrayContaining(['012', 'ab-1']));
    await link('012', '~077');
    expect((await same({ project: key('uid:012') })).keys).not.toContain('~012');
  });

  it('stay linked as they were shown first', async () => {
    await link('ab-1', '~012');
    expect(await link('ab-1', '~099')).toBe(false);
    expect(await link('ab-1', '~012')).toBe(false);
    await expectOne({ project: key('~012') });
    expect((await same({ project: key('~099') })).keys).toEqual(['~099']);
  });

  it('are linked only where both are what they seem', async () => {
    for (const [uid, ciphertext] of [
      ['../jobs', '~012'],
      ['', '~012'],
      ['ab-1', '012'],
      ['ab-1', '~0a'],
      ['012', '~012'],
      ['x'.repeat(101), '~012'],
    ] as const)
      expect(await link(uid, ciphertext)).toBe(false);
    expect(await store.read((tx) => tx.list(projectAliases, { limit: 9 }))).toEqual([]);
  });

  it('are kept while they are shown now and then', async () => {
    await link('ab-1', '~012');
    await link('cd-2', '~013');
    for (let days = 40; days <= 440; days += 40) await link('ab-1', '~012', days * DAY);
    await deleteOldRecords(store, projectAliases, 440 * DAY, new AbortController().signal);
    await expectOne({ project: key('~012') });
    expect((await same({ project: key('~013') })).keys).toEqual(['~013']);
  });
});

it('a project without any of them is itself alone', async () => {
  expect(await same({ project: key('pid:7') })).toEqual({ keys: ['pid:7'], jobIds: [] });
  expect(await same({ project: key('url:a.example/x'), marketplaceJobId: '~012' })).toEqual({
    keys: ['url:a.example/x', '~012'],
    jobIds: ['012'],
  });
});
