import { afterEach, beforeEach, expect, it } from 'vitest';
import { createJsonPoster, type JsonPoster } from '../../../src/slack/core/replies.ts';
import { type LocalHttpServer, startLocalHttpServer } from '../../../src/workbench/http.ts';

const { signal } = new AbortController();
let server: LocalHttpServer;
let poster: JsonPoster;
let got: unknown[];
let answer: { status: number; body: string; location?: string };

beforeEach(async () => {
  got = [];
  answer = { status: 200, body: 'ok' };
  poster = createJsonPoster();
  server = await startLocalHttpServer(({ method, body, response, url }) => {
    got.push({ method, path: url.pathname, body: body.toString() });
    const { status, location } = answer;
    response.writeHead(status, location ? { location } : {}).end(answer.body);
  });
});
afterEach(async () => {
  await poster.close();
  await server.close();
});

it('posts what it is given, and tells status and text', async () => {
  expect(await poster.post(`${server.origin}/answer`, '{"text":"✓"}', signal)).toEqual({
    status: 200,
    text: 'ok',
  });
  expect(got).toEqual([{ method: 'POST', path: '/answer', body: '{"text":"✓"}' }]);
});

it('follows no redirect: what it says would go to a stranger', async () => {
  answer = { status: 307, body: '', location: `${server.origin}/elsewhere` };
  expect(await poster.post(`${server.origin}/answer`, '{}', signal)).toMatchObject({ status: 307 });
  expect(got).toHaveLength(1);
});

it('reads no endless answer', async () => {
  answer = { status: 200, body: 'x'.repeat(200_000) };
  await expect(poster.post(server.origin, '{}', signal)).rejects.toThrow();
});

it('ends with the signal', async () => {
  const aborted = AbortSignal.abort(new Error('given up'));
  await expect(poster.post(server.origin, '{}', aborted)).rejects.toThrow('given up');
});
