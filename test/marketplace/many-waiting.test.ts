/** Many concurrent requests cause no leak warning of Node in the log. */
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RequestGate } from '../../src/marketplace/gate/gate.ts';
import { failure, hang, read, serveFile } from './wire-server.ts';

const { server, client } = serveFile();
const MANY = 50;

let warnings: string[];
const note = (warning: Error) => warnings.push(`${warning.name}: ${warning.message}`);
beforeEach(() => {
  warnings = [];
  process.on('warning', note);
});
afterEach(async () => {
  // Node emits warnings in the next turn.
  await setImmediate();
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

test('50 requests wait at the gate without a warning, and end with the client', async () => {
  const { market } = await client({ gate: gateOf(letNobodyIn) });
  const waiting = Array.from({ length: MANY }, () => failure(read(market)));
  await market.close();
  for (const error of await Promise.all(waiting)) expect(error.code).toBe('network');
});

test('50 requests of one caller are under way without a warning, and end with the caller', async () => {
  server.answer(hang);
  const { market } = await client({ gate: gateOf(letIn) });
  const caller = new AbortController();
  const inFlight = Array.from({ length: MANY }, () =>
    failure(market.fetchProposal(7 as never, { lane: 'person', signal: caller.signal })),
  );
  await server.received(MANY);
  caller.abort();
  for (const error of await Promise.all(inFlight)) expect(error.code).toBe('network');
});

const gateOf = (enter: RequestGate['acquirePermit']): RequestGate => ({
  acquirePermit: enter,
  status: () => ({ limitPerMinute: MANY, used: 0, waiting: 0 }),
});

const letIn: RequestGate['acquirePermit'] = async () => ({
  finish: () => undefined,
  cancel: () => undefined,
});

const letNobodyIn: RequestGate['acquirePermit'] = (_lane, options) =>
  new Promise((_resolve, reject) => {
    options?.signal?.addEventListener('abort', () => reject(options.signal?.reason));
  });
