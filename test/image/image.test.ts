/** Runs the result of the Dockerfile's steps beside simulated services. See build-image.ts. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE, machineClock, SECOND } from '../../src/clock.ts';
import { findFreePort } from '../../src/workbench/free-port.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { seededRandom } from '../seeded-random.ts';
import { type BuiltImage, buildImage } from './build-image.ts';

let port: number;
let image: BuiltImage;
let marketplace: SimulatedMarketplace;
let slack: SimulatedSlack;

beforeAll(async () => {
  port = await findFreePort();
  const parts = { clock: machineClock, random: seededRandom(1) };
  [marketplace, slack, image] = await Promise.all([
    startSimulatedMarketplace(parts),
    startSimulatedSlack(parts),
    buildImage(),
  ]);
  marketplace.addFilter({ id: 101 });
  slack.addUser({ name: 'ada', admin: true });
  slack.addChannel({ name: 'web' });
});

afterAll(async () => {
  await Promise.all([marketplace.close(), slack.close()]);
  await image.remove();
});

/** A container's environment: the image's, plus compose's. */
function environment(): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    ...image.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    MARKETPLACE_API_URL: marketplace.baseUrl,
    MARKETPLACE_API_TOKEN: marketplace.token,
  };
}

function begin(words: readonly string[]): ChildProcess {
  const [program = '', ...args] = words;
  return spawn(program, args, {
    cwd: image.workdir,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
    ...image.as,
  });
}

async function runOnce(
  words: readonly string[],
): Promise<{ readonly code: number | null; readonly told: string }> {
  const child = begin(words);
  const ended = once(child, 'close') as Promise<[number | null]>;
  const told = child.stdout ? await text(child.stdout) : '';
  const [code] = await ended;
  return { code, told };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(image.workdir, folder), { recursive: true, encoding: 'utf8' });
}

async function ask(path: string): Promise<readonly [number, string]> {
  const answer = await globalThis.fetch(`http://127.0.0.1:${port}${path}`);
  return [answer.status, await answer.text()];
}

it('holds the product and what it needs, and nothing of the workbench or for development', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { devDependencies: object };
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Readonly<Record<string, { readonly dev?: true }>>;
  };
  const onlyForDevelopment = Object.entries(lock.packages).flatMap(([path, { dev }]) => (dev ? [path] : []));
  expect(onlyForDevelopment.length).toBeGreaterThan(50);
  expect(onlyForDevelopment.filter((path) => existsSync(join(image.workdir, path)))).toEqual([]);
  for (const name of Object.keys(devDependencies))
    if (lock.packages[`node_modules/${name}`]?.dev)
      expect(existsSync(join(image.workdir, 'node_modules', name))).toBe(false);
  expect(filesBelow('dist').filter((file) => /workbench|sandbox|\.map$|\.ts$/.test(file))).toEqual([]);
  expect(filesBelow('dist')).toContain('main.js');
  expect(readdirSync(image.workdir).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'dist',
    'LICENSE',
    'node_modules',
    'package.json',
  ]);
});

it('its doctor finds all well, the volume included, as a user who is not root', async () => {
  const { code, told } = await runOnce(['node', 'dist/main.js', 'doctor']);
  expect(told).not.toMatch(/FAIL|WARN/);
  expect(code).toBe(0);
});

it('starts healthy and ready, serves metrics, works, and ends within 10 s of SIGTERM if busy', async () => {
  expect((await runOnce(image.healthcheck)).code).toBe(1);
  const child = begin(image.command);
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const lines: string[] = [];
  if (!child.stdout) throw new Error('no output');
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  for (const late = machineClock.now() + MINUTE; !lines.some((line) => line.includes('"mode":"')); ) {
    if (machineClock.now() > late || child.exitCode !== null) throw new Error(lines.join('\n'));
    await machineClock.sleep(50);
  }
  expect((await runOnce(image.healthcheck)).code).toBe(0);
  expect(await ask('/readyz')).toEqual([200, 'ready\n']);
  expect((await ask('/metrics'))[1]).toContain('gigdesk_ready 1');
  if (image.as.uid !== undefined) {
    expect(statSync(`/proc/${child.pid}`).uid).toBe(image.as.uid);
    expect(statSync(join(image.root, 'data')).mode & 0o777).toBe(0o700);
  }

  await slack.runSlashCommand({ user: 'ada', channel: 'web', text: 'subscribe filter 101' });
  await slack.waitForCondition(() => slack.messages('web').length > 0);
  // Project dates are whole seconds; projects before the subscription are not new.
  await machineClock.sleep(2 * SECOND);
  const held = slack.injectFault('chat.postMessage', { kind: 'hold', when: 'before' });
  const { ciphertext } = marketplace.publishProject(101);
  while (held.held === 0) await machineClock.sleep(20);
  marketplace.injectFault({ path: /^\/projects/ }, { kind: 'hold-headers' });
  await slack.runSlashCommand({ user: 'ada', channel: 'web', text: `lookup ${ciphertext}` });

  const asked = machineClock.now();
  child.kill('SIGTERM');
  const [code, signal] = await ended;
  expect(machineClock.now() - asked).toBeLessThan(10 * SECOND);
  expect([code, signal]).toEqual([0, null]);
  held.release();
  expect((await runOnce(image.healthcheck)).code).toBe(1);
});
