/** Clients in front of a server with scripted answers and failures. */
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { MarketplaceClient } from '../../src/marketplace/client.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import type { Lane } from '../../src/marketplace/gate/gate.ts';
import type { TransportParts } from '../../src/marketplace/transport.ts';
import { type Answer, openClient, WireServer } from './wire-server.ts';

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
