/** Requests that Slack did not send, or not in this form: rejected, counted, without effect. */
import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, machineClock, SECOND } from '../../src/clock.ts';
import { silentLog } from '../../src/log.ts';
import { startHttpServer } from '../../src/slack/core/http-server.ts';
import { MOST_BODY_BYTES } from '../../src/slack/core/read-body.ts';
import { type RunningApp, runApp } from '../kit/run-app.ts';
import { brokenInside } from './broken-inside.ts';
import { fuzz } from './fuzz.ts';
import { changes, hostileValue, writeChanged } from './hostile.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await runApp({ mode: 'http' });
});
afterAll(async () => {
  expect(brokenInside(app)).toEqual([]);
  await app.stop();
});

type Headers = Readonly<Record<string, string>>;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
let commands = 0;

/** A command that would get an answer if it came from Slack. */
function command(more: Headers = {}): string {
  const { slack } = app;
  const ids = { team_id: slack.team.id, user_id: slack.user('ada').id, channel_id: slack.channel('web').id };
  const trigger = { trigger_id: `forged-${++commands}`, command: '/gig', text: 'list' };
  return new URLSearchParams({ ...ids, ...trigger, ...more }).toString();
}

function signed(body: string, { secret = app.slack.signingSecret, skewMs = 0 } = {}): Headers {
  const at = String(Math.floor((app.clock.now() + skewMs) / SECOND));
  const signature = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
  return { ...FORM, 'x-slack-request-timestamp': at, 'x-slack-signature': `v0=${signature}` };
}

async function counted(): Promise<number> {
  const page = await (await globalThis.fetch(`${app.address()}/metrics`)).text();
  const lines = [...page.matchAll(/^gigdesk_requests_refused_total\{.*\} (\d+)$/gmu)];
  return lines.reduce((sum, [, count]) => sum + Number(count), 0);
}

const effects = () => app.slack.apiCalls().length + app.slack.ephemerals().length;

async function post(body: string | Buffer, headers: Headers): Promise<number> {
  const answer = await globalThis.fetch(`${app.address()}/slack/events`, { method: 'POST', body, headers });
  await answer.arrayBuffer();
  return answer.status;
}

const without = (headers: Headers, name: string): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));

/** Each turns a valid command into one that isn't from Slack. */
const FORGERIES: readonly ((body: string) => {
  readonly body: string | Buffer;
  readonly headers: Headers;
})[] = [
  (body) => ({ body, headers: signed(body, { secret: 'another secret' }) }),
  (body) => ({ body, headers: signed(body, { skewMs: -6 * MINUTE }) }),
  (body) => ({ body, headers: signed(body, { skewMs: 6 * MINUTE }) }),
  (body) => ({ body, headers: FORM }),
  (body) => ({ body, headers: without(signed(body), 'x-slack-signature') }),
  (body) => ({ body, headers: without(signed(body), 'x-slack-request-timestamp') }),
  (body) => ({ body: `${body}&text=budget+off`, headers: signed(body) }),
  (body) => ({ body, headers: { ...signed(body), 'x-slack-signature': `v1=${'0'.repeat(64)}` } }),
  (body) => ({ body, headers: { ...signed(body), 'x-slack-request-timestamp': '9'.repeat(300) } }),
  (body) => ({ body, headers: { ...signed(body), 'x-slack-request-timestamp': '1e99' } }),
  (body) => ({ body: `${body}${'x'.repeat(MOST_BODY_BYTES)}`, headers: signed(body) }),
];

describe('a request that is not Slack’s', () => {
  const forged = fc.record({
    forgery: fc.nat(FORGERIES.length - 1),
    text: fc.oneof(
      hostileValue.map((text) => text.slice(0, 10_000)),
      fc.constant('list'),
    ),
    type: fc.constantFrom(
      '',
      'application/json',
      'text/plain',
      'multipart/form-data; boundary=x',
      'nonsense',
      `${FORM['content-type']}; charset=utf-7`,
    ),
  });

  fuzz('is refused and counted, and nothing comes of it', forged, 40, async (given) => {
    const before = { counted: await counted(), effects: effects() };
    const { body, headers } =
      FORGERIES[given.forgery]?.(command({ text: given.text })) ?? expect.fail('no forgery');
    const status = await post(body, given.type === '' ? headers : { ...headers, 'content-type': given.type });
    await app.pass(SECOND);
    expect([400, 401, 413]).toContain(status);
    expect(effects() - before.effects).toBe(0);
    expect(await counted()).toBe(before.counted + 1);
  });

  it.each(['null', '{"type":"block_actions"}', '[]', '"x"'])(
    'nor does anything hide behind Slack’s own check of the certificate: %s',
    async (payload) => {
      const before = effects();
      expect([200, 400]).toContain(await post(`ssl_check=1&${command({ payload })}`, FORM));
      await app.pass(SECOND);
      expect(effects()).toBe(before);
    },
  );
});

describe('a request that Slack has signed', () => {
  const given = fc.record({ isEvent: fc.boolean(), changes });

  fuzz('is acknowledged or refused in whatever shape, and breaks nothing', given, 40, async (it) => {
    const { slack } = app;
    if (it.isEvent) await slack.openHome({ user: 'ada' });
    else await slack.globalShortcut({ user: 'ada', callbackId: 'look_up_project' });
    const text = writeChanged(slack.sentRequests().at(-1)?.payload, it.changes);
    // Half a pair can't be sent.
    const body = it.isEvent ? text : `payload=${encodeURIComponent(Buffer.from(text).toString())}`;
    const type = it.isEvent ? { 'content-type': 'application/json' } : FORM;
    // 500: the SDK couldn't recognize it.
    expect([200, 400, 413, 500]).toContain(await post(body, { ...signed(body), ...type }));
    await app.pass(SECOND);
    expect('polluted' in {}).toBe(false);
  });
});

describe('a request that was sent before', () => {
  it('is acknowledged, since Slack repeats, too, and has no second effect', async () => {
    const body = command();
    const headers = signed(body);
    expect(await post(body, headers)).toBe(200);
    await app.pass(SECOND);
    const before = effects();
    for (let again = 0; again < 5; again++) expect(await post(body, headers)).toBe(200);
    await app.pass(SECOND);
    expect(effects()).toBe(before);
  });
});

describe('a body that drips in', () => {
  it('loses its place once the time for a request is over', async () => {
    const options = { host: '127.0.0.1', port: 0, clock: machineClock, log: silentLog, routes: {} };
    const server = await startHttpServer({ ...options, slack: async () => undefined, requestTimeoutMs: 300 });
    const socket = connect(server.port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.write('POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{');
    await ended;
    expect(Buffer.concat(chunks).toString()).toContain('408');
    await server.stop(SECOND);
  });
});
