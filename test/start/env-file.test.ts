/** `.env` as Windows, editors and other tools write it: what people read at the start and in the doctor. */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { readEnvFile } from '../../src/env-file.ts';
import { type CompiledTree, linkCompiledFiles } from '../compiled-files.ts';

const VALUES = {
  SLACK_BOT_TOKEN: 'xoxb-1-secret',
  SLACK_APP_TOKEN: 'xapp-1-secret',
  MARKETPLACE_API_URL: 'https://marketplace.invalid/v1',
  MARKETPLACE_API_TOKEN: 'secret',
};
const LINES = Object.entries(VALUES).map(([name, value]) => `${name}=${value}`);

let tree: CompiledTree;
let folder: string;
beforeAll(async () => {
  tree = await linkCompiledFiles();
});
afterAll(() => tree.remove());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gigdesk-env-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (content: string | Buffer) => writeFile(path.join(folder, '.env'), content);

/** What the terminal shows. A backup ends by itself where the configuration is fine. */
function run(command: 'start' | 'doctor' | 'backup', env: Readonly<Record<string, string>> = {}) {
  const options = { cwd: folder, env, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(tree.place, 'src/main.js'), command],
    options,
  );
  const words = stdout + stderr;
  expect(words).not.toContain('secret');
  expect(words).not.toMatch(/^\s+at /mu);
  return { status, words };
}

describe('a .env', () => {
  it('from Windows, with its byte order mark and line ends, is read like any other', async () => {
    await write(`\uFEFF${LINES.join('\r\n')}\r\n`);
    expect(run('backup').words).toContain('npm run gigdesk -- backup');
  });

  it.each([
    ['saved as UTF-16', Buffer.from(`\uFEFF${LINES.join('\r\n')}`, 'utf16le')],
    ['saved as UTF-16 without a mark', Buffer.from(LINES.join('\n'), 'utf16le')],
  ])('%s gets one sentence, which names the mend', async (_, content) => {
    await write(content);
    const { status, words } = run('start');
    expect(status).toBe(1);
    expect(words).toMatch(/\.env .*UTF-16.*UTF-8/u);
    expect(words).not.toContain('missing');
  });

  it('that is a folder gets a sentence, also from the doctor, which goes on', async () => {
    await mkdir(path.join(folder, '.env'));
    expect(run('start').words).toMatch(/\.env is a folder/u);
    const { status, words } = run('doctor');
    expect(status).toBe(1);
    expect(words).toMatch(/FAIL {2}configuration +\.env is a folder/u);
    expect(words).toMatch(/ok +Node\.js/u);
    expect(run('backup', VALUES).words).toContain('npm run gigdesk -- backup');
  });

  it('that cuts a value off at its # names the variable, unless quotes keep it', async () => {
    await write([...LINES, 'DATABASE_URL=postgres://ada:pa#secret@db/gigdesk  # ours'].join('\n'));
    const { words } = run('start');
    expect(words).toMatch(/DATABASE_URL .*#.*quotes/u);
    expect(words.match(/DATABASE_URL/gu)).toHaveLength(1);
    await write(
      [...LINES, 'DATABASE_URL="postgres://ada:pa%23@db/a" # ours', 'PORT=1 # ours', '# A=b#c'].join('\n'),
    );
    expect(readEnvFile(path.join(folder, '.env')).problems.size).toBe(0);
  });

  it('that names certificates for Node.js, which reads them earlier, says where they belong', async () => {
    await write([...LINES, 'NODE_EXTRA_CA_CERTS=/etc/company.pem'].join('\n'));
    expect(run('start').words).toMatch(/NODE_EXTRA_CA_CERTS .*environment/u);
    expect(run('backup', { NODE_EXTRA_CA_CERTS: '' }).words).toContain('npm run gigdesk -- backup');
  });
});

describe('a value that was copied and pasted', () => {
  it.each<[string, string, RegExp]>([
    ['SLACK_BOT_TOKEN', '"xoxb-1-secret"', /quotation marks.*docker run --env-file/u],
    ['SLACK_APP_TOKEN', '“xapp-1-secret”', /quotation marks/u],
    ['PORT', "'3000'", /quotation marks/u],
    ['SLACK_BOT_TOKEN', 'xoxb-1-\u200Bsecret', /invisible.*U\+200B/u],
    ['MARKETPLACE_API_TOKEN', 'secret\u200B', /invisible.*U\+200B/u],
    ['MARKETPLACE_API_URL', 'https://marketplace.invalid/\u2060v1', /invisible.*U\+2060/u],
    ['DATA_DIR', 'C:\new', /invisible.*U\+000A/u],
    ['SLACK_BOT_TOKEN', 'xoxb–1–secret', /special character/u],
    ['MARKETPLACE_API_TOKEN', 'secret # the one of 2026', /space/u],
    ['SLACK_BOT_TOKEN', 'xoxe.xoxb-1-secret', /rotat.*manifest\.yml/u],
    ['SLACK_BOT_TOKEN', 'xoxe-1-secret', /rotat/u],
    ['DATA_DIR', '~/gigdesk', /without ~/u],
    ['DATA_DIR', '$HOME/gigdesk', /variables/u],
    ['DATA_DIR', '%APPDATA%\\gigdesk', /variables/u],
    ['DATA_DIR', '/data # ours', /comments/u],
    ['MARKETPLACE_API_URL', 'https://marketplace.invalid/v1 # ours', /https URL/u],
    ['MARKETPLACE_API_URL', 'https://ada:secret@marketplace.invalid/v1', /https URL/u],
  ])('%s: %s gets one sentence with the mend', (name, value, fact) => {
    const read = readConfig({ ...VALUES, [name]: value });
    const problems = read.kind === 'problems' ? read.problems : [];
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} `, 'u'));
    expect(problems[0]).toMatch(fact);
    expect(problems[0]).not.toContain('secret');
  });

  it.each([
    ['DATA_DIR', './my data'],
    ['DATA_DIR', 'C:\\gigdesk'],
    ['DATA_DIR', '/srv/it’s/a#b'],
    ['SLACK_BOT_TOKEN', '\u00A0xoxb-1-secret\r\n'],
  ])('%s: %s is fine', (name, value) => {
    expect(readConfig({ ...VALUES, [name]: value })).toMatchObject({ kind: 'config' });
  });
});
