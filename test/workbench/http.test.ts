import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import {
  answerJson,
  type LocalHttpServer,
  parseJsonBody,
  startLocalHttpServer,
} from '../../src/workbench/http.ts';

describe('the simulators’ HTTP server', () => {
  let running: LocalHttpServer | undefined;
  afterEach(async () => {
    await running?.close();
    running = undefined;
  });

  it('hands over method, path, query and body, and answers JSON', async () => {
    running = await startLocalHttpServer(({ method, url, body, response }) =>
      answerJson(response, 201, {
        method,
        path: url.pathname,
        q: url.searchParams.get('q'),
        got: parseJsonBody(body),
      }),
    );
    const answer = await request(`${running.origin}/a/b?q=1`, { method: 'POST', body: '{"x":1}' });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers['content-type']).toMatch('application/json');
    expect(await answer.body.json()).toEqual({ method: 'POST', path: '/a/b', q: '1', got: { x: 1 } });
  });

  it('refuses a body longer than allowed with 413', async () => {
    running = await startLocalHttpServer(({ response }) => answerJson(response, 200, {}), {
      maxBodyBytes: 10,
    });
    const answer = await request(running.origin, { method: 'POST', body: 'x'.repeat(5_000_000) });
    expect(answer.statusCode).toBe(413);
    await answer.body.dump();
  });

  it('answers 500 when the handler throws', async () => {
    running = await startLocalHttpServer(() => {
      throw new Error('broken');
    });
    const answer = await request(running.origin);
    expect(answer.statusCode).toBe(500);
    expect(await answer.body.json()).toEqual({ error: expect.stringContaining('broken') });
  });

  it('drops open connections and goes on listening', async () => {
    let hang = true;
    running = await startLocalHttpServer(({ response }) => {
      if (hang) return running?.dropConnections();
      answerJson(response, 200, { ok: true });
    });
    await expect(request(running.origin)).rejects.toThrow();
    hang = false;
    expect((await request(running.origin)).statusCode).toBe(200);
  });

  it('closes at once although a request is still unanswered, and may be closed twice', async () => {
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    running = await startLocalHttpServer(() => arrived());
    const pending = request(running.origin).then(
      () => 'answered',
      () => 'dropped',
    );
    await arrival;
    await running.close();
    await running.close();
    expect(await pending).toBe('dropped');
    expect(running.openConnections()).toBe(0);
  });
});
