/** A request's content, its allowed destinations, and its secrets. */
import { inspect } from 'node:util';
import { Agent, buildConnector } from 'undici';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { bid, failure, json, openClient, proposal, read, reset, serveFile, TOKEN } from './wire-server.ts';

const { server, client } = serveFile();

describe('what goes out', () => {
  test('carries the token in its header, requests plain JSON, and uses the version prefix', async () => {
    server.answer(json(proposal));
    const { market } = await client();
    await read(market);
    expect(server.seen[0]?.url.pathname).toBe('/v1/proposals/7');
    expect(server.seen[0]?.headers).toMatchObject({
      'x-api-token': TOKEN,
      accept: 'application/json',
      'accept-encoding': 'identity',
    });
  });

  test.each([
    'http://api.example.com/v1',
    'ftp://127.0.0.1/v1',
    'https://user:pass@api.example.com/v1',
    'https://api.example.com/v1?x=1',
    'nonsense',
  ])('never goes to %s', async (unsafe) => {
    await expect(openClient(unsafe)).rejects.toThrow(TypeError);
  });

  test.each([
    ['https://api.example.com/v1', 'https://api.example.com'],
    ['http://localhost:1/v1', 'http://localhost:1'],
    ['http://[::1]:1/v1/', 'http://[::1]:1'],
  ])('goes to %s', async (safe, origin) => {
    const asked: object[] = [];
    const dispatch = (request: { readonly origin: string; readonly path: string }) => {
      asked.push({ origin: request.origin, path: request.path });
      throw new Error('seen');
    };
    const { market } = await openClient(safe, { dispatcher: { dispatch } as never });
    await failure(bid(market));
    expect(asked).toEqual([{ origin, path: '/v1/auto-bidding/jobs/create' }]);
  });

  test('is refused with a token that no header can carry, without showing it', async () => {
    const bad = client({ token: new Secret('line\nbreak') });
    await expect(bad).rejects.toThrow(/^((?!line).)*$/);
  });
});

describe('a request of a workspace that has another owner', () => {
  test('is never sent, and changed nothing', async () => {
    server.answer(json(proposal));
    const before = server.seen.length;
    let asked = 0;
    const beforeSending = async () => {
      asked++;
      throw new Error('it has another owner');
    };
    const { market } = await client({ beforeSending });
    expect(await failure(bid(market))).toMatchObject({ effect: 'none' });
    expect(asked).toBe(1);
    expect(server.seen.length).toBe(before);
  });

  test('is not sent either if it gets one while the connection opens', async () => {
    server.answer(json(proposal));
    const before = server.seen.length;
    let isOwner = true;
    const connect = buildConnector({});
    const dispatcher = new Agent({
      connect: (options, callback) => {
        isOwner = false;
        connect(options, callback);
      },
    });
    const { market } = await client({ dispatcher, beforeWriting: () => isOwner });
    expect(await failure(bid(market))).toMatchObject({ effect: 'none' });
    expect(isOwner).toBe(false);
    expect(server.seen.length).toBe(before);
    await dispatcher.destroy();
  });
});

describe('the token', () => {
  test('shows in no error, cause, log line or inspection', async () => {
    const shown: string[] = [];
    const log = createLog('debug', { write: (text) => void shown.push(text) });
    const { market, gate, clock } = await client({ log, random: () => 0 });
    server.answer(
      json({ error: `bad token ${TOKEN}`, fields: { [TOKEN]: `no ${TOKEN}` } }, 400),
      json({ success: false, error: `never heard of ${TOKEN}` }),
      reset,
      json(`<p>${TOKEN}`, 200),
    );
    const errors = [
      await failure(bid(market)),
      await failure(bid(market)),
      await failure(bid(market)),
      await failure(bid(market)),
    ];
    const dispatcher = {
      dispatch: (request: object) => {
        throw Object.assign(new Error(`cannot send ${TOKEN}`), { request });
      },
    } as never;
    const broken = await client({ gate, clock, random: () => 0, log, dispatcher });
    errors.push(await failure(bid(broken.market)));
    for (const error of errors) {
      shown.push(inspect(error, { depth: 20, showHidden: true }), String(error.stack), JSON.stringify(error));
      shown.push(inspect(error.cause, { depth: 20 }));
    }
    shown.push(inspect(market, { depth: 20, showHidden: true }));
    expect(errors.map((error) => error.code)).toEqual([
      'bad-request',
      'bad-request',
      'network',
      'unreadable',
      'network',
    ]);
    expect(shown.join('\n')).not.toContain(TOKEN);
    expect(shown.join('\n')).toContain('[secret]');
  });
});
