/** How requests and events reach an app, and what is sent again. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '@slack/bolt';
import { expect } from 'vitest';
import WebSocket from 'ws';
import { MINUTE } from '../../../src/clock.ts';
import {
  clientOf,
  covers,
  plain,
  posted,
  postJson,
  refusalOf,
  responseUrlFor,
  type Stage,
  startInSocketMode,
  startOverHttp,
} from './stage.ts';

const quietApp = (app: App) => app.command('/gig', async ({ ack }) => ack({ text: 'heard' }));

async function inSocketMode(
  stage: Stage,
  listen: (app: App) => void,
  run: () => Promise<void>,
): Promise<void> {
  const running = await startInSocketMode(stage.slack, listen);
  await run();
  await running.stop();
}

const ask = ({ slack }: Stage) => slack.runSlashCommand({ user: 'ada', channel: 'C1', text: 'hello' });

interface Heard {
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

/** An app that is just a web server: it answers with these statuses in turn, and repeats the last one. */
async function bareApp(
  stage: Stage,
  statuses: readonly number[],
  run: (heard: readonly Heard[]) => Promise<void>,
  headers = {},
): Promise<void> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      heard.push({ body, headers: request.headers });
      response.writeHead(statuses[heard.length - 1] ?? statuses.at(-1) ?? 200, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  stage.slack.attachHttp(`http://127.0.0.1:${port}/slack/events`);
  await run(heard);
  stage.slack.detachHttp();
  server.closeAllConnections();
  server.close();
}

/** All sent requests are answered, and this many were sent. */
async function allSent({ slack }: Stage, count: number): Promise<void> {
  await slack.waitForCondition(() => slack.sentRequests().length === count && slack.openRequests === 0);
}

async function repeats(stage: Stage, run: () => Promise<void>): Promise<void> {
  const { slack, clock } = stage;
  expect(await slack.sendEvent('app_uninstalled', {}, { eventId: 'Ev1' })).toEqual({
    acked: false,
    eventId: 'Ev1',
  });
  await allSent(stage, 2);
  for (const [count, wait] of [
    [3, MINUTE],
    [4, 5 * MINUTE],
  ] as const) {
    await slack.waitUntilQuiet();
    clock.moveBy(wait - 1);
    expect(slack.sentRequests()).toHaveLength(count - 1);
    clock.moveBy(1);
    await allSent(stage, count);
  }
  await slack.waitUntilQuiet();
  clock.moveBy(60 * MINUTE);
  await slack.waitUntilQuiet();
  expect(slack.sentRequests().map((each) => each.retryNum)).toEqual([0, 1, 2, 3]);
  expect(new Set(slack.sentRequests().map((each) => each.payload['event_id']))).toEqual(new Set(['Ev1']));
  await run();
}

