/**
 * Passes Slack's requests to replicas in turns, as a load balancer does: it tries the next one only while
 * nothing of a request was sent.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface RoundRobinProxy {
  /** Without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** The request may have been handled. */
class NoAnswer extends Error {}

/** Resolves when the answer was passed on. @throws NoAnswer, or another error when nothing was sent */
function pass(target: string, incoming: IncomingMessage, body: Buffer, response: ServerResponse) {
  return new Promise<void>((resolve, reject) => {
    const { host: _ours, connection: _kept, ...headers } = incoming.headers;
    const { method = 'GET', url = '/' } = incoming;
    let isConnected = false;
    // A connection for each request: one that was kept may end just when it is used.
    const upstream = send(new URL(url, target), { method, headers, agent: false });
    upstream.on('socket', (socket) =>
      socket.once('connect', () => {
        isConnected = true;
      }),
    );
    upstream.on('error', (error) => reject(isConnected ? new NoAnswer('no answer') : error));
    upstream.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response).on('finish', resolve);
    });
    upstream.end(body);
  });
}

/** @param listTargets read for each request: addresses such as `http://127.0.0.1:3000` */
export async function startRoundRobinProxy(listTargets: () => readonly string[]): Promise<RoundRobinProxy> {
  let next = 0;
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    const targets = listTargets();
    const first = next++;
    for (let tried = 0; tried < targets.length; tried++) {
      const target = targets[(first + tried) % targets.length];
      if (target === undefined) break;
      try {
        await pass(target, incoming, body, response);
        return;
      } catch (thrown) {
        if (thrown instanceof NoAnswer) break;
      }
    }
    response.writeHead(502).end();
  };
  const server = createServer((incoming, response) => {
    void serve(incoming, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
