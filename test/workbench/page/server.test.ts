/** The page's server with strangers, nonsense and several people: who sees what. */
import { createServer } from 'node:http';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../../src/clock.ts';
import type { PageWorkspace as ShownWorld } from '../../../src/workbench/page/protocol.ts';
import { startPageServer } from '../../../src/workbench/page/start-page-server.ts';
import { startDesk } from '../../kit/start-desk.ts';
import { openPage, type PageWorld } from './page-world.ts';

let page: PageWorld;

beforeEach(async () => {
  const desk = await startDesk({ empty: true });
  desk.slack.addUser({ name: 'gus', guest: 'single' });
  desk.slack.addUser({ name: 'sam', stranger: true });
  desk.slack.addChannel({ name: 'secret', private: true, members: ['ada'] });
  desk.slack.addChannel({ name: 'shared', members: ['ada', 'sam'] });
  page = await openPage(desk);
});

afterEach(() => page.stop());

const json = { 'content-type': 'application/json' };
const outcome = '{"kind":"publish"}';
const port = () => new URL(page.server.origin).port;

describe('the page is for this machine alone', () => {
  it.each([
    ['another host', () => ({ host: 'evil.example' })],
    ['another port', () => ({ host: '127.0.0.1:1' })],
    ['another origin', () => ({ origin: 'https://evil.example' })],
    ['no origin of its own', () => ({ origin: 'null' })],
    ['another site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['a form', () => ({ 'content-type': 'text/plain' })],
  ])('refuses %s', async (_what, headers) => {
    const all = { ...json, ...headers() };
    const { status, text } = await page.ask('POST', '/api/market', { headers: all, body: outcome });
    expect(status).toBe(403);
    expect(JSON.parse(text)).toMatchObject({ ok: false, problem: expect.stringMatching(/\.$/u) });
    expect(page.life.publish).not.toHaveBeenCalled();
  });

  it('takes its own posts, by both names of the machine', async () => {
    for (const host of [`127.0.0.1:${port()}`, `localhost:${port()}`]) {
      const headers = { ...json, host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
      expect((await page.ask('POST', '/api/market', { headers, body: outcome })).status).toBe(200);
    }
    expect(page.life.publish).toHaveBeenCalledTimes(2);
  });

  it('lets nothing foreign run in it, and is kept nowhere', async () => {
    for (const target of ['/', '/client/main.js', '/api/world', '/nothing']) {
      const { headers } = await page.ask('GET', target);
      expect(headers['content-security-policy']).toMatch(/^default-src 'self'; base-uri 'none'/u);
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    }
  });

  it('takes the next port where its own is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const taken = (other.address() as { port: number }).port;
    const second = await startPageServer({ ...page.parts, port: taken });
    expect(Number(new URL(second.origin).port)).toBeGreaterThan(taken);
    expect((await request(`${second.origin}/api/world`)).statusCode).toBe(200);
    await second.close();
    other.close();
  });
});

describe('files', () => {
  it.each([
    '/outside.js',
    '/client/../outside.js',
    '/client/%2e%2e/outside.js',
    '/assets/secret.txt',
    '/files/F1',
  ])('serves no %s', async (target) => {
    const { status, text } = await page.ask('GET', target);
    expect(status).toBe(404);
    expect(text).not.toContain('not of the page');
  });
});

describe('nonsense', () => {
  it.each([
    ['', 'no body'],
    ['{', 'half a body'],
    ['[]', 'a list'],
    ['{"kind":"press"}', 'half an act'],
    ['{"kind":"explode","as":"U1"}', 'an unknown act'],
    [
      `{"kind":"command","as":"U1","channel":"C1","text":${JSON.stringify('x'.repeat(50_000))}}`,
      'too long a text',
    ],
    ['{"kind":"submit","as":"U1","view":"V1","values":{"a":{"b":1}}}', 'values of no kind'],
  ])('%s', async (body) => {
    const { status, text } = await page.ask('POST', '/api/act', { headers: json, body });
    const problem = expect.any(String);
    expect([status, JSON.parse(text)]).toEqual([200, { ok: false, problem }]);
  });

  it('too much of it is not read', async () => {
    const body = 'x'.repeat(9 * 1024 * 1024);
    expect((await page.ask('POST', '/api/act', { headers: json, body })).status).toBe(413);
  });

  it.each([
    ['GET', '/api/channel', 404],
    ['GET', '/api/channel?as=U1&channel=C1', 404],
    ['GET', '/api/world?as=nobody', 404],
    ['GET', '/api/act', 405],
    ['DELETE', '/api/world', 405],
    ['POST', '/api/world', 405],
    ['POST', '/', 405],
  ])('%s %s: %d', async (method, target, status) => {
    const reply = await page.ask(method, target, method === 'POST' ? { headers: json, body: '{}' } : {});
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.text)).toMatchObject({ ok: false, problem: expect.any(String) });
  });
});

