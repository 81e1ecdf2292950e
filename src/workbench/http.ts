/** The base of both simulators: a small HTTP server on the loopback with bounded bodies. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock, Instant } from '../clock.ts';

/** One request with its whole body, and the response to write. */
export interface HttpExchange {
  readonly method: string;
  /** Path and query as sent; the origin is the server's own. */
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export type HttpHandler = (exchange: HttpExchange) => void | Promise<void>;

export interface LocalHttpServerOptions {
  /** `127.0.0.1` when absent. */
  readonly host?: string;
  /** Any free port (0) when absent. */
  readonly port?: number;
  /** A longer body gets a 413 and never reaches the handler. 8 MiB when absent. */
  readonly maxBodyBytes?: number;
  /** The time for the Date header; undefined: no header. The machine's time when absent. */
  readonly date?: () => Instant | undefined;
}

export interface LocalHttpServer {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly origin: string;
  readonly port: number;
  /** For `upgrade` listeners, such as a websocket's. */
  readonly server: Server;
  /** Open sockets, including upgraded ones. */
  openConnections(): number;
  /** Resets every open connection; the server keeps listening. */
  dropConnections(): void;
  /** Stops listening and destroys open connections; resolves when all are closed. Idempotent. */
  close(): Promise<void>;
}

const MEBIBYTE = 1024 * 1024;

/**
 * The body, or undefined when it is too long. The rest is then read and dropped, since a client that still
 * sends would see a reset instead of the 413. Rejects when the client disconnects first.
 */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
  }
  return bytes > maxBytes ? undefined : Buffer.concat(chunks);
}

/** Sends `body` as JSON, unless the client has disconnected. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  answerText(response, status, JSON.stringify(body), {
    'content-type': 'application/json; charset=utf-8',
    ...headers,
  });
}

/** Sends text (`text/plain` unless the headers say otherwise), unless the client has disconnected. */
export function answerText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  answerBytes(response, status, Buffer.from(text), {
    'content-type': 'text/plain; charset=utf-8',
    ...headers,
  });
}

/** Sends bytes unchanged, unless the client has disconnected. */
export function answerBytes(
  response: ServerResponse,
  status: number,
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, { 'content-length': bytes.length, ...headers });
  response.end(bytes);
}

/** The body as JSON; undefined when it is empty or invalid. */
export function parseJsonBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

async function serve(
  handle: HttpHandler,
  request: IncomingMessage,
  response: ServerResponse,
  maxBodyBytes: number,
): Promise<void> {
  const target = request.url ?? '/';
  if (!target.startsWith('/') || !URL.canParse(`http://localhost${target}`)) {
    return answerJson(response, 400, { error: 'Invalid request target' });
  }
  const body = await readBody(request, maxBodyBytes);
  if (!body) return answerJson(response, 413, { error: 'Body too large' }, { connection: 'close' });
  const url = new URL(`http://localhost${target}`);
  await handle({
    method: request.method ?? 'GET',
    url,
    headers: request.headers,
    body,
    request,
    response,
  });
}

/** How a simulated server's Date header is wrong: ms ahead (below 0: behind), or no header. */
export type DateHeaderSkew = number | 'absent';

export function skewedDateHeaderTime(clock: Pick<Clock, 'now'>, ahead: DateHeaderSkew): Instant | undefined {
  return ahead === 'absent' ? undefined : clock.now() + ahead;
}

/** Listens on the loopback; resolves when it accepts requests. A handler that throws causes a 500. */
export async function startLocalHttpServer(
  handle: HttpHandler,
  options: LocalHttpServerOptions = {},
): Promise<LocalHttpServer> {
  const maxBodyBytes = options.maxBodyBytes ?? 8 * MEBIBYTE;
  const sockets = new Set<Socket>();
  const { date } = options;
  const server = createServer((request, response) => {
    const at = date?.();
    if (date) response.sendDate = false;
    if (at !== undefined) response.setHeader('date', new Date(at).toUTCString());
    serve(handle, request, response, maxBodyBytes).catch((thrown: unknown) => {
      if (request.destroyed && !request.complete) return;
      answerJson(response, 500, { error: `The simulator failed: ${String(thrown)}` });
    });
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  const host = options.host ?? '127.0.0.1';
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const dropConnections = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    origin: `http://${host}:${port}`,
    port,
    server,
    openConnections: () => sockets.size,
    dropConnections,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Of the sandbox's page. */
export const SANDBOX_PORT = 4_870;
const PORTS_TRIED = 20;

/** Listens on a free port at or after `first`. 0: any. @throws Error when none is free */
export async function startServerNear(
  first: number,
  handle: HttpHandler,
  options: Omit<LocalHttpServerOptions, 'port'> = {},
): Promise<LocalHttpServer> {
  for (let port = first; ; port++) {
    try {
      return await startLocalHttpServer(handle, { ...options, port });
    } catch (thrown) {
      const isTaken = (thrown as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || port >= first + PORTS_TRIED) throw thrown;
    }
  }
}
