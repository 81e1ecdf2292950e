/** Requests through a proxy: they arrive, and a failed one counts as what it may have done. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { createProxyPorts, type ProxyPorts } from '../../src/proxy.ts';
import { Secret } from '../../src/secret.ts';
import { createJsonPoster } from '../../src/slack/core/replies.ts';
import { CERTIFICATE, type Front, startProxy, startTlsFront, type TestProxy } from '../tls-front.ts';
import { bid, failure, json, openClient, proposal, read, reset, WireServer } from './wire-server.ts';

const PASSWORD = 'ada:pass:word';
const server = new WireServer();
let front: Front;
let proxy: TestProxy;
let ports: ProxyPorts;

function portsFor(user: string, noProxy = ''): ProxyPorts {
  const url = new Secret(`http://${user}@127.0.0.1:${proxy.port}`);
  return createProxyPorts({ url, noProxy }, { ca: CERTIFICATE });
}

beforeAll(async () => {
  const { port } = new URL(await server.start());
  front = await startTlsFront(Number(port));
});
afterAll(async () => {
  front.close();
  await server.stop();
});
beforeEach(async () => {
  proxy = await startProxy({ 'market.gigdesk.test': front.port }, PASSWORD);
  ports = portsFor('ada:pass%3Aword');
  server.answer(json(proposal));
});
afterEach(async () => {
  await ports.dispatcher.destroy();
  proxy.close();
});

const open = async () =>
  (await openClient('https://market.gigdesk.test/v1', { dispatcher: ports.dispatcher })).market;

describe('through a proxy', () => {
  it('requests reach the marketplace, encrypted up to there', async () => {
    expect(await read(await open())).toMatchObject({ id: 7 });
    expect(proxy.asked).toEqual(['market.gigdesk.test:443']);
    expect(server.seen[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  it('so do answers to a response_url, files, and websockets', async () => {
    const poster = createJsonPoster(ports.dispatcher);
    const { signal } = new AbortController();
    expect(await poster.post('https://market.gigdesk.test/answer', '{}', signal)).toMatchObject({
      status: 200,
    });
    const body = new FormData();
    body.append('filename', new Blob(['many bytes']), 'chart.png');
    const answer = await ports.fetch('https://market.gigdesk.test/file', { method: 'POST', body });
    expect(answer.status).toBe(200);
    expect(server.seen.map(({ url }) => url.pathname)).toEqual(['/answer', '/file']);
    expect(server.seen[1]?.body).toContain('many bytes');

    const http = createServer().listen(0, '127.0.0.1');
    await once(http, 'listening');
    const sockets = new WebSocketServer({ server: http });
    sockets.on('connection', (socket) => socket.send('hello'));
    const socketFront = await startTlsFront((http.address() as AddressInfo).port);
    const other = await startProxy({ 'slack.gigdesk.test': socketFront.port });
    const url = new Secret(`http://127.0.0.1:${other.port}`);
    const { dispatcher } = createProxyPorts({ url, noProxy: '' }, { ca: CERTIFICATE });
    const socket = new WebSocket('wss://slack.gigdesk.test/link', { dispatcher });
    const said = await new Promise((resolve) => {
      socket.addEventListener('message', ({ data }) => resolve(data));
      socket.addEventListener('close', resolve);
    });
    expect(said).toBe('hello');
    await dispatcher.destroy();
    sockets.close();
    http.close();
    for (const it of [socketFront, other]) it.close();
  });

  it.each(['refuse', 'close'] as const)(
    'a bid that the proxy lets nowhere was not sent (%s), and is tried once',
    async (mode) => {
      proxy.mode = mode;
      const error = await failure(bid(await open()));
      expect(error).toMatchObject({ code: 'network', effect: 'none' });
      expect(proxy.asked).toHaveLength(1);
      expect(server.seen).toHaveLength(0);
      proxy.mode = 'connect';
      server.answer(json({ success: true, job: { id: 9, status: 'scheduled' } }));
      expect((await bid(await open())).job).toMatchObject({ id: 9 });
      expect(server.seen).toHaveLength(1);
    },
  );

  it('nor was one that a proxy without the right password refused', async () => {
    ports = portsFor('ada:wrong');
    expect(await failure(bid(await open()))).toMatchObject({
      effect: 'none',
      cause: expect.objectContaining({ code: 'PROXY_407' }),
    });
  });

  it('a bid whose connection breaks once it was written may have been sent', async () => {
    server.answer(reset);
    expect(await failure(bid(await open()))).toMatchObject({ code: 'network', effect: 'unknown' });
    expect(server.seen).toHaveLength(1);
    expect(proxy.asked).toHaveLength(1);
  });

  it('a bid on a kept connection that breaks is sent once', async () => {
    const market = await open();
    await read(market);
    server.answer(reset);
    expect(await failure(bid(market))).toMatchObject({ effect: 'unknown' });
    expect(server.seen).toHaveLength(1);
  });

  it('goes nothing for hosts of NO_PROXY, nor for this machine', async () => {
    const dead = { url: new Secret(`http://127.0.0.1:${proxy.port}`), noProxy: 'a.test, .gigdesk.test' };
    const { dispatcher } = createProxyPorts(dead);
    const direct = (await openClient('https://market.gigdesk.test/v1', { dispatcher })).market;
    expect(await failure(bid(direct))).toMatchObject({ effect: 'none' });
    const local = (await openClient(`https://localhost:${front.port}/v1`, { dispatcher })).market;
    expect(await failure(bid(local))).toMatchObject({
      effect: 'none',
      cause: expect.objectContaining({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
    });
    expect(proxy.asked).toEqual([]);
    await dispatcher.destroy();
  });
});
