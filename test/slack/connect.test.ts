import { createHmac } from 'node:crypto';
import { createConnection } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineClock, machineRandom, SECOND } from '../../src/clock.ts';
import { ChannelId, MessageTs, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { createSlackClients } from '../../src/slack/core/clients.ts';
import { SlackCallError } from '../../src/slack/core/errors.ts';
import {
  notAllowedMessage,
  unknownButtonMessage,
  unknownCommandMessage,
  unknownShortcutMessage,
} from '../../src/slack/core/request-errors.ts';
import type { RouteTable } from '../../src/slack/core/routes.ts';
import { createSlackCalls } from '../../src/slack/core/slack-calls.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { type Connected, connect } from './connected.ts';

const get = globalThis.fetch;
const words = { topic: 'about', usage: [], summary: '', examples: [] } as const;

const table: RouteTable = {
  commands: [
    { ...words, word: 'help', needs: 'viewer', run: (call) => call.answer({ text: 'the help' }) },
    { ...words, word: 'card', needs: 'viewer', run: postCard },
    { ...words, word: 'budget', needs: 'admin', run: (call) => call.answer({ text: 'set' }, 'channel') },
  ],
  actions: [{ id: 'press', needs: 'viewer', run: (call) => call.answer({ text: `pressed ${call.value}` }) }],
  views: [],
  shortcuts: [
    { id: 'look', needs: 'viewer', run: (call) => call.answer({ text: `saw ${call.message.text}` }) },
  ],
  events: {
    link_shared: async ({ channel, messageTs, links, services }) => {
      const block = { type: 'section', text: { type: 'plain_text', text: 'unfurled' } } as const;
      await services.slack.unfurl(
        channel,
        messageTs,
        Object.fromEntries(links.map(({ url }) => [url, [block]])),
      );
    },
  },
};

async function postCard(call: Parameters<RouteTable['commands'][number]['run']>[0]): Promise<void> {
  const text = { type: 'plain_text', text: 'Press' } as const;
  const elements = ['press', 'gone'].map(
    (id) => ({ type: 'button', action_id: id, value: '7', text }) as const,
  );
  await call.services.slack.post(call.channel, { text: 'card', blocks: [{ type: 'actions', elements }] });
}

let slack: SimulatedSlack;
let connected: Connected | undefined;

beforeEach(async () => {
  slack = await startSimulatedSlack({ clock: machineClock, random: machineRandom });
  slack.addUser({ id: 'U1', name: 'ann' });
  slack.addUser({ id: 'U2', name: 'owner', admin: true });
  slack.addChannel({ id: 'C1', name: 'general' });
});
afterEach(async () => {
  await connected?.app.stop(1_000);
  connected = undefined;
  await slack.close();
});

function seenBy(user: string): readonly string[] {
  return slack.ephemerals(user).map((it) => it.text);
}

describe.each(['socket', 'http'] as const)('in %s mode', (mode) => {
  beforeEach(async () => {
    connected = await connect(slack, mode, table);
  });

  it('commands, presses, shortcuts and links are acknowledged and reach their handlers', async () => {
    expect(await slack.runSlashCommand({ user: 'ann', channel: 'general', text: 'help' })).toMatchObject({
      acked: true,
    });
    await slack.waitForCondition(() => seenBy('ann').includes('the help'));
    await slack.runSlashCommand({ user: 'ann', channel: 'general', text: 'card' });
    await slack.waitForCondition(() => slack.messages('general').length === 1);
    const [message] = slack.messages('general');
    if (!message) throw new Error('no card');
    expect(await slack.press({ user: 'ann', message, actionId: 'press' })).toMatchObject({ acked: true });
    await slack.waitForCondition(() => seenBy('ann').includes('pressed 7'));
    expect(await slack.messageShortcut({ user: 'ann', message, callbackId: 'look' })).toMatchObject({
      acked: true,
    });
    await slack.waitForCondition(() => seenBy('ann').includes('saw card'));
    await slack.postLinks({ user: 'ann', channel: 'general', urls: ['https://jobs.example/~1'] });
    await slack.waitForCondition(() => slack.unfurls().length === 1);
    expect(slack.failedCalls()).toEqual([]);
  });

  it('what nobody knows is acknowledged and answered all the same', async () => {
    await slack.runSlashCommand({ user: 'ann', channel: 'general', text: 'card' });
    await slack.waitForCondition(() => slack.messages('general').length === 1);
    const [message] = slack.messages('general');
    if (!message) throw new Error('no card');
    expect(await slack.runSlashCommand({ user: 'ann', channel: 'general', text: 'budgte' })).toMatchObject({
      acked: true,
    });
    expect(await slack.press({ user: 'ann', message, actionId: 'gone' })).toMatchObject({ acked: true });
    expect(await slack.messageShortcut({ user: 'ann', message, callbackId: 'gone' })).toMatchObject({
      acked: true,
    });
    await slack.waitForCondition(() => seenBy('ann').length === 3);
    expect(seenBy('ann').toSorted()).toEqual(
      [
        unknownCommandMessage('budgte', ['help', 'card', 'budget']).text,
        unknownButtonMessage().text,
        unknownShortcutMessage().text,
      ].toSorted(),
    );
  });

  it('the role is what Slack says of the person', async () => {
    await slack.runSlashCommand({ user: 'ann', channel: 'general', text: 'budget' });
    await slack.runSlashCommand({ user: 'owner', channel: 'general', text: 'budget' });
    await slack.waitForCondition(() => slack.messages('general').length === 1 && seenBy('ann').length === 1);
    const ann = { user: UserId.parse('U1'), role: 'viewer' } as const;
    expect(seenBy('ann')).toEqual([notAllowedMessage(ann, 'admin').text]);
    expect(slack.messages('general')[0]?.text).toBe('set');
  });

  it('an event during shutdown is left to the next run, and people who wait get an answer', async () => {
    const stopped = connected?.boundary.stop(SECOND);
    const message = {
      channel: 'C1',
      user: 'U1',
      message_ts: '1.5',
      links: [{ url: 'https://jobs.example/~1', domain: 'jobs.example' }],
    };
    expect(await slack.sendEvent('link_shared', { ...message, event_ts: '1.6' })).toMatchObject({
      acked: false,
    });
    expect(await slack.runSlashCommand({ user: 'ann', channel: 'general', text: 'help' })).toMatchObject({
      acked: true,
    });
    await slack.waitForCondition(() => seenBy('ann').length === 1);
    expect(seenBy('ann')[0]).toContain('restart');
    expect([await stopped, slack.unfurls()]).toEqual([0, []]);
  });

  it('health is told, and nothing else is served', async () => {
    const at = `http://127.0.0.1:${connected?.app.port}`;
    expect((await get(`${at}/healthz`)).status).toBe(200);
    expect((await get(`${at}/nothing`)).status).toBe(404);
    expect((await get(`${at}/healthz`, { method: 'POST' })).status).toBe(405);
  });

  it('no secret gets into the log', async () => {
    await slack.runSlashCommand({ user: 'ann', channel: 'general', text: 'nonsense' });
    await slack.waitForCondition(() => seenBy('ann').length === 1);
    const lines = connected?.logged.map(({ line }) => line).join('\n') ?? '';
    for (const secret of [slack.botToken, slack.appToken, slack.signingSecret])
      expect(lines).not.toContain(secret);
    expect(lines).not.toContain('response_url');
  });
});

describe('in http mode', () => {
  beforeEach(async () => {
    connected = await connect(slack, 'http', table);
  });
  const levels = () => connected?.logged.map(({ level }) => level) ?? [];
  const status = async () =>
    (await slack.runSlashCommand({ user: 'ann', channel: 'general', text: 'help' })).status;

  it.each(['wrong-signature', 'old', 'future', 'unsigned'] as const)(
    'a request that is %s is refused and does nothing',
    async (forgery) => {
      slack.setForgery(forgery);
      expect(await status()).toBe(401);
      await slack.waitUntilQuiet();
      expect(seenBy('ann')).toEqual([]);
    },
  );

  it('a content type with a charset is understood', async () => {
    slack.setForgery('charset');
    expect(await status()).toBe(200);
    await slack.waitForCondition(() => seenBy('ann').length === 1);
  });

  it.each([
    ['application/json', 'null'],
    ['application/json', '5'],
    ['application/json', '"text"'],
    ['application/json', '[]'],
    ['application/x-www-form-urlencoded', 'payload=null'],
    ['application/x-www-form-urlencoded; charset=utf-8', 'payload=%5B%5D'],
  ])(
    'a signed body that is no object is refused, and commands go on being answered: %s %s',
    async (type, body) => {
      const seconds = String(Math.floor(machineClock.now() / SECOND));
      const signed = createHmac('sha256', slack.signingSecret).update(`v0:${seconds}:${body}`).digest('hex');
      const answer = await get(`http://127.0.0.1:${connected?.app.port}/slack/events`, {
        method: 'POST',
        headers: {
          'content-type': type,
          'x-slack-request-timestamp': seconds,
          'x-slack-signature': `v0=${signed}`,
        },
        body,
      });
      expect(answer.status).toBe(400);
      expect(levels()).toContain('warn');
      expect(await status()).toBe(200);
    },
  );

  it('a body that breaks off is no fault of ours', async () => {
    const port = connected?.app.port ?? 0;
    await new Promise<void>((resolve) => {
      const socket = createConnection(port, '127.0.0.1', () => {
        socket.write('POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n{', () => {
          setImmediate(() => socket.resetAndDestroy());
        });
      });
      socket.once('close', () => resolve());
    });
    expect(await status()).toBe(200);
    expect(levels().filter((level) => level !== 'debug')).toEqual(['info']);
  });

  it.each([
    ['413 where it may be Slack’s', 413, { 'x-slack-signature': `v0=${'0'.repeat(64)}` }],
    ['401 without a signature', 401, {}],
  ])('a body over 1 MB is refused: %s', async (_, status, headers) => {
    const answer = await get(`http://127.0.0.1:${connected?.app.port}/slack/events`, {
      method: 'POST',
      headers: { 'x-slack-request-timestamp': String(Math.floor(machineClock.now() / SECOND)), ...headers },
      body: 'x'.repeat(1_100_000),
    });
    expect(answer.status).toBe(status);
  });
});

describe('in socket mode', () => {
  it('a lost connection is made again at once, and the next command is answered', async () => {
    connected = await connect(slack, 'socket', table);
    slack.cutSockets();
    await slack.waitForCondition(() => slack.sockets === 1);
    slack.refreshSockets();
    await slack.waitForCondition(() => slack.sockets === 0);
    await slack.waitForCondition(() => slack.sockets === 1);
    await slack.runSlashCommand({ user: 'ann', channel: 'general', text: 'help' });
    await slack.waitForCondition(() => seenBy('ann').includes('the help'));
  });

  it('a wrong app token ends the start with an error, and nothing is left open', async () => {
    await expect(connect(slack, 'socket', table, { app: 'xapp-wrong' })).rejects.toThrow();
  });

  it('a wrong bot token ends the start with Slack’s code', async () => {
    await expect(connect(slack, 'socket', table, { bot: 'xoxb-wrong' })).rejects.toEqual(
      expect.objectContaining({ code: 'invalid_auth' }),
    );
  });
});

describe('calls of handlers', () => {
  it('tell whether a channel can be reached, and link to messages', async () => {
    connected = await connect(slack, 'http', table);
    const botToken = new Secret(slack.botToken);
    const options = { botToken, apiUrl: slack.apiUrl, clock: machineClock, log: silentLog };
    const calls = createSlackCalls(createSlackClients(options));
    const channel = ChannelId.parse('C1');
    slack.addChannel({ id: 'C2', name: 'private', private: true, withBot: false });
    slack.addChannel({ id: 'C3', name: 'old' });
    slack.archive('C3');
    expect(await calls.checkReachability(channel)).toEqual({ kind: 'member', name: 'general' });
    expect(await calls.checkReachability(ChannelId.parse('C2'))).toMatchObject({ kind: 'unreachable' });
    expect(await calls.checkReachability(ChannelId.parse('C3'))).toEqual({
      kind: 'unreachable',
      error: 'is_archived',
    });
    const before = slack.apiCalls('conversations.info').length;
    expect(await calls.checkReachability(ChannelId.parse('D1'))).toEqual({
      kind: 'unreachable',
      error: 'direct_message',
    });
    expect(slack.apiCalls('conversations.info')).toHaveLength(before);
    const ts = await calls.post(channel, { text: 'hello' });
    expect(await calls.fetchPermalink(channel, ts)).toContain('C1');
    expect(await calls.fetchPermalink(channel, MessageTs.parse('1.1'))).toBeUndefined();
    slack.injectFault('chat.postMessage', { kind: 'status', status: 503, when: 'after' });
    await expect(calls.post(channel, { text: 'once' })).rejects.toBeInstanceOf(SlackCallError);
    expect(slack.messages('general').map((it) => it.text)).toEqual(['hello', 'once']);
  });
});
