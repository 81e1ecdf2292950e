/** The whole program as a process, on ways to Slack and the marketplace that are blocked or inspected. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { machineClock } from '../../src/clock.ts';
import { findFreePort } from '../../src/workbench/free-port.ts';
import type { SimulatedMarketplace } from '../../src/workbench/marketplace/simulated-marketplace.ts';
import { startSimulatedMarketplace } from '../../src/workbench/marketplace/start-marketplace.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { type CompiledTree, linkCompiledFiles } from '../compiled-files.ts';
import { seededRandom } from '../seeded-random.ts';
import { CERTIFICATE, type Front, startProxy, startTlsFront, type TestProxy } from '../tls-front.ts';

const SLACK = 'slack.gigdesk.test';
const MARKET = 'market.gigdesk.test';

let tree: CompiledTree;
let slack: SimulatedSlack;
let marketplace: SimulatedMarketplace;
let fronts: readonly [Front, Front];
let proxy: TestProxy;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  tree = await linkCompiledFiles();
});
afterAll(() => tree.remove());
beforeEach(async () => {
  const parts = { clock: machineClock, random: seededRandom(1) };
  [slack, marketplace] = await Promise.all([startSimulatedSlack(parts), startSimulatedMarketplace(parts)]);
  const portOf = (url: string) => Number(new URL(url).port);
  fronts = [await startTlsFront(portOf(slack.apiUrl)), await startTlsFront(portOf(marketplace.baseUrl))];
  proxy = await startProxy({ [SLACK]: fronts[0].port, [MARKET]: fronts[1].port });
  const certificates = path.join(tree.place, 'company.pem');
  await writeFile(certificates, CERTIFICATE);
  env = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: `https://${SLACK}${new URL(slack.apiUrl).pathname}`,
    MARKETPLACE_API_URL: `https://${MARKET}${new URL(marketplace.baseUrl).pathname}`,
    MARKETPLACE_API_TOKEN: marketplace.token,
    DATA_DIR: path.join(tree.place, 'data'),
    PORT: '0',
    HTTPS_PROXY: `127.0.0.1:${proxy.port}`,
    NODE_EXTRA_CA_CERTS: certificates,
  };
});
afterEach(async () => {
  for (const it of [...fronts, proxy]) it.close();
  await Promise.all([slack.close(), marketplace.close()]);
});

const without = (...names: readonly string[]) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

const begin = (given: Readonly<Record<string, string>>, ...command: readonly string[]) =>
  spawn(process.execPath, [path.join(tree.place, 'src/main.js'), ...command], {
    cwd: tree.place,
    env: given,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const doctor = (given: Readonly<Record<string, string>>) => text(begin(given, 'doctor').stdout);

/** The first log line that `isIt`; then the process ends. */
async function logLine(given: Readonly<Record<string, string>>, isIt: (line: string) => boolean) {
  const child = begin(given);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (isIt(line)) break;
  }
  child.kill('SIGKILL');
  await once(child, 'close');
  return lines.at(-1) ?? '';
}

describe('behind a proxy that is the only way out', () => {
  it('the doctor reaches both services, and the program starts', async () => {
    const words = await doctor(env);
    expect(words).not.toMatch(/FAIL/u);
    expect(words).toContain('HTTPS_PROXY');
    expect(new Set(proxy.asked)).toEqual(new Set([`${SLACK}:443`, `${MARKET}:443`]));
    proxy.asked.length = 0;
    expect(await logLine(env, (line) => line.includes('"mode":"socket"'))).toContain('"mode":"socket"');
    expect(proxy.asked).toContain(`${SLACK}:443`);
  });

  it('that lets nothing through, the doctor and the log say so', async () => {
    proxy.mode = 'refuse';
    const [words, line] = await Promise.all([doctor(env), logLine(env, (it) => it.includes('"failures":'))]);
    expect(words).toMatch(/FAIL {2}Slack bot token .*PROXY_403.*\n.*HTTPS_PROXY/u);
    expect(words).toMatch(/FAIL {2}marketplace API .*PROXY_403.*\n.*HTTPS_PROXY/u);
    expect(line).toMatch(/PROXY_403.*HTTPS_PROXY/u);
  });
});

describe('where a connection fails', () => {
  it('for an unknown issuer, as with TLS inspection, both say NODE_EXTRA_CA_CERTS', async () => {
    const inspected = without('NODE_EXTRA_CA_CERTS');
    const [words, line] = await Promise.all([
      doctor(inspected),
      logLine(inspected, (it) => it.includes('"failures":')),
    ]);
    expect(words).toMatch(/FAIL {2}Slack bot token .*DEPTH_ZERO_SELF_SIGNED_CERT.*\n.*NODE_EXTRA_CA_CERTS/u);
    expect(words).toMatch(/FAIL {2}marketplace API .*DEPTH_ZERO_SELF_SIGNED_CERT.*\n.*NODE_EXTRA_CA_CERTS/u);
    expect(line).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT.*NODE_EXTRA_CA_CERTS/u);
  });

  it('for a wrong name, port or certificate, the doctor names the code', async () => {
    const direct = { ...env, HTTPS_PROXY: '' };
    const [named, other] = await Promise.all([
      doctor({
        ...direct,
        SLACK_API_URL: `https://localhost:${await findFreePort()}/api`,
        MARKETPLACE_API_URL: 'https://marketplace.invalid/v1',
      }),
      doctor({ ...direct, SLACK_API_URL: `https://127.0.0.1:${fronts[0].port}/api` }),
    ]);
    expect(named).toMatch(/FAIL {2}Slack bot token .*ECONNREFUSED.*\n.*port/u);
    expect(named).toMatch(/FAIL {2}marketplace API .*(?:ENOTFOUND|EAI_AGAIN).*\n.*host/u);
    expect(other).toMatch(/FAIL {2}Slack bot token .*ERR_TLS_CERT_ALTNAME_INVALID.*\n.*another host/u);
  });
});
