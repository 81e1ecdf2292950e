/** Each command, started as a process by a Node.js of another version. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CompiledTree, linkCompiledFiles } from '../compiled-files.ts';

let tree: CompiledTree;
beforeAll(async () => {
  tree = await linkCompiledFiles();
});
afterAll(() => tree.remove());

/** The command's sentences and exit code, as if Node.js had this version. */
async function startOn(version: string, ...command: readonly string[]) {
  const before = path.join(tree.place, 'version.cjs');
  const versions = `{ ...process.versions, node: '${version}' }`;
  await writeFile(before, `Object.defineProperty(process, 'versions', { value: ${versions} });`);
  const options = { cwd: tree.place, env: {}, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-r', before, ...command], options);
  return { status, words: stdout + stderr };
}

const MAIN = 'src/main.js';
const SANDBOX = 'src/workbench/sandbox.js';
const BUILD = path.resolve('scripts/check-node.cjs');

describe('a Node.js that is too old', () => {
  it.each([[MAIN], [MAIN, 'doctor'], [MAIN, 'backup', 'there'], [SANDBOX], [BUILD]])(
    'gets a sentence with both versions: %s %s',
    async (...command) => {
      for (const version of ['12.22.12', '20.18.3']) {
        const { status, words } = await startOn(version, ...command);
        expect(status).toBe(1);
        expect(words).toMatch(/\b20\.19\b/u);
        expect(words).toContain(version);
        expect(words).not.toContain('Error');
      }
    },
  );

  it('can read the files that say so', () => {
    for (const file of [
      'src/on-new-node.ts',
      'src/main.ts',
      'src/workbench/sandbox.ts',
      'scripts/check-node.cjs',
    ]) {
      const code = readFileSync(file, 'utf8');
      expect(code).not.toMatch(/\?\.|\?\?|\bawait\b|#\w+[;(]|from '(?!\.{1,2}\/on-new-node\.ts')/u);
    }
  });
});

it.each(['20.19.0', '24.20.0'])('Node.js %s will do', async (version) => {
  const { words } = await startOn(version, MAIN);
  expect(words).toContain('SLACK_BOT_TOKEN');
  expect(await startOn(version, BUILD)).toEqual({ status: 0, words: '' });
  const engines = /"node": ">=([\d.]+)"/u.exec(readFileSync('package.json', 'utf8'));
  expect(engines?.[1]).toBe('20.19');
});

it('a command that is none gets their list', async () => {
  const { status, words } = await startOn('24.20.0', MAIN, 'docter');
  expect(status).toBe(1);
  expect(words).toMatch(/docter.*doctor.*backup/u);
});
