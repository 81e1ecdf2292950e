import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { movingText, unansweredText } from '../../src/slack/core/request-errors.ts';
import type { CommandCall, RouteTable } from '../../src/slack/core/routes.ts';
import { noticeView, plainTextObject } from '../../src/slack/kit/block-builders.ts';
import { textInput } from '../../src/slack/kit/inputs.ts';
import { settle } from '../pass-time.ts';
import { type Replicas, signCommand, startReplicas } from './replicas.ts';

const words = { topic: 'about', usage: [], summary: '', examples: [] } as const;
const ANN = { user: 'ann', channel: 'general' } as const;

async function openForm({ services, triggerId, args }: CommandCall): Promise<void> {
  const submit = plainTextObject('Send');
  const letter = textInput({ id: 'letter', label: 'Letter', optional: true });
  const view = args === 'bare' ? noticeView('Form', 'Nothing to fill in.') : noticeView('Form', 'A form.');
  const blocks = args === 'bare' ? view.blocks : [letter];
  await services.slack.openView(triggerId, { ...view, callback_id: 'form', submit, blocks });
}

const table: RouteTable = {
  commands: [
    { ...words, word: 'help', needs: 'viewer', run: (call) => call.answer({ text: 'the help' }) },
    { ...words, word: 'form', needs: 'viewer', run: openForm },
    {
      ...words,
      word: 'card',
      needs: 'viewer',
      run: async ({ services, channel }) => {
        const text = { type: 'plain_text', text: 'Press' } as const;
        const elements = [{ type: 'button', action_id: 'press', value: '7', text } as const];
        await services.slack.post(channel, { text: 'card', blocks: [{ type: 'actions', elements }] });
      },
    },
  ],
  actions: [{ id: 'press', needs: 'viewer', run: (call) => call.answer({ text: 'pressed' }) }],
  views: [
    {
      id: 'form',
      needs: 'viewer',
      submit: async () => ({ kind: 'errors', errors: { letter: 'Too short.' } }),
    },
  ],
  shortcuts: [],
  events: {
    link_shared: ({ services, channel }) =>
      services.slack.post(channel, { text: 'seen' }).then(() => undefined),
  },
};

let replicas: Replicas;
let strangers: Server | undefined;
afterEach(async () => {
  await replicas.close();
  strangers?.closeAllConnections();
  strangers?.close();
  strangers = undefined;
});

const start = async (mode: 'http' | 'socket' = 'http') => {
  replicas = await startReplicas({ mode, table });
};
const help = () => replicas.slack.runSlashCommand({ ...ANN, text: 'help' });
const told = () => replicas.slack.ephemerals('ann').map((it) => it.text);
const posted = () => replicas.slack.messages('general').map((it) => it.text);
const LINKS = [{ url: 'https://a.example/1', domain: 'a.example' }];
const shareLink = () =>
  replicas.slack.sendEvent('link_shared', {
    channel: 'C1',
    user: 'U1',
    message_ts: '1.5',
    event_ts: '1.6',
    links: LINKS,
  });

