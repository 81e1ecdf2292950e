/**
 * The only HTTP server: health, metrics, pages, hints and requests of other replicas in both modes, Slack's
 * signed requests in HTTP mode. It logs no path, because some have a secret.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Clock, SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import type { Log } from '../../log.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly type: 'text/plain' | 'text/plain; version=0.0.4' | 'text/html';
  readonly body: string;
  /** Besides the content type. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** `query`: what follows `?` in the URL. Anyone can write anything there. */
type HttpQuestion = { readonly method: 'GET' | 'HEAD'; readonly query: URLSearchParams };

/** Answers to GET and HEAD by path. */
export type HttpRoutes = Readonly<
  Record<string, (question: HttpQuestion) => HttpAnswer | Promise<HttpAnswer>>
>;

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface HttpServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly routes: HttpRoutes;
  /** Answers all POST requests to `SLACK_PATH`. */
  readonly slack?: RequestHandler;
  /** Answers all POST requests to `REPLICA_PATH`. */
  readonly replicas?: RequestHandler;
  /** Answers all requests below a path. */
  readonly hooks?: {
    /** With a slash at the end. */
    readonly path: string;
    /** @param rest what follows the path. @param query what follows `?` */
    handle(request: IncomingMessage, response: ServerResponse, rest: string, query: string): Promise<void>;
  };
  /** The deadline for a complete request; 10 s when absent. */
  readonly requestTimeoutMs?: number;
  /** Concurrent connections; 512 when absent. */
  readonly mostConnections?: number;
}

export const SLACK_PATH = '/slack/events';
/** Where replicas pass on requests of Slack to each other. */
export const REPLICA_PATH = '/replica/requests';

/** Connections with a request of Slack that is being handled. */
const handling = new WeakSet<Socket>();

/** Keeps the request's connection until it is answered. Only for requests whose signature was checked. */
export function keepUntilAnswered(response: ServerResponse): void {
  const { socket } = response.req;
  handling.add(socket);
  response.once('close', () => handling.delete(socket));
}

/**
 * Keeps at most `most` connections. A new one replaces the one with the oldest start or good answer. Refusing
 * new ones instead would let attackers occupy all connections and lock Slack out.
 */
function boundConnections(server: Server, most: number): void {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (open.size <= most) return;
    // At least the new one isn't handled yet.
    for (const oldest of open)
      if (!handling.has(oldest)) {
        open.delete(oldest);
        oldest.destroy();
        return;
      }
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    response.once('finish', () => {
      if (response.statusCode < 400 && open.delete(socket)) open.add(socket);
    });
  });
}

function end(response: ServerResponse, { status, type, body, headers }: HttpAnswer): void {
  response.writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8` }).end(body);
}

function plain(status: number, body: string): HttpAnswer {
  return { status, type: 'text/plain', body };
}

async function handle(options: HttpServerOptions, request: IncomingMessage, response: ServerResponse) {
  const [path = '/', ...query] = (request.url ?? '/').split('?');
  const { slack, replicas, hooks } = options;
  if (hooks && path.startsWith(hooks.path))
    return hooks.handle(request, response, path.slice(hooks.path.length), query.join('?'));
  if (slack && request.method === 'POST' && path === SLACK_PATH) return slack(request, response);
  if (replicas && request.method === 'POST' && path === REPLICA_PATH) return replicas(request, response);
  const route = Object.hasOwn(options.routes, path) ? options.routes[path] : undefined;
  if (!route) return end(response, plain(404, 'not found\n'));
  const { method } = request;
  if (method !== 'GET' && method !== 'HEAD') return end(response, plain(405, 'GET only\n'));
  end(response, await route({ method, query: new URLSearchParams(query.join('?')) }));
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  server.removeAllListeners('error');
  return (server.address() as AddressInfo).port;
}

export type RunningServer = Awaited<ReturnType<typeof startHttpServer>>;

/** @throws Error with Node's code when the address is taken. */
export async function startHttpServer(options: HttpServerOptions) {
  const requestTimeout = options.requestTimeoutMs ?? 10 * SECOND;
  // Otherwise Node checks every 30 s, and a slow body keeps its connection that long.
  const checks = { requestTimeout, connectionsCheckingInterval: requestTimeout / 10 };
  // Longer than proxies' usual minute: after our close of an idle connection, one may still send on it.
  const limits = { ...checks, keepAliveTimeout: 75 * SECOND };
  const server = createServer(limits, (request, response) => {
    handle(options, request, response).catch((thrown: unknown) => {
      options.log.error('could not answer a request', { error: String(thrown) });
      if (!response.headersSent) end(response, plain(500, 'fault\n'));
    });
  });
  // Slack's requests take milliseconds: a burst needs a few dozen. Node's usual limit of files is 1,024.
  boundConnections(server, options.mostConnections ?? 512);
  const port = await listen(server, options.host, options.port);
  // For example, too many open files. The server keeps running; without a listener the process would end.
  server.on('error', (error) => options.log.error('HTTP server error', { error: asError(error) }));
  return {
    port,
    /** Accepts no more requests; resolves when pending ones are answered, or cut off at the deadline. */
    async stop(deadlineMs: number): Promise<void> {
      const cancel = options.clock.runAfter(deadlineMs, () => server.closeAllConnections());
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await closed;
      cancel();
    },
  };
}
