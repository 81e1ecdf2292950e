/** Hints that reach a replica that doesn't serve their workspace: it passes them on. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { makeHintSecret } from '../../src/hints/hints.ts';
import { type FilterId, TeamId } from '../../src/ids.ts';
import type { RouteTable } from '../../src/slack/core/routes.ts';
import { type Replicas, startReplicas } from './replicas.ts';

const table: RouteTable = { commands: [], actions: [], views: [], shortcuts: [], events: {} };

let replicas: Replicas;
let secret: string;
let taken: FilterId[][];

async function start(given: Partial<Parameters<typeof startReplicas>[0]> = {}): Promise<void> {
  taken = [];
  replicas = await startReplicas({
    mode: 'http',
    table,
    ...given,
    hints: {
      isSecret: async (text) => text === secret,
      takeHints: (filters) => {
        taken.push([...filters]);
        return { accepted: filters.length, repeated: 0, ignored: 0 };
      },
    },
  });
  secret = makeHintSecret(TeamId.parse(replicas.slack.team.id), (length) => Buffer.alloc(length, 7));
}
afterEach(() => replicas.close());

async function send(path: string, body?: string): Promise<number> {
  const answer = await globalThis.fetch(`${replicas.receiver.url}/hooks/${path}`, {
    method: 'POST',
    ...(body === undefined ? {} : { body }),
  });
  expect(answer.status).toBeLessThan(500);
  return answer.status;
}

const wrong = () => `${secret.slice(0, -3)}xyz`;

it.each(['http', 'socket'] as const)('the owner gets each hint once, in %s mode', async (mode) => {
  await start({ mode });
  expect(await send(`${secret}?filter=7`)).toBe(200);
  expect(await send(secret, '{"data": {"filter": {"id": 8}}}')).toBe(200);
  expect(await send(secret)).toBe(200);
  expect(taken).toEqual([[7], [8]]);
});

it('a wrong secret is 404 there, too, and for a workspace that is not installed', async () => {
  await start();
  expect(await send(`${wrong()}?filter=7`)).toBe(404);
  expect(await send(`${secret.replace(/^T[^-]*/u, 'TOTHER')}?filter=7`)).toBe(404);
  expect(taken).toEqual([]);
});

it('an owner that moved is found again', async () => {
  await start();
  const { places } = replicas.receiver;
  const before = places.place;
  places.place = { kind: 'there', url: 'http://127.0.0.1:9' };
  if (before) places.later = [before];
  expect(await send(`${secret}?filter=7`)).toBe(200);
  expect(taken).toEqual([[7]]);
});

it('without an owner nobody knows: 202, and the hint is lost', async () => {
  await start();
  replicas.receiver.places.place = { kind: 'moving' };
  expect(await send(`${secret}?filter=7`)).toBe(202);
  expect(await send(`${wrong()}?filter=7`)).toBe(202);
  expect(taken).toEqual([]);
});

it('a replica with another secret of replicas passes nothing on', async () => {
  await start({ secret: 'another secret of replicas' });
  expect(await send(`${secret}?filter=7`)).toBe(202);
  expect(taken).toEqual([]);
});

it('requests for workspaces that are elsewhere wait for a few others at most', async () => {
  await start();
  const { places } = replicas.receiver;
  places.place = { kind: 'moving' };
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  places.lookUp = async () => {
    await held;
    return { kind: 'moving' };
  };
  const answered: number[] = [];
  const sent = Array.from({ length: 30 }, async () => answered.push(await send(`${wrong()}?filter=7`)));
  while (answered.length < 22) await setImmediate();
  expect(new Set(answered)).toEqual(new Set([429]));
  replicas.clock.moveBy(3 * SECOND);
  await Promise.all(sent);
  expect(answered.slice(22)).toEqual(Array(8).fill(202));
  // Their queries still wait, so they keep their places.
  expect(await send(`${wrong()}?filter=7`)).toBe(429);
  letGo();
  await setImmediate();
  expect(await send(`${secret}?filter=7`)).toBe(202);
});

it.each([
  ['with a wrong secret', 404, () => wrong()],
  ['without an owner', 202, () => secret],
] as const)("the body of a request %s isn't read", async (_, status, address) => {
  await start();
  if (status === 202) replicas.receiver.places.place = { kind: 'moving' };
  const headers = { 'content-length': 200_000, 'content-type': 'application/json' };
  const sent = request(`${replicas.receiver.url}/hooks/${address()}`, { method: 'POST', headers });
  sent.on('error', () => undefined);
  sent.write('{"filter": 7, "text": "');
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(status);
  sent.destroy();
});
