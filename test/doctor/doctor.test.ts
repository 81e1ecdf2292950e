import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { machineClock } from '../../src/clock.ts';
import { startMarketplace } from '../../src/workbench/marketplace/start.ts';
import { startSlack } from '../../src/workbench/slack/start.ts';
import { type CompiledTree, compileTree } from '../compile-tree.ts';
import { seededRandom } from '../seeded-random.ts';

let tree: CompiledTree;

beforeAll(async () => {
  tree = await compileTree('src/doctor/main.ts', 'src/pictures/worker.ts');
});

afterAll(() => tree.remove());

interface Told {
  readonly code: number | null;
  readonly words: string;
}

/** Runs the doctor in an empty folder with this environment alone. */
async function askDoctor(env: Readonly<Record<string, string>>): Promise<Told> {
  const child = spawn(process.execPath, [join(tree.place, 'src/doctor/main.js')], {
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
  expect(words).toMatch(/FAIL {2}Slack bot token +Slack did not answer\n +-> check the network/);
  expect(words).toMatch(/FAIL {2}marketplace API +can't be reached\n +-> check the network/);
  expect(words).toMatch(/ok +data folder/);
  expect(words).toMatch(/ok +Node\.js +\d+\./);
  expect(words).toMatch(/ok +pictures +can be drawn/);
  for (const secret of ['secret-token', 'xoxb-1', 'xapp-1']) expect(words).not.toContain(secret);
});

it('beside services that work all is well', async () => {
  const parts = { clock: machineClock, random: seededRandom(1) };
  const marketplace = await startMarketplace(parts);
  const slack = await startSlack(parts);
  const { code, words } = await askDoctor({
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    MARKETPLACE_API_URL: marketplace.baseUrl,
    MARKETPLACE_API_TOKEN: marketplace.token,
  });
  await Promise.all([marketplace.close(), slack.close()]);
  expect(words).toContain('All is well.');
  expect(words).not.toContain('FAIL');
  expect(code).toBe(0);
  expect(marketplace.consumed().total).toBe(0);
  expect(marketplace.requests().map(({ path }) => path)).toEqual(['/auto-bidding/setups']);
  for (const secret of [slack.botToken, slack.appToken, marketplace.token])
    expect(words).not.toContain(secret);
});
