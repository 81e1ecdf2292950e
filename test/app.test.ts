/** The app's start and end, with failures on the way. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type App, createApp } from '../src/app/app.ts';
import { machineClock } from '../src/clock.ts';
import { writeForwardHeaders } from '../src/cluster/forwarding.ts';
import { type Config, readConfig } from '../src/config.ts';
import { silentLog } from '../src/log.ts';
import { Secret } from '../src/secret.ts';
import type { SimulatedSlack } from '../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../src/workbench/slack/start-slack.ts';
import { seededRandom } from './seeded-random.ts';

let slack: SimulatedSlack;
let folder: string;

beforeEach(async () => {
  slack = await startSimulatedSlack({ clock: machineClock, random: seededRandom(1) });
  folder = await mkdtemp(join(tmpdir(), 'gigdesk-app-'));
});

afterEach(async () => {
  await slack.close();
  await rm(folder, { recursive: true });
});

function newApp(env: Readonly<Record<string, string>> = {}, more: Partial<Config> = {}): App {
  const read = readConfig({
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    MARKETPLACE_API_URL: 'http://127.0.0.1:9/v1',
    MARKETPLACE_API_TOKEN: 'a-token',
    DATA_DIR: folder,
    PORT: '0',
    ...env,
  });
  if (read.kind === 'problems') throw new Error(read.problems.join('; '));
  const config = { ...read.config, ...more };
  return createApp(config, { clock: machineClock, random: seededRandom(3), log: silentLog });
}

/** Everything is closed: the folder is unlocked, and no client is connected to Slack. */
async function expectClosed(): Promise<void> {
  expect(await readdir(folder)).not.toContain('lock');
  while (slack.sockets > 0) await machineClock.sleep(5);
}

it('starts, is reached, and stops; stopping again is the same stop', async () => {
  const app = newApp();
  await app.start();
  expect(slack.sockets).toBe(1);
  expect((await globalThis.fetch(`${app.localUrl()}/healthz`)).status).toBe(200);
  expect(app.stop()).toBe(app.stop());
  await app.stop();
  await expectClosed();
});

it.each([
  ['handles', 'of replicas', 200],
  ['refuses, with another secret,', 'of somebody else', 401],
  ['refuses, without a secret,', undefined, 403],
])('%s what another replica passes on', async (_, own, status) => {
  const secret = new Secret('of replicas');
  const replica = { url: 'http://127.0.0.1:1', secret: new Secret(own ?? '') };
  const app = newApp({}, own === undefined ? {} : { replica });
  await app.start();
  const body = JSON.stringify({ command: '/gig', team_id: slack.team.id });
  const claim = { kind: 'socket', sentAt: machineClock.now(), waitedMs: 1, contentType: 'x/y' } as const;
  const headers = writeForwardHeaders(claim, body, secret);
  const address = `${app.localUrl()}/replica/requests`;
  const answer = await globalThis.fetch(address, { method: 'POST', headers, body });
  expect(answer.status).toBe(status);
  await app.stop();
});

it('a taken port ends the start, and all that was opened is closed again', async () => {
  const other: Server = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = address && typeof address === 'object' ? address.port : 0;
  await expect(newApp({ PORT: String(port) }).start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await expectClosed();
  await new Promise((resolve) => other.close(resolve));
  // The folder can be reused at once.
  const app = newApp();
  await app.start();
  await app.stop();
});

it('a refused app token ends the start, and all that was opened is closed again', async () => {
  await expect(newApp({ SLACK_APP_TOKEN: 'xapp-wrong' }).start()).rejects.toMatchObject({
    code: 'invalid_auth',
  });
  await expectClosed();
});

it.each(['auth.test', 'apps.connections.open'])(
  'stopped in the middle of its start, while %s is not answered: it ends at once and leaves nothing open',
  async (method) => {
    const held = slack.injectFault(method, { kind: 'hold', when: 'before' });
    const app = newApp();
    const starting = app.start();
    starting.catch(() => undefined);
    while (held.held === 0) await machineClock.sleep(5);
    await app.stop();
    await expect(starting).rejects.toThrow();
    expect(await readdir(folder)).not.toContain('lock');
    held.release();
    await slack.waitUntilQuiet();
    await expectClosed();
  },
);

it('stopped before it was started, it does not start', async () => {
  const app = newApp();
  await app.stop();
  await expect(app.start()).rejects.toThrow();
  expect(slack.apiCalls()).toEqual([]);
});
