/** Swapping in a build: no process ever sees half of one. */
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { swapFolder } from '../../scripts/swap-folder.js';

const FILES = ['a', 'b', 'c'];

async function writeBuild(folder: string, content: string): Promise<void> {
  await mkdir(folder);
  for (const name of FILES) await writeFile(path.join(folder, name), content);
}

/** The contents of all files; they are equal in a whole build. */
async function readBuild(folder: string): Promise<readonly string[]> {
  expect((await readdir(folder)).toSorted()).toEqual(FILES);
  return Promise.all(FILES.map((name) => readFile(path.join(folder, name), 'utf8')));
}

describe('swapping a folder', () => {
  it('creates it, then replaces all of it', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'gigdesk-swap-'));
    const target = path.join(root, 'dist');
    for (const content of ['first', 'second']) {
      await writeBuild(path.join(root, content), content);
      await swapFolder(path.join(root, content), target);
      expect(await readBuild(target)).toEqual([content, content, content]);
    }
    expect(await readdir(root)).toEqual(['dist']);
  });

  it('leaves one whole build when many processes replace it at once', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'gigdesk-swap-'));
    const target = path.join(root, 'dist');
    const builds = Array.from({ length: 20 }, (_, at) => `build-${at}`);
    for (const name of builds) await writeBuild(path.join(root, name), name);
    await Promise.all(builds.map((name) => swapFolder(path.join(root, name), target)));
    const [content = ''] = new Set(await readBuild(target));
    expect(builds).toContain(content);
    expect(await readBuild(target)).toEqual([content, content, content]);
    expect(await readdir(root)).toEqual(['dist']);
  });

  it('keeps the former build when the new one is missing', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'gigdesk-swap-'));
    const target = path.join(root, 'dist');
    await writeBuild(target, 'former');
    await expect(swapFolder(path.join(root, 'missing'), target)).rejects.toThrow();
    expect(await readBuild(target)).toEqual(['former', 'former', 'former']);
  });
});