/** A server at the owner's address that isn't Gigdesk. @param onRequest its answer; undefined: none */
async function replaceOwner(answer: (() => string) | undefined): Promise<readonly string[]> {
  const seen: string[] = [];
  let notice = () => {};
  arrived = new Promise((resolve) => {
    notice = resolve;
  });
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    notice();
    if (answer) response.end(answer());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  strangers = server;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/behind`;
  replicas.receiver.places.place = { kind: 'there', url };
  return seen;
}
let arrived: Promise<void>;

describe('a request that reaches another replica', () => {
  it.each(['http', 'socket'] as const)('is handled once, by the owner, in %s mode', async (mode) => {
    await start(mode);
    // Slack uses its connections in turn, and the owner has one, too.
    for (let round = 0; round < 2; round++) expect(await help()).toMatchObject({ acked: true });
    await replicas.slack.waitForCondition(() => told().length === 2);
    const forwarded = mode === 'http' ? 2 : 1;
    expect(replicas.receiver.outcomes).toEqual(Array(forwarded).fill('acknowledged'));
    expect(told()).toEqual(['the help', 'the help']);
    expect(replicas.receiver.logged.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it.each(['http', 'socket'] as const)(
    'gets its acknowledgement: a form its errors, in %s mode',
    async (mode) => {
      await start(mode);
      for (let round = 0; round < 2; round++) {
        await replicas.slack.runSlashCommand({ ...ANN, text: 'form' });
        await replicas.slack.waitForCondition(() => replicas.slack.view('ann') !== undefined);
        expect(await replicas.slack.submitView({ user: 'ann' })).toMatchObject({
          acked: true,
          action: 'errors',
          errors: { letter: 'Too short.' },
        });
        await replicas.slack.closeView({ user: 'ann' });
        // The next command goes to the other connection.
        await help();
      }
      expect(replicas.receiver.outcomes.length).toBeGreaterThan(1);
      expect(replicas.slack.failedCalls()).toEqual([]);
    },
  );

  it('and is an event: the owner handles it, or leaves it to Slack to send again', async () => {
    await start();
    expect(await shareLink()).toMatchObject({ acked: true });
    await replicas.slack.waitForCondition(() => posted().length === 1);
    await replicas.owner.boundary.stop(SECOND);
    expect(await shareLink()).toMatchObject({ acked: false });
    expect(replicas.slack.sentRequests().map(({ status }) => status)).toContain(503);
    expect([posted(), new Set(replicas.receiver.outcomes)]).toEqual([['seen'], new Set(['acknowledged'])]);
  });

  it('has waited already when it arrives', async () => {
    await start();
    replicas.receiver.places.place = { kind: 'moving' };
    replicas.receiver.places.waitForOwner = async () => {
      replicas.clock.moveBy(1.5 * SECOND);
      return { kind: 'there', url: replicas.owner.url };
    };
    replicas.owner.places.place = { kind: 'moving' };
    await help();
    // Of the 2 s in which an owner must be found.
    expect(replicas.owner.places.looks).toEqual([{ withinMs: 0.5 * SECOND, except: undefined }]);
  });
});

describe('an owner that has changed', () => {
  it('says so, and the receiver looks once more: it is handled where the workspace is now', async () => {
    await start();
    replicas.owner.places.place = { kind: 'there', url: replicas.receiver.url };
    replicas.receiver.places.later = ['here'];
    expect(await help()).toMatchObject({ acked: true });
    await replicas.slack.waitForCondition(() => told().length === 1);
    expect(told()).toEqual(['the help']);
    expect(replicas.receiver.places.looks).toEqual([{ withinMs: 2 * SECOND, except: replicas.owner.url }]);
    expect(replicas.receiver.outcomes).toEqual(['not-done']);
  });

  it('never sends a request in circles', async () => {
    await start();
    replicas.owner.places.place = { kind: 'there', url: replicas.receiver.url };
    replicas.receiver.places.later = [{ kind: 'there', url: replicas.owner.url }];
    expect(await help()).toMatchObject({ acked: true, body: { text: movingText() } });
    expect([replicas.receiver.outcomes, replicas.owner.outcomes]).toEqual([['not-done', 'not-done'], []]);
  });

  it('that is gone refuses the connection, which is certain: the receiver looks once more', async () => {
    await start();
    await replaceOwner(undefined);
    await new Promise((resolve) => strangers?.close(resolve));
    replicas.receiver.places.later = [{ kind: 'there', url: replicas.owner.url }];
    await help();
    await replicas.slack.waitForCondition(() => told().length === 1);
    expect([told(), replicas.receiver.outcomes]).toEqual([['the help'], ['not-done', 'acknowledged']]);
  });
});

describe('without an owner', () => {
  it.each(['http', 'socket'] as const)(
    'people are asked to try again, and Slack to send an event again, in %s mode',
    async (mode) => {
      await start(mode);
      await replicas.slack.runSlashCommand({ ...ANN, text: 'card' });
      await replicas.slack.waitForCondition(() => posted().length === 1);
      for (const { places } of [replicas.receiver, replicas.owner]) places.place = { kind: 'moving' };
      expect(await help()).toMatchObject({
        acked: true,
        body: { response_type: 'ephemeral', text: movingText() },
      });
      const [message] = replicas.slack.messages('general');
      if (!message) throw new Error('no card');
      const before = told().length;
      expect(await replicas.slack.press({ user: 'ann', message, actionId: 'press' })).toMatchObject({
        acked: true,
      });
      await replicas.slack.waitForCondition(() => told().length > before);
      expect(told().at(-1)).toBe(movingText());
      if (mode === 'http') expect(await shareLink()).toMatchObject({ acked: false });
      expect(replicas.receiver.places.looks[0]).toEqual({ withinMs: 2 * SECOND, except: undefined });
    },
  );

  it.each(['', 'bare'])('a form stays open and says so, with inputs or without: %s', async (kind) => {
    await start();
    await replicas.slack.runSlashCommand({ ...ANN, text: `form ${kind}` });
    await replicas.slack.waitForCondition(() => replicas.slack.view('ann') !== undefined);
    replicas.receiver.places.place = { kind: 'moving' };
    const answer = await replicas.slack.submitView({ user: 'ann' });
    if (kind === '') expect(answer).toMatchObject({ action: 'errors', errors: { letter: movingText() } });
    else {
      expect(answer).toMatchObject({ action: 'push' });
      expect(JSON.stringify(replicas.slack.view('ann')?.blocks)).toContain(movingText());
    }
    expect(replicas.slack.failedCalls()).toEqual([]);
  });

  it('a workspace that is not installed is acknowledged and logged once', async () => {
    await start();
    replicas.receiver.places.place = { kind: 'nowhere' };
    expect(await help()).toMatchObject({ acked: true, body: undefined });
    expect(await shareLink()).toMatchObject({ acked: true });
    await replicas.slack.waitUntilQuiet();
    expect([told(), posted()]).toEqual([[], []]);
    expect(replicas.receiver.logged.filter(({ level }) => level === 'warn')).toHaveLength(1);
  });
});

describe('an owner that does not answer', () => {
  it('may have done it: the request is not sent again, and the person is asked to check', async () => {
    await start();
    const seen = await replaceOwner(undefined);
    replicas.receiver.places.later = [{ kind: 'there', url: replicas.owner.url }];
    const answer = help();
    await arrived;
    replicas.clock.moveBy(2.7 * SECOND);
    expect(await answer).toMatchObject({ acked: true, body: { text: unansweredText() } });
    expect(seen).toEqual(['/behind/replica/requests']);
    expect([replicas.receiver.places.looks, replicas.receiver.outcomes]).toEqual([[], ['unknown']]);
  });

  it('and hears that Slack has given up, so it does nothing any more', async () => {
    await start();
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    let goOn = () => {};
    const { owner, receiver, clock } = replicas;
    const wait = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    owner.places.place = { kind: 'moving' };
    const look = owner.places.waitForOwner.bind(owner.places);
    owner.places.later = ['here'];
    owner.places.waitForOwner = async (...given) => {
      isAsked();
      await wait;
      return look(...given);
    };
    const answer = help();
    await asked;
    clock.moveBy(2.7 * SECOND);
    await answer;
    await settle();
    goOn();
    await replicas.slack.waitUntilQuiet();
    expect([told(), receiver.outcomes]).toEqual([[unansweredText()], ['unknown']]);
  });

  it('is left when Slack hangs up, so that it does nothing either', async () => {
    await start();
    await replaceOwner(undefined);
    const left = new Promise((resolve) => {
      strangers?.once('request', (request) => request.once('close', resolve));
    });
    const hangUp = new AbortController();
    const address = `${replicas.receiver.url}/slack/events`;
    const sent = { method: 'POST', ...signCommand(replicas), signal: hangUp.signal };
    const answer = globalThis.fetch(address, sent).catch(() => 'hung up');
    await arrived;
    hangUp.abort();
    expect(await answer).toBe('hung up');
    await left;
    expect(replicas.receiver.places.looks).toEqual([]);
  });

  it('but is another server is not believed', async () => {
    await start();
    await replaceOwner(() => '<h1>Welcome</h1>');
    expect(await help()).toMatchObject({ acked: true, body: { text: unansweredText() } });
    expect(await shareLink()).toMatchObject({ acked: false });
  });
});
