/** The one HTTP server: health and the like in both modes, Slack's signed requests in HTTP mode. */

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, MINUTE, SECOND } from '../clock.ts';
import { asError } from '../errors.ts';
import type { Log } from '../log.ts';
import { holdsNoObject, readBody } from './read-body.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly type: 'text/plain' | 'text/plain; version=0.0.4';
  readonly body: string;
}

/** Answers to GET, by path. */
export type HttpRoutes = Readonly<Record<string, () => HttpAnswer | Promise<HttpAnswer>>>;

export interface HttpServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly routes: HttpRoutes;
  /** Takes `POST /slack/events` after the guard. */
  readonly slack?: RequestListener;
  /** Whether Slack signed this body. Asked before anything of it is parsed, which costs far more; all are parsed when absent. */
  readonly isSigned?: (headers: IncomingMessage['headers'], body: Buffer) => boolean;
  /** Told of each request in Slack's name that was answered with 4xx or 5xx. Must not throw. */
  readonly onRefused?: (status: number) => void;
  /** Until a request must have arrived whole; 10 s when absent. */
  readonly requestTimeoutMs?: number;
}

export interface RunningServer {
  readonly port: number;
  /** Takes no more requests; resolves when those under way are answered, or cut off at the deadline. */
  stop(deadlineMs: number): Promise<void>;
}

export const SLACK_PATH = '/slack/events';
/** Source: docs/slack-limits.md, "Times and rates". */
const MOST_SKEW_MS = 5 * MINUTE;
const REQUEST_TIMEOUT_MS = 10 * SECOND;
/** Assumed: it is a command's form with a token and little else. */
const LONGEST_CERTIFICATE_CHECK = 1_000;
const FORM = 'application/x-www-form-urlencoded';

/** The SDK refuses what is too old but not what is dated in the future, by which a request could be kept and repeated. */
function isFromTheFuture(request: IncomingMessage, clock: Clock): boolean {
  const seconds = Number(request.headers['x-slack-request-timestamp']);
  return Number.isFinite(seconds) && seconds * SECOND > clock.now() + MOST_SKEW_MS;
}

/** The SDK knows forms only without a charset; a proxy may add one. */
function simplifyContentType(request: IncomingMessage): void {
  const type = request.headers['content-type'];
  if (type?.toLowerCase().startsWith(`${FORM};`)) request.headers['content-type'] = FORM;
}

/** Slack does not sign its check of the certificate; the SDK answers it, and leaves out all else that the body holds. */
function mayCheckCertificate(body: Buffer): boolean {
  return body.length < LONGEST_CERTIFICATE_CHECK && body.includes('ssl_check=1');
}

function end(response: ServerResponse, { status, type, body }: HttpAnswer): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(body);
}

function plain(status: number, body: string): HttpAnswer {
  return { status, type: 'text/plain', body };
}

async function takeSlackRequest(
  options: HttpServerOptions & { readonly slack: RequestListener },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.once('finish', () => {
    if (response.statusCode >= 400) options.onRefused?.(response.statusCode);
  });
  if (isFromTheFuture(request, options.clock)) {
    options.log.warn('a request of Slack is dated in the future: refused; check the clock of this machine');
    end(response, plain(401, ''));
    return;
  }
  simplifyContentType(request);
  // A body that was refused half read would hold up whatever comes next on its connection.
  response.once('finish', () => {
    if (!request.complete) request.destroy();
  });
  const body = await readBody(request);
  if (body === 'broken') return options.log.info('a request broke off');
  if (body === 'too-large') {
    options.log.warn('a request of Slack is too large: refused');
    return end(response, plain(413, ''));
  }
  if (options.isSigned?.(request.headers, body) === false && !mayCheckCertificate(body)) {
    options.log.warn('a request is not signed by Slack, or too old: refused');
    return end(response, plain(401, ''));
  }
  if (holdsNoObject(body, request.headers['content-type'] === FORM)) {
    options.log.warn('the body of a request holds no object: refused');
    return end(response, plain(400, ''));
  }
  // Where the SDK looks for a body that was read before.
  options.slack(Object.assign(request, { rawBody: body }), response);
}

async function handle(
  options: HttpServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '/'] = (request.url ?? '/').split('?');
  const { slack } = options;
  if (slack && request.method === 'POST' && path === SLACK_PATH)
    return takeSlackRequest({ ...options, slack }, request, response);
  const route = Object.hasOwn(options.routes, path) ? options.routes[path] : undefined;
  if (!route) return end(response, plain(404, 'not found\n'));
  if (request.method !== 'GET' && request.method !== 'HEAD') return end(response, plain(405, 'GET only\n'));
  end(response, await route());
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  server.removeAllListeners('error');
  return (server.address() as AddressInfo).port;
}

/** @throws Error with Node's code when the address is taken. */
export async function startHttpServer(options: HttpServerOptions): Promise<RunningServer> {
  const requestTimeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  // Else Node looks every 30 s, and a body that drips in keeps its place for so long.
  const limits = { requestTimeout, connectionsCheckingInterval: requestTimeout / 10 };
  const server = createServer(limits, (request, response) => {
    handle(options, request, response).catch((thrown: unknown) => {
      options.log.error('a request could not be answered', { error: String(thrown) });
      if (!response.headersSent) end(response, plain(500, 'fault\n'));
    });
  });
  const port = await listen(server, options.host, options.port);
  // Such as too many open files: it goes on, and nobody listening would end the process.
  server.on('error', (error) => options.log.error('the HTTP server has trouble', { error: asError(error) }));
  return {
    port,
    async stop(deadlineMs) {
      const cancel = options.clock.after(deadlineMs, () => server.closeAllConnections());
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await closed;
      cancel();
    },
  };
}