describe('everyone sees their own', () => {
  const names = async (user: string) => {
    const world = await page.get<ShownWorld>(`/api/world?as=${page.id(user)}`);
    return world.channels.filter(({ kind }) => kind !== 'im').map(({ name }) => name);
  };

  it('a private channel is there for its members, and a guest sees only where they are', async () => {
    expect(await names('ada')).toContain('secret');
    expect(await names('ben')).toEqual(['web', 'data', 'shared']);
    expect(await names('gus')).toEqual([]);
    expect(await names('sam')).toEqual(['shared']);
  });

  it('messages of a private channel come to nobody else, and nobody else acts there', async () => {
    const { id } = page.slack.channel('secret');
    const { ts } = page.slack.postAsUser({ user: 'ada', channel: 'secret', text: 'hush' });
    for (const user of ['ben', 'gus', 'sam']) {
      const as = `as=${page.id(user)}&channel=${id}`;
      expect((await page.ask('GET', `/api/channel?${as}`)).status).toBe(404);
      expect((await page.ask('GET', `/api/thread?${as}&ts=${ts}`)).status).toBe(404);
      const said = { as: page.id(user), kind: 'say', channel: id, text: 'me too' } as const;
      expect(await page.act(said)).toMatchObject({ ok: false });
    }
    expect((await page.channel('ada', 'secret')).map(({ html }) => html)).toEqual(['<p>hush</p>']);
  });

  it('an answer to one person can’t be pressed by another', async () => {
    const web = page.slack.channel('web').id;
    await page.act({ as: page.id('ada'), kind: 'command', channel: web, text: '/gig list' });
    const own = (await page.channel('ada', 'web')).at(-1) ?? expect.fail('no answer');
    expect(own.onlyMe).toBe(true);
    expect(await page.channel('ben', 'web')).toEqual([]);
    const on = { channel: own.channel, ts: own.ts };
    const press = { as: page.id('ben'), kind: 'press', on, actionId: 'x', blockId: 'y' } as const;
    const gone = { ...press, on: { ...on, ts: '1.000001' } };
    expect(await page.act(press)).toMatchObject({ ok: false });
    expect(await page.act(press)).toEqual(await page.act(gone));
  });
});

it('a 500-message channel answers page by page, fast the second time, and shows changes', async () => {
  const { slack } = page;
  for (let n = 0; n < 500; n++)
    slack.postAsUser({ user: 'ada', channel: 'web', text: `*message* ${n} <@${page.id('ben')}>` });
  const newest = await page.channel('ada', 'web');
  expect(newest).toHaveLength(200);
  expect(newest.at(-1)?.html).toBe('<p><strong>message</strong> 499 <span class="mention">@ben</span></p>');
  const [first] = newest;
  const target = `/api/channel?as=${page.id('ada')}&channel=${slack.channel('web').id}`;
  const older = await page.get<typeof newest>(`${target}&before=${first?.ts}`);
  expect(older.at(-1)?.html).toContain('299');
  expect(older).toHaveLength(200);
  slack.rename('web', 'net');
  expect((await page.get<typeof newest>(target)).at(0)?.html).toContain('300');
  await page.desk.pass(SECOND);
});
