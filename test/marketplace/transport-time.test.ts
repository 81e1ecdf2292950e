/** Timeouts of requests, and what a cancelled one leaves behind. */
import { createServer as createTcpServer } from 'node:net';
import type { Dispatcher } from 'undici';
import { describe, expect, test } from 'vitest';
import type { ManualClock } from '../../src/workbench/clocks.ts';
import { settle } from '../pass-time.ts';
import { bid, failure, hang, json, proposal, read, serveFile } from './wire-server.ts';

const { server, client } = serveFile();

describe('time limits', () => {
  /** Passes time second by second, with turns for the network. Returns the seconds it took. */
  async function letTimePass(clock: ManualClock, until: Promise<unknown>): Promise<number> {
    let over = false;
    void until.then(() => {
      over = true;
    });
    for (let seconds = 0; ; seconds++) {
      for (let i = 0; i < 20 && !over; i++) await settle();
      if (over) return seconds;
      clock.moveBy(1_000);
    }
  }

  test('a bid that is never answered ends after 15 s, its effect unknown', async () => {
    server.answer(hang);
    const { market, clock } = await client();
    const error = failure(bid(market));
    await server.received(1);
    expect(await letTimePass(clock, error)).toBe(15);
    expect(await error).toMatchObject({ code: 'timeout', effect: 'unknown' });
  });

  test('a bid whose answer stops in the middle ends after 10 s more, its effect unknown', async () => {
    server.answer((response) => {
      response.writeHead(200);
      response.write('{"data":');
    });
    const { market, clock } = await client();
    const error = failure(bid(market));
    await server.received(1);
    expect(await letTimePass(clock, error)).toBeLessThanOrEqual(15);
    expect(await error).toMatchObject({ code: 'timeout', effect: 'unknown' });
  });

  test('an answer that drips for ever ends after 30 s', async () => {
    let drip: (() => void) | undefined;
    server.answer((response) => {
      response.writeHead(200);
      drip = () => response.write(' ');
    });
    const { market, clock } = await client();
    const error = failure(bid(market));
    await server.received(1);
    const dripping = () => {
      drip?.();
      clock.runAfter(1_000, dripping);
    };
    dripping();
    expect(await letTimePass(clock, error)).toBe(30);
    expect(await error).toMatchObject({ code: 'timeout', effect: 'unknown' });
  });

  test('a person waits 20 s at most, tries and pauses included', async () => {
    server.answer(hang);
    const { market, clock, gate } = await client();
    const begunAt = clock.now();
    const error = failure(read(market));
    await server.received(1);
    clock.moveBy(15_000);
    await server.received(2);
    clock.moveBy(5_000);
    expect(await error).toMatchObject({ code: 'timeout', effect: 'unknown' });
    expect(clock.now() - begunAt).toBeLessThanOrEqual(22_000);
    expect(gate.status().used).toBe(2);
  });

  test("a clock that is set forwards meanwhile ends nobody's request early", async () => {
    server.answer(hang, json(proposal));
    const { market, clock } = await client();
    const proposalRead = read(market);
    await server.received(1);
    clock.shiftWallClock(60 * 60_000);
    clock.moveBy(15_000);
    expect(await proposalRead).toMatchObject({ id: 7 });
  });

  test('a connection that nobody accepts is a timeout without effect', async () => {
    const { market, clock } = await client({
      dispatcher: { dispatch: () => true } as never,
    });
    const error = failure(bid(market));
    await new Promise((resolve) => setImmediate(resolve));
    clock.moveBy(5_000);
    expect(await error).toMatchObject({ code: 'timeout', effect: 'none' });
  });

  test('a connection that stands too late is not used, and never twice', async () => {
    const handlers: Dispatcher.DispatchHandler[] = [];
    const aborted: Error[] = [];
    const dispatch = (_request: unknown, handler: Dispatcher.DispatchHandler) => handlers.push(handler) > 0;
    const { market, clock } = await client({ dispatcher: { dispatch } as never });
    const controller = { abort: (reason: Error) => void aborted.push(reason) } as never;
    const late = failure(bid(market));
    await settle();
    clock.moveBy(5_000);
    expect(await late).toMatchObject({ code: 'timeout', effect: 'none' });
    handlers[0]?.onRequestStart?.(controller, {});
    expect(aborted).toHaveLength(1);
    void bid(market).catch(() => undefined);
    await settle();
    handlers[1]?.onRequestStart?.(controller, {});
    expect(aborted).toHaveLength(1);
    handlers[1]?.onRequestStart?.(controller, {});
    expect(aborted).toHaveLength(2);
  });

  test('a refused connection had no effect', async () => {
    const closed = createTcpServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const address = closed.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await new Promise((resolve) => closed.close(resolve));
    const { market } = await client({ baseUrl: `http://127.0.0.1:${port}/v1` });
    expect(await failure(bid(market))).toMatchObject({ code: 'network', effect: 'none' });
  });
});

describe('giving up', () => {
  test('before it was sent: no effect, and the place that was held is free', async () => {
    server.answer(json(proposal));
    const { market, gate } = await client();
    const permit = await gate.acquirePermit('person');
    const signal = AbortSignal.abort(new Error('gone'));
    const error = await failure(market.fetchProposal(7 as never, { lane: 'person', permit, signal }));
    expect(error).toMatchObject({ code: 'network', effect: 'none' });
    expect(gate.status().used).toBe(0);
    expect(server.seen).toHaveLength(0);
  });

  test('while under way: the effect is unknown, and the place counts', async () => {
    server.answer(hang);
    const { market, gate } = await client();
    const control = new AbortController();
    const error = failure(
      market.createJob(
        { setup: 3 as never, marketplaceJobId: '~021' },
        { lane: 'bid', signal: control.signal },
      ),
    );
    await server.received(1);
    control.abort(new Error('gone'));
    expect(await error).toMatchObject({ code: 'network', effect: 'unknown' });
    expect(gate.status().used).toBe(1);
  });

  test("the caller's permit serves the first try, so that one request counts once", async () => {
    server.answer(json(proposal));
    const { market, gate } = await client();
    const permit = await gate.acquirePermit('person');
    await market.fetchProposal(7 as never, { lane: 'person', permit });
    expect(gate.status().used).toBe(1);
  });

  test('a closed client answers what is sent and refuses what is new', async () => {
    let respond: (() => void) | undefined;
    server.answer((response) => {
      respond = () => response.end(JSON.stringify(proposal));
    });
    const { market } = await client();
    const answered = read(market);
    await server.received(1);
    const closed = market.close();
    expect(await failure(read(market))).toMatchObject({ code: 'network', effect: 'none' });
    respond?.();
    expect(await answered).toMatchObject({ id: 7 });
    await closed;
  });

  test('a client that is given no more time gives up what has no answer', async () => {
    server.answer(hang);
    const { market } = await client();
    const asked = failure(read(market));
    await server.received(1);
    await market.close(0);
    expect(await asked).toMatchObject({ code: 'network', effect: 'unknown' });
  });
});
