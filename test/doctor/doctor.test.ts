import { spawn } from 'node:child_process';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { machineClock } from '../../src/clock.ts';
import { TeamId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { openJournalStore } from '../../src/storage/open-journal-store.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { type CompiledTree, linkCompiledFiles } from '../compiled-files.ts';
import { seededRandom } from '../seeded-random.ts';
import { counts } from '../storage/collections.ts';

let tree: CompiledTree;

beforeAll(async () => {
  tree = await linkCompiledFiles();
});

afterAll(() => tree.remove());

interface Told {
  readonly code: number | null;
  readonly words: string;
}

/** Runs the doctor in an empty folder with this environment only. */
async function askDoctor(
  env: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<Told> {
  const child = spawn(process.execPath, [join(tree.place, 'src/main.js'), 'doctor', ...options], {
    cwd: tree.place,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  const words = await text(child.stdout);
  return { code: await ended, words };
}

/** Removes everything that depends on the machine. */
function wordsOf(words: string): string {
  return words
    .replaceAll(tree.place, '/place')
    .replaceAll(/(?<=Node\.js +)[\d.]+/gu, 'N')
    .replaceAll(/\b\d+(?= s )/gu, 'N')
    .replaceAll(/[\d.,]+ [KMGT]iB\b/gu, 'N MiB')
    .replaceAll(/127\.0\.0\.1:\d{2,}/gu, '127.0.0.1:N');
}

const nowhere = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_APP_TOKEN: 'xapp-1',
  SLACK_API_URL: 'http://127.0.0.1:9/api',
  MARKETPLACE_API_URL: 'http://127.0.0.1:9/v1',
  MARKETPLACE_API_TOKEN: 'secret-token',
};

it('without a configuration every missing value is named, with where to set it', async () => {
  const { code, words } = await askDoctor({});
  expect(code).toBe(1);
  for (const name of ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'MARKETPLACE_API_URL', 'MARKETPLACE_API_TOKEN'])
    expect(words).toContain(`${name} `);
  expect(words).toContain('.env.example');
});

it('when nothing answers, it still tells all that it found, each with a remedy, and no token', async () => {
  const { code, words } = await askDoctor(nowhere);
  expect(code).toBe(1);
  expect(words).toMatch(/FAIL {2}Slack bot token .*\n +-> /);
  expect(words).toMatch(/FAIL {2}marketplace API .*\n +-> /);
  expect(words).toMatch(/ok +data folder/);
  expect(words).toMatch(/ok +Node\.js +\d+\./);
  expect(wordsOf(words)).toMatchSnapshot();
  for (const secret of ['secret-token', 'xoxb-1', 'xapp-1']) expect(words).not.toContain(secret);
});

describe('beside services that work', () => {
  let marketplace: SimulatedMarketplace;
  let slack: SimulatedSlack;
  let env: Readonly<Record<string, string>>;

  beforeEach(async () => {
    const parts = { clock: machineClock, random: seededRandom(1) };
    marketplace = await startSimulatedMarketplace(parts);
    slack = await startSimulatedSlack(parts);
    env = {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      MARKETPLACE_API_URL: marketplace.baseUrl,
      MARKETPLACE_API_TOKEN: marketplace.token,
      DATA_DIR: join(tree.place, 'data'),
    };
  });

  afterEach(async () => {
    await Promise.all([marketplace.close(), slack.close()]);
  });

  const asked = () => marketplace.requests().map(({ path }) => path);

  it('all is well', async () => {
    const { code, words } = await askDoctor(env);
    expect(words).not.toMatch(/FAIL|WARN/u);
    expect(wordsOf(words)).toMatchSnapshot();
    expect(code).toBe(0);
    expect(marketplace.consumedCredits().total).toBe(0);
    expect(asked()).toEqual(['/auto-bidding/setups']);
    for (const secret of [slack.botToken, slack.appToken, marketplace.token])
      expect(words).not.toContain(secret);
  });

  it('a Gigdesk running on the folder keeps its whole request limit, unless --ask is given', async () => {
    const folder = join(tree.place, 'data');
    const store = await openJournalStore({
      folder,
      team: TeamId.parse('T1'),
      collections: [],
      log: silentLog,
      clock: machineClock,
    });
    const { code, words } = await askDoctor(env);
    expect(asked()).toEqual([]);
    expect(words).toMatch(/WARN {2}marketplace API .*\n.*--ask/u);
    expect(code).toBe(0);
    const again = await askDoctor(env, '--ask');
    expect(asked()).toEqual(['/auto-bidding/setups']);
    expect(again.words).toMatch(/ok +marketplace API /u);
    await store.close();
  });

  it('so does one that may run in another container', async () => {
    await writeFile(join(tree.place, 'data', 'lock'), 'half of a li');
    const { words } = await askDoctor(env);
    await rm(join(tree.place, 'data', 'lock'));
    expect(asked()).toEqual([]);
    expect(words).toMatch(/WARN {2}marketplace API /u);
  });

  it('names the team of a folder that the bot token is not for', async () => {
    const elsewhere = TeamId.parse('T0ELSEWHERE');
    const folder = join(tree.place, 'elsewhere');
    const parts = { folder, collections: [counts], log: silentLog, clock: machineClock };
    const store = await openJournalStore({ ...parts, team: elsewhere });
    await store.transact((tx) => tx.put(counts, { key: [elsewhere, 'n'], count: 1 }));
    await store.close();
    const { code, words } = await askDoctor({ ...env, DATA_DIR: folder });
    expect(words).toMatch(new RegExp(`FAIL {2}data .*T0ELSEWHERE.*${slack.team.id}\n.*DATA_DIR`, 'u'));
    expect(code).toBe(1);
  });

  it('warns of a .env that others can read', async () => {
    const file = join(tree.place, '.env');
    await writeFile(file, 'LOG_LEVEL=info\n');
    await chmod(file, 0o640);
    const { code, words } = await askDoctor(env);
    await rm(file);
    expect(words).toMatch(/WARN {2}\.env .*\n.*chmod 600 \.env/u);
    expect(words).toMatch(/\b1 \w+\W*$/u);
    expect(code).toBe(0);
  });
});
