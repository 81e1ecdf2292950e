/** Programs in a folder that another user can't enter. */
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findRunnable } from '../../../src/workbench/database/start-database.ts';

const isRoot = process.getuid?.() === 0;
const user = isRoot
  ? { uid: 65_534, gid: 65_534 }
  : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };

it.each([
  ['are used where they are', 0o755, false],
  ['are copied if their clone is closed to others', 0o700, true],
])('programs %s', async (_, mode, isCopied) => {
  const root = await mkdtemp(path.join(tmpdir(), 'gigdesk-programs-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await chmod(root, 0o755);
  const bin = path.join(root, 'clone/native/bin');
  await mkdir(bin, { recursive: true });
  await writeFile(path.join(bin, 'tool'), '#!/bin/sh\necho 1\n', { mode });
  await chmod(path.join(root, 'clone'), mode);
  const found = await findRunnable(bin, 'tool', user, path.join(root, 'copy'));
  // Its owner can enter it.
  expect(found !== bin).toBe(isCopied && isRoot);
  const { stdout } = spawnSync(path.join(found, 'tool'), { ...user, cwd: root, encoding: 'utf8' });
  expect(stdout).toBe('1\n');
});
