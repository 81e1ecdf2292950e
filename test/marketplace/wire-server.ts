/** A real HTTP server with answers scripted one by one, and clients in front of it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Log } from '../../src/log.ts';
import type { MarketplaceClient } from '../../src/marketplace/client.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import type { Lane } from '../../src/marketplace/gate/gate.ts';
import { createMarketplaceClient } from '../../src/marketplace/http-client.ts';
import type { TransportParts } from '../../src/marketplace/transport.ts';
import { Secret } from '../../src/secret.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { MemoryJournal, openGate } from './gate/world.ts';

export const TOKEN = 'tok-5f3a9c-very-secret';

interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

export class WireServer {
  readonly seen: Seen[] = [];
  readonly #answers: Answer[] = [];
  readonly #waiting: { count: number; resolve: () => void }[] = [];
  readonly #server = createServer((request, response) => this.#handle(request, response));

  /** The next answers, in order; the last one repeats. */
  answer(...answers: Answer[]): void {
    this.#answers.splice(0, this.#answers.length, ...answers);
    this.seen.length = 0;
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/v1`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Resolves when it has received `count` requests since the last script. */
  async received(count: number): Promise<void> {
    if (this.seen.length >= count) return;
    await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://server');
      const body = Buffer.concat(chunks).toString();
      this.seen.push({ method: request.method ?? '', url, headers: request.headers, body });
      const next = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
      next?.(response, request);
      for (const waiting of this.#waiting) if (this.seen.length >= waiting.count) waiting.resolve();
    });
  }
}

/**
 * A client with its gate and clock. Pauses between tries end at once: the clock moves whenever one is logged.
 */
export async function openClient(baseUrl: string, parts: Partial<TransportParts> = {}, pauseMs = 2_000) {
  const clock = new ManualClock();
  const lines: unknown[] = [];
  const write = (...line: unknown[]) => void lines.push(line);
  const warn: Log['warn'] = (message, fields) => {
    write(message, fields);
    if (fields?.['again'] === true) setImmediate(() => clock.moveBy(pauseMs));
  };
  const log = { debug: write, info: write, warn, error: write };
  const gate = await openGate(30, new MemoryJournal(), clock);
  const token = new Secret(TOKEN);
  const market = createMarketplaceClient({ baseUrl, token, gate, clock, random: () => 0.5, log, ...parts });
  return { market, clock, gate, lines };
}

/** A server for the tests of one file; each client is closed at the end of its test. */
export function serveFile() {
  const server = new WireServer();
  const opened: MarketplaceClient[] = [];
  let baseUrl = '';
  beforeAll(async () => {
    baseUrl = await server.start();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((market) => market.close()));
  });
  afterAll(() => server.stop());
  const client = async (parts: Partial<TransportParts> = {}, pauseMs?: number) => {
    const world = await openClient(baseUrl, parts, pauseMs);
    opened.push(world.market);
    return world;
  };
  return { server, client };
}

export const proposal = { data: { id: 7, coverLetter: 'Hello' } };
export const read = (market: MarketplaceClient, lane: Lane = 'person') =>
  market.fetchProposal(7 as never, { lane });
export const bid = (market: MarketplaceClient, lane: Lane = 'bid') =>
  market.createJob({ setup: 3 as never, marketplaceJobId: '~021' }, { lane });

/** The error of a failed call. */
export async function failure(promise: Promise<unknown>): Promise<MarketplaceError> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof MarketplaceError)) throw new Error(`no MarketplaceError: ${inspect(thrown)}`);
  return thrown;
}

export const hang: Answer = () => undefined;
export const reset: Answer = (_response, request) => request.socket.resetAndDestroy();
export const brokenOff: Answer = (response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"data":', () => response.socket?.destroy());
};
