/**
 * One address for several simulated marketplaces, each with an account of its own, as an app that serves many
 * workspaces sees them. A request belongs to the account of its token.
 */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';

interface Behind {
  readonly baseUrl: string;
  readonly token: string;
}

export interface MarketplaceFront {
  /** For `MARKETPLACE_API_URL`. */
  readonly baseUrl: string;
  /** Requests whose token belongs to no account. */
  readonly refused: number;
  close(): Promise<void>;
}

function pass({ baseUrl }: Behind, agent: Agent, request: IncomingMessage, response: ServerResponse): void {
  const { host: _front, ...headers } = request.headers;
  const { method = 'GET', url = '/' } = request;
  const upstream = send(new URL(url, baseUrl), { method, headers, agent });
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('error', () => response.destroy()).pipe(response);
  });
  upstream.on('error', () => response.destroy());
  request.on('error', () => upstream.destroy()).pipe(upstream);
}

/** @param accounts with different tokens */
export async function startMarketplaceFront(accounts: readonly Behind[]): Promise<MarketplaceFront> {
  const agent = new Agent({ keepAlive: true });
  let refused = 0;
  const server = createServer((request, response) => {
    const account = accounts.find(({ token }) => token === request.headers['x-api-token']);
    if (account) return pass(account, agent, request, response);
    refused += 1;
    request.resume();
    response.writeHead(401).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    get refused() {
      return refused;
    },
    async close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
