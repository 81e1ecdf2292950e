/**
 * What refusing costs: requests that are not Slack's, against a bare server that reads the body and answers 401, in
 * alternating rounds on one machine. `npm run bench:refusals`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { Agent, request } from 'undici';
import { machineClock, SECOND } from '../src/clock.ts';
import { silentLog } from '../src/log.ts';
import { Secret } from '../src/secret.ts';
import type { Boundary } from '../src/slack/boundary.ts';
import { startSlackApp } from '../src/slack/connect.ts';

const REQUESTS = 1_000;
const AT_ONCE = 20;
const ROUNDS = 5;

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const now = String(Math.floor(machineClock.now() / SECOND));
const wrong = { ...form, 'x-slack-request-timestamp': now, 'x-slack-signature': `v0=${'0'.repeat(64)}` };
const command = `command=%2Fgig&text=list&${'x'.repeat(900)}`;
const KINDS = [
  { name: 'not signed, 1 kB', headers: form, body: command },
  { name: 'wrongly signed, 1 kB', headers: wrong, body: command },
  {
    name: 'dated an hour ahead',
    headers: { ...wrong, 'x-slack-request-timestamp': String(Number(now) + 3_600) },
    body: command,
  },
  {
    name: 'wrongly signed, 100 kB of lists in lists',
    headers: wrong,
    body: `payload=${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  },
  { name: 'wrongly signed, 1.5 MB', headers: wrong, body: 'x'.repeat(1_500_000) },
] as const;

async function measure(
  url: string,
  { headers, body }: (typeof KINDS)[number],
  count: number,
): Promise<number> {
  const agent = new Agent({ connections: AT_ONCE });
  const begun = performance.now();
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      // A server that ends the connection before all is sent has refused, too.
      const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent }).catch(
        () => undefined,
      );
      await answer?.body.dump().catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const took = performance.now() - begun;
  await agent.destroy();
  return took;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const bare = createServer((incoming, response) => {
  incoming.resume().on('end', () => response.writeHead(401).end());
});
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
const app = await startSlackApp({
  botToken: new Secret('xoxb-none'),
  receive: { mode: 'http', signingSecret: new Secret('none') },
  http: { host: '127.0.0.1', port: 0 },
  identity: { botId: 'B1', botUserId: 'U1' } as Parameters<typeof startSlackApp>[0]['identity'],
  // Never reached: all is refused before.
  boundary: { stop: async () => 0 } as unknown as Boundary,
  clock: machineClock,
  random: () => 0.5,
  log: silentLog,
});
const urls = {
  ours: `http://127.0.0.1:${app.port}/slack/events`,
  bare: `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`,
};
process.stdout.write(`${REQUESTS.toLocaleString('en')} requests refused, median of ${ROUNDS} rounds\n`);
for (const kind of KINDS) {
  const count = kind.body.length > 50_000 ? REQUESTS / 10 : REQUESTS;
  const ratios: number[] = [];
  const each: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const baseline = await measure(urls.bare, kind, count);
    const ours = await measure(urls.ours, kind, count);
    ratios.push(ours / baseline);
    each.push(ours / count);
  }
  const ms = (median(each) * REQUESTS).toFixed(0);
  process.stdout.write(`${kind.name.padEnd(42)} ${median(ratios).toFixed(2)} × a bare server · ${ms} ms\n`);
}
await app.stop(SECOND);
bare.close();
bare.closeAllConnections();
