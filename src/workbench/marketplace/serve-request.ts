/** A request's path through the simulator: log, faults, token, rate limit, subscription, endpoint, modes. */
import { type HttpExchange, parseJsonBody } from '../http.ts';
import { distortResponseBody } from './distort-response.ts';
import { type EndpointResponse, errorResponse } from './endpoint-response.ts';
import type { MarketplaceFaultQueue } from './fault-queue.ts';
import type { MarketplaceState } from './marketplace-state.ts';
import type { RequestLog } from './request-log.ts';
import { runMatchingEndpoint } from './routes.ts';
import { resetConnection, sendPayload, toFaultPayload, toJsonPayload } from './send-response.ts';

const PREFIX = '/v1';

/** The error before the endpoint sees the request (token, rate, subscription); undefined: it may pass. */
function refusal(
  world: MarketplaceState,
  token: string,
  exchange: HttpExchange,
): EndpointResponse | undefined {
  if (exchange.headers['x-api-token'] !== token) return errorResponse(401, 'Invalid or missing API token');
  if (!world.window.tryAdmit(world.clock.now())) return errorResponse(429, 'Rate limit exceeded');
  if (world.account.isInactive()) return errorResponse(402, 'Subscription inactive');
  if (world.account.plan === 'without-api') return errorResponse(403, 'Plan does not include API access');
  return undefined;
}

function isJson(exchange: HttpExchange): boolean {
  return /^application\/json\s*(;|$)/i.test(exchange.headers['content-type'] ?? '');
}

function answerTo(
  world: MarketplaceState,
  token: string,
  exchange: HttpExchange,
  path: string,
  body: unknown,
): EndpointResponse {
  const refused = refusal(world, token, exchange);
  if (refused) return refused;
  if (!exchange.url.pathname.startsWith(`${PREFIX}/`)) return errorResponse(404, 'Not found');
  if (exchange.body.length > 0 && !isJson(exchange)) {
    return errorResponse(400, 'Content-Type must be application/json');
  }
  const answer = runMatchingEndpoint(world, exchange.method, path, exchange.url.searchParams, body);
  return answer.status < 300 ? { ...answer, body: distortResponseBody(answer.body, world.modes) } : answer;
}

/**
 * Serves one request. A fault's response that is not carried out, and a connection dropped `before`, never
 * reach the marketplace: they have no effect and don't count toward the rate limit.
 */
export function serveMarketplaceRequest(
  world: MarketplaceState,
  token: string,
  desk: MarketplaceFaultQueue,
  log: RequestLog,
  exchange: HttpExchange,
): void {
  const { method, url, response } = exchange;
  const path = url.pathname.startsWith(PREFIX) ? url.pathname.slice(PREFIX.length) : url.pathname;
  const body = parseJsonBody(exchange.body);
  const entry = log.openEntry(world.clock.now(), method, path, url.searchParams, body);
  response.once('close', () => entry.recordClosed());
  const fault = desk.takeMatchingFault(method, path);
  const effect = fault?.effect;
  if (effect?.kind === 'drop' && effect.when === 'before') {
    resetConnection(response);
    return;
  }
  const ordered = effect?.kind === 'answer' ? toFaultPayload(effect) : undefined;
  const carriedOut = effect?.kind !== 'answer' || effect.carriedOut === true;
  const right = carriedOut ? toJsonPayload(answerTo(world, token, exchange, path, body)) : undefined;
  const payload = ordered ?? right;
  if (!payload) return;
  entry.recordStatus(payload.status);
  sendPayload(response, payload, fault, () => entry.recordAnswered());
}