covers({
  'socket: hello and acknowledgement': (stage) =>
    inSocketMode(stage, quietApp, async () => {
      expect(stage.slack.sockets).toBe(1);
      expect(await ask(stage)).toMatchObject({ acked: true, body: { text: 'heard' } });
      expect(stage.slack.sentRequests()).toMatchObject([
        { via: 'socket', type: 'slash_commands', acked: true },
      ]);
    }),
  'socket: several connections': (stage) =>
    inSocketMode(stage, quietApp, () =>
      inSocketMode(stage, quietApp, async () => {
        expect(stage.slack.sockets).toBe(2);
        for (let asked = 0; asked < 4; asked += 1) expect(await ask(stage)).toMatchObject({ acked: true });
        expect(stage.slack.ephemerals()).toHaveLength(4);
      }),
    ),
  'socket: refresh': (stage) =>
    inSocketMode(stage, quietApp, async () => {
      stage.slack.refreshSockets();
      expect(await ask(stage)).toMatchObject({ acked: false, failure: 'dispatch_failed' });
      await stage.slack.waitForCondition(() => stage.slack.sockets === 0);
      await stage.slack.waitForCondition(() => stage.slack.sockets === 1);
      expect(await ask(stage)).toMatchObject({ acked: true });
    }),
  'socket: cut': (stage) =>
    inSocketMode(stage, quietApp, async () => {
      stage.slack.cutSockets();
      await stage.slack.waitForCondition(() => stage.slack.sockets === 0);
      await stage.slack.waitForCondition(() => stage.slack.sockets === 1);
      expect(await ask(stage)).toMatchObject({ acked: true });
    }),
  'socket: unacknowledged events': async ({ slack, clock }) => {
    const { url = '' } = await clientOf(slack, slack.appToken).apps.connections.open({});
    const socket = new WebSocket(url);
    const envelopes: Record<string, unknown>[] = [];
    socket.on('message', (data: Buffer) => envelopes.push(JSON.parse(data.toString('utf8'))));
    await slack.waitForCondition(() => slack.sockets === 1);
    const first = slack.sendEvent('app_uninstalled');
    await slack.waitForCondition(() => slack.openRequests === 1);
    clock.moveBy(3000);
    expect(await first).toMatchObject({ acked: false });
    while (envelopes.length < 3) await new Promise((resolve) => setImmediate(resolve));
    const [hello, ...sent] = envelopes;
    expect(hello).toMatchObject({ type: 'hello', num_connections: 1 });
    expect(sent).toMatchObject([
      { type: 'events_api', retry_attempt: 0, retry_reason: '', accepts_response_payload: false },
      { type: 'events_api', retry_attempt: 1, retry_reason: 'timeout' },
    ]);
    socket.send(JSON.stringify({ envelope_id: sent[1]?.['envelope_id'] }));
    await slack.waitForCondition(() => slack.sentRequests().at(-1)?.acked === true);
    socket.close();
    await slack.waitForCondition(() => slack.sockets === 0);
  },
  'socket: refused': async ({ slack }) => {
    slack.refuseSockets('too_many_websockets');
    const opening = clientOf(slack, slack.appToken).apps.connections.open({});
    expect(await refusalOf(opening)).toBe('too_many_websockets');
  },
  'socket: one connection per ticket': async ({ slack }) => {
    const { url = '' } = await clientOf(slack, slack.appToken).apps.connections.open({});
    const first = new WebSocket(url);
    await new Promise((resolve) => first.once('message', resolve));
    const second = new WebSocket(url);
    expect(String(await new Promise((resolve) => second.once('error', resolve)))).toContain('401');
    first.close();
    await slack.waitForCondition(() => slack.sockets === 0);
    // A cut takes those along that are just being opened.
    const { url: cut = '' } = await clientOf(slack, slack.appToken).apps.connections.open({});
    slack.cutSockets();
    const third = new WebSocket(cut);
    expect(String(await new Promise((resolve) => third.once('error', resolve)))).toContain('401');
  },
  'events: retries': (stage) =>
    bareApp(stage, [500], (heard) =>
      repeats(stage, async () => {
        expect(heard.map(({ headers }) => headers['x-slack-retry-num'])).toEqual([undefined, '1', '2', '3']);
        expect(heard[1]?.headers['x-slack-retry-reason']).toBe('http_error');
      }),
    ),
  'events: retries turned off': (stage) =>
    bareApp(
      stage,
      [500],
      async (heard) => {
        await stage.slack.sendEvent('app_uninstalled');
        stage.clock.moveBy(10 * MINUTE);
        await stage.slack.waitUntilQuiet();
        expect(heard).toHaveLength(1);
      },
      { 'x-slack-no-retry': '1' },
    ),
  'http: signatures': async (stage) => {
    const running = await startOverHttp(stage.slack, quietApp);
    expect(await ask(stage)).toMatchObject({ acked: true, status: 200 });
    for (const forgery of ['wrong-signature', 'old', 'unsigned'] as const) {
      stage.slack.setForgery(forgery);
      expect(await ask(stage)).toMatchObject({ acked: false, failure: 'http_service_error' });
    }
    // Bolt alone accepts a request from the future.
    stage.slack.setForgery('future');
    expect(await ask(stage)).toMatchObject({ acked: true });
    stage.slack.setForgery(undefined);
    expect(await ask(stage)).toMatchObject({ acked: true });
    await running.stop();
  },
  'http: content types': (stage) =>
    bareApp(stage, [200], async (heard) => {
      const { slack } = stage;
      await ask(stage);
      await slack.globalShortcut({ user: 'ada', callbackId: 'lookup' });
      await slack.sendEvent('app_uninstalled');
      slack.setForgery('charset');
      await ask(stage);
      const form = 'application/x-www-form-urlencoded';
      const types = heard.map(({ headers }) => headers['content-type']);
      expect(types).toEqual([form, form, 'application/json', `${form}; charset=utf-8`]);
      expect(new URLSearchParams(heard[0]?.body).get('command')).toBe('/gig');
      const interaction = new URLSearchParams(heard[1]?.body).get('payload') ?? '';
      expect(JSON.parse(interaction)).toMatchObject({ type: 'shortcut', callback_id: 'lookup' });
      expect(JSON.parse(heard[2]?.body ?? '')).toMatchObject({ type: 'event_callback' });
      const { body = '', headers = {} } = heard[0] ?? {};
      const signed = createHmac('sha256', slack.signingSecret).update(
        `v0:${String(headers['x-slack-request-timestamp'])}:${body}`,
      );
      expect(headers['x-slack-signature']).toBe(`v0=${signed.digest('hex')}`);
    }),
  'http: recorded responses': (stage) =>
    bareApp(stage, [503], async () => {
      await ask(stage);
      const now = stage.clock.now();
      expect(stage.slack.sentRequests()).toMatchObject([
        { via: 'http', status: 503, acked: false, sentAt: now, answeredAt: now },
      ]);
    }),
  'response_url: five uses': async (stage) => {
    const { slack } = stage;
    await bareApp(stage, [200], async () => {
      const toCommand = await responseUrlFor(stage);
      await postJson(toCommand, { text: 'for all', response_type: 'in_channel' });
      await postJson(toCommand, { text: 'for one' });
      const button = { type: 'button', action_id: 'go', text: plain('Go') };
      await posted(stage, { blocks: [{ type: 'actions', elements: [button] }] });
      const [, card] = slack.messages('C1');
      if (!card) throw new Error('no card');
      const { responseUrl = '' } = await slack.press({ user: 'ada', message: card, actionId: 'go' });
      await postJson(responseUrl, { text: 'replaced', replace_original: true });
      expect(slack.messages('C1').map((each) => each.text)).toEqual(['for all', 'replaced']);
      await postJson(responseUrl, { delete_original: true });
      const statuses: number[] = [];
      for (let use = 3; use <= 6; use += 1)
        statuses.push((await postJson(responseUrl, { text: 'more' })).status);
      expect(statuses).toEqual([200, 200, 200, 404]);
      expect(slack.messages('C1').map((each) => each.text)).toEqual(['for all']);
      expect(slack.ephemerals('ada').map((each) => each.text)).toEqual(['for one', 'more', 'more', 'more']);
    });
  },
});
