/** Serves the page to this machine: the simulated workspace and the Marketplace panel in a browser. */
import type { Clock } from '../../clock.ts';
import { answerBytes, answerJson, type HttpExchange, SANDBOX_PORT, startServerNear } from '../http.ts';
import type { SimulatedSlack } from '../slack/simulated-slack.ts';
import { broadcastChanges } from './broadcast-changes.ts';
import { GET_ENDPOINTS, type PageEndpoint, type PageServerContext, POST_ENDPOINTS } from './endpoints.ts';
import { EventStream } from './event-stream.ts';
import { MAX_FILE_BYTES } from './file-size.ts';
import { findForeignRequestProblem } from './foreign-requests.ts';
import type { MarketController } from './market-controller.ts';
import { NO_GUIDE, type PageGuide } from './page-guide.ts';
import { PageRenderer } from './page-renderer.ts';
import type { AppCommandCatalog } from './page-workspace.ts';
import type { PageActionResult } from './protocol.ts';
import { detectImageType, loadStaticFiles, type StaticFiles } from './static-files.ts';
import { NotVisibleError } from './visibility.ts';

export interface PageServerOptions {
  readonly slack: SimulatedSlack;
  readonly market: MarketController;
  /** The clock of both services. */
  readonly clock: Clock;
  /** What the panel suggests to try; nothing when absent. */
  readonly guide?: PageGuide;
  /** The product's commands, for completion. */
  readonly offers: AppCommandCatalog;
  /** The first port to try; if it is in use, the next ones. 0: any free port. 4870 when absent. */
  readonly port?: number;
  /** The folder with `assets` and the compiled `client`. */
  readonly root: string;
}

export interface RunningPageServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** Number of connected tabs. */
  readonly openTabCount: () => number;
  close(): Promise<void>;
}

/** Enough for a file in base64, which exceeds anything that a person types. */
const MOST_BODY_BYTES = 2 * MAX_FILE_BYTES;
const HEADERS = {
  'content-security-policy':
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

function json({ response }: HttpExchange, status: number, body: unknown): void {
  answerJson(response, status, body, HEADERS);
}

function refuse(exchange: HttpExchange, status: number, problem: string): void {
  json(exchange, status, { ok: false, problem } satisfies PageActionResult);
}

function send({ response }: HttpExchange, type: string, bytes: Buffer): void {
  answerBytes(response, 200, bytes, { ...HEADERS, 'content-type': type });
}

/** Pictures as such, and all else as plain text, so that no browser runs it. */
function sendFile(slack: SimulatedSlack, exchange: HttpExchange, id: string): void {
  const file = slack.files().find((each) => each.id === id);
  if (file) send(exchange, detectImageType(file.bytes) ?? 'text/plain; charset=utf-8', file.bytes);
  else refuse(exchange, 404, 'File not found.');
}

async function sendStatic(files: StaticFiles, exchange: HttpExchange): Promise<void> {
  const file = files.get(exchange.url.pathname);
  if (file) send(exchange, file.type, await file.read());
  else refuse(exchange, 404, 'Page not found.');
}

async function answerApi(
  desk: PageServerContext,
  exchange: HttpExchange,
  answer: PageEndpoint,
): Promise<void> {
  try {
    json(exchange, 200, await answer(desk, exchange));
  } catch (thrown) {
    if (!(thrown instanceof NotVisibleError)) throw thrown;
    refuse(exchange, 404, thrown.message);
  }
}

async function serve(desk: PageServerContext, files: StaticFiles, exchange: HttpExchange): Promise<void> {
  const { method, url, headers, request } = exchange;
  const refusal = findForeignRequestProblem(method, headers, request.socket.localPort ?? 0);
  if (refusal !== undefined) return refuse(exchange, 403, refusal);
  const { pathname } = url;
  const isKnown = GET_ENDPOINTS.has(pathname) || POST_ENDPOINTS.has(pathname);
  const answer = method === 'POST' ? POST_ENDPOINTS.get(pathname) : GET_ENDPOINTS.get(pathname);
  if (answer && (method === 'GET' || method === 'POST')) return answerApi(desk, exchange, answer);
  if (isKnown || method !== 'GET') return refuse(exchange, 405, 'Method not allowed.');
  if (pathname === '/api/events') return desk.events.addClient(exchange.response, HEADERS);
  if (pathname.startsWith('/files/')) return sendFile(desk.slack, exchange, pathname.slice('/files/'.length));
  return sendStatic(files, exchange);
}

/** Listens on the loopback; resolves when the page is ready. */
export async function startPageServer(options: PageServerOptions): Promise<RunningPageServer> {
  const { slack, market, clock, offers } = options;
  const events = new EventStream();
  const files = await loadStaticFiles(options.root);
  const desk: PageServerContext = {
    slack,
    clock,
    offers,
    easel: new PageRenderer(slack, clock),
    events,
    market,
    guide: options.guide ?? NO_GUIDE,
  };
  const server = await startServerNear(
    options.port ?? SANDBOX_PORT,
    (exchange) => serve(desk, files, exchange),
    {
      maxBodyBytes: MOST_BODY_BYTES,
    },
  );
  const stopWatching = broadcastChanges(slack, market, desk.guide, events);
  return {
    origin: server.origin,
    openTabCount: () => events.size,
    close: async () => {
      stopWatching();
      events.close();
      await server.close();
    },
  };
}
