import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '@slack/bolt';
import { expect } from 'vitest';
import WebSocket from 'ws';
import { MINUTE } from '../../../../src/clock.ts';
import type { COVERED_SLACK_FEATURES } from '../../../../src/workbench/slack/coverage.ts';
import { clientOf, furnish, refusalOf, type Stage, startInSocketMode, startOverHttp } from '../app.ts';
import {
  type Exercise,
  modal,
  opened,
  plain,
  posted,
  postJson,
  responseUrlFor,
  section,
} from './exercise.ts';
import { HOME_AND_FILES } from './home-and-files.ts';
import { authorizeUrlOf, exchange, REDIRECT_URI } from './installing.ts';

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

export const FEATURE_EXERCISES: Readonly<Record<keyof typeof COVERED_SLACK_FEATURES, Exercise>> = {
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
  ...HOME_AND_FILES,
  'faults: before and after the effect': async (stage) => {
    const { slack } = stage;
    const kinds = [
      { kind: 'status', status: 503 },
      { kind: 'drop' },
      { kind: 'broken-json' },
      { kind: 'error', error: 'internal_error' },
    ] as const;
    const outcomes: string[] = [];
    for (const when of ['before', 'after'] as const)
      for (const fault of kinds) {
        slack.injectFault('chat.*', { ...fault, when });
        outcomes.push(await refusalOf(posted(stage, { text: `${fault.kind} ${when}` })));
      }
    const said = ['WebAPIHTTPError', 'WebAPIRequestError', expect.anything(), 'internal_error'];
    expect(outcomes).toEqual([...said, ...said]);
    expect(slack.messages('C1').map((each) => each.text)).toEqual(kinds.map(({ kind }) => `${kind} after`));
    expect(slack.failedCalls()).toEqual([]);
    expect(slack.apiCalls('chat.postMessage').every((call) => !call.ok && call.ordered)).toBe(true);
    expect(await refusalOf(posted(stage))).toBe('ok');
  },
  'faults: rate limits': async ({ client, slack }) => {
    const fault = slack.injectFault('auth.test', { kind: 'ratelimited', retryAfterS: 7 });
    const refusal: unknown = await client.auth.test().catch((thrown) => thrown);
    expect(refusal).toMatchObject({ retryAfter: 7 });
    expect(fault.used).toBe(1);
  },
  'faults: delayed responses': async (stage) => {
    const { slack, clock } = stage;
    const held = slack.injectFault('chat.postMessage', { kind: 'hold' });
    const first = posted(stage);
    await slack.waitForCondition(() => slack.messages('C1').length === 1);
    expect(held.held).toBe(1);
    held.release();
    await first;
    const later = slack.injectFault('chat.postMessage', { kind: 'hold', ms: 5000, when: 'before' });
    const second = posted(stage);
    while (later.held === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(slack.messages('C1')).toHaveLength(1);
    clock.moveBy(5000);
    await second;
    expect(slack.messages('C1')).toHaveLength(2);
  },
  'limits: posting': async (stage) => {
    const { slack, clock } = stage;
    slack.setRateLimits('on');
    slack.addChannel({ id: 'C2', name: 'other' });
    for (let burst = 0; burst < 3; burst += 1) await posted(stage);
    const refusal: unknown = await posted(stage).catch((thrown) => thrown);
    expect(refusal).toMatchObject({ retryAfter: 1 });
    await posted(stage, { channel: 'C2' });
    clock.moveBy(1000);
    await posted(stage);
    expect(await refusalOf(posted(stage))).toBe('WebAPIRateLimitedError');
  },
  'limits: methods': async ({ client, slack, clock }) => {
    slack.setRateLimits('on');
    for (let call = 0; call < 50; call += 1) await client.conversations.history({ channel: 'C1' });
    clock.moveBy(MINUTE / 2);
    const refusal: unknown = await client.conversations.history({ channel: 'C1' }).catch((thrown) => thrown);
    expect(refusal).toMatchObject({ retryAfter: 30 });
    clock.moveBy(MINUTE / 2);
    await client.conversations.history({ channel: 'C1' });
  },
  'limits: history': async (stage) => {
    const { client, slack, clock } = stage;
    for (let count = 0; count < 20; count += 1)
      slack.postAsUser({ user: 'bob', channel: 'C1', text: 'words' });
    const read = () => client.conversations.history({ channel: 'C1', limit: 200 });
    expect((await read()).messages).toHaveLength(20);
    slack.setHistoryLimit('strict');
    clock.moveBy(MINUTE);
    const page = await read();
    expect(page.messages).toHaveLength(15);
    expect(page.response_metadata?.next_cursor).not.toBe('');
    clock.moveBy(MINUTE / 4);
    expect(await read().catch((thrown: unknown) => thrown)).toMatchObject({ retryAfter: 45 });
    slack.setHistoryLimit('usual');
    await read();
  },
  'blocks: refused by an older Slack': async ({ slack, client }) => {
    const table = {
      type: 'data_table',
      caption: 'Rows',
      rows: [[{ type: 'raw_text', text: 'a' }], [{ type: 'raw_text', text: 'b' }]],
    };
    const post = () => client.chat.postMessage({ channel: 'C1', text: 'x', blocks: [table] });
    slack.refuseBlocks(['data_table']);
    expect(await refusalOf(post())).toBe('invalid_blocks');
    expect(slack.failedCalls()[0]?.messages.join()).toContain('unsupported type: data_table');
    slack.refuseBlocks(['data_table'], 'unnamed');
    expect(await refusalOf(post())).toBe('invalid_blocks');
    expect(slack.failedCalls()[1]?.messages).toEqual([]);
    expect(slack.messages('C1')).toEqual([]);
    slack.refuseBlocks([]);
    await post();
    expect(slack.messages('C1')).toHaveLength(1);
  },
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
  'installing: allowed': async (stage) => {
    const { slack } = stage;
    const authorizeUrl = authorizeUrlOf(stage);
    const back = new URL(slack.allowInstall({ user: 'U1', authorizeUrl }));
    expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([REDIRECT_URI, 'st']);
    const team = { id: 'T2', name: 'Second Agency' };
    const other = { user: 'U9', authorizeUrl, team, botToken: 'xoxb-second', enterprise: 'E1' };
    const codeOf = (url: string) => new URL(url).searchParams.get('code');
    expect(await exchange(stage, { code: codeOf(slack.allowInstall(other)) })).toMatchObject({
      access_token: 'xoxb-second',
      team,
      enterprise: { id: 'E1' },
      is_enterprise_install: false,
    });
    const forAll = slack.allowInstall({ ...other, orgWide: true });
    const granted = await exchange(stage, { code: codeOf(forAll) });
    expect(granted).toMatchObject({ team: null, is_enterprise_install: true });
    const wrongApp = authorizeUrl.replace(slack.clientId, '7.7');
    for (const wrong of [wrongApp, authorizeUrl.replace('redirect_uri', 'x'), slack.apiUrl])
      expect(() => slack.allowInstall({ user: 'U1', authorizeUrl: wrong })).toThrow();
  },
  'installing: canceled': async (stage) => {
    const back = new URL(stage.slack.cancelInstall(authorizeUrlOf(stage)));
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 'st' });
  },
  'people: forged presses': async (stage) => {
    await posted(stage);
    const [message] = stage.slack.messages('C1');
    if (!message) throw new Error('no message');
    const press = { user: 'ada', message, actionId: 'approve', value: 'job-9' };
    await expect(stage.slack.press(press)).rejects.toThrow(/"approve"/);
    await stage.slack.press({ ...press, force: true });
    const [sent] = stage.slack.sentRequests();
    expect(sent?.payload['actions']).toMatchObject([
      { type: 'button', action_id: 'approve', value: 'job-9' },
    ]);
  },
  'people: state': async (stage) => {
    const { slack } = stage;
    const field = {
      type: 'input' as const,
      block_id: 'name',
      label: plain('Name'),
      element: { type: 'plain_text_input' as const, action_id: 'name' },
    };
    const more = {
      type: 'actions' as const,
      elements: [{ type: 'button' as const, action_id: 'more', text: plain('More') }],
    };
    await opened(stage, { blocks: [field, more], submit: plain('Send') });
    const before = slack.view('ada');
    if (!before) throw new Error('no view');
    await slack.press({ user: 'ada', view: before, actionId: 'more', values: { name: 'Typed' } });
    const wider = modal({ blocks: [field, section('Wider'), more], submit: plain('Send') });
    await stage.client.views.update({ view_id: before.id, view: wider });
    await slack.submitView({ user: 'ada' });
    const submitted = slack.sentRequests().at(-1)?.payload;
    expect(submitted).toMatchObject({
      type: 'view_submission',
      view: { state: { values: { name: { name: { type: 'plain_text_input', value: 'Typed' } } } } },
    });
    await expect(slack.submitView({ user: 'ada', values: { nmae: 'x' } })).rejects.toThrow(/\bnmae\b/);
  },
  'people: unfurled buttons': async ({ client, slack }) => {
    const url = 'https://example.com/~01';
    const { message } = await slack.postLinks({ user: 'ada', channel: 'C1', urls: [url] });
    const button = { type: 'button' as const, action_id: 'bid', text: plain('Bid') };
    const unfurls = { [url]: { blocks: [{ type: 'actions' as const, elements: [button] }] } };
    await client.chat.unfurl({ channel: 'C1', ts: message.ts, unfurls });
    await slack.press({ user: 'bob', message, unfurl: url, actionId: 'bid' });
    const container = { type: 'message_attachment', is_app_unfurl: true, app_unfurl_url: url };
    expect(slack.sentRequests().at(-1)?.payload).toMatchObject({
      container,
      actions: [{ action_id: 'bid' }],
    });
  },
  'world: reset': async (stage) => {
    const { slack } = stage;
    await posted(stage);
    slack.injectFault('auth.test', { kind: 'error', error: 'fatal_error' });
    slack.reset();
    furnish(slack);
    expect(slack.messages('C1')).toEqual([]);
    expect(slack.apiCalls()).toEqual([]);
    expect(await refusalOf(stage.client.auth.test())).toBe('ok');
  },
};
