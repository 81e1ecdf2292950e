/** The way of one request through the simulator: log, ordered faults, token, rate, subscription, endpoint, modes. */
import { type Exchange, parseJson } from '../http.ts';
import { type Answer, refuse } from './answers.ts';
import { distort } from './distort.ts';
import type { FaultDesk } from './fault-desk.ts';
import type { RequestLog } from './request-log.ts';
import { route } from './routes.ts';
import { asJson, asOrdered, reset, send } from './send.ts';
import type { World } from './world.ts';

const PREFIX = '/v1';

/** Whom the marketplace refuses before it looks at the request; undefined lets it pass. */
function refusal(world: World, token: string, exchange: Exchange): Answer | undefined {
  if (exchange.headers['x-api-token'] !== token) return refuse(401, 'Invalid or missing API token');
  if (!world.window.admit(world.clock.now())) return refuse(429, 'Rate limit exceeded');
  if (world.account.isInactive()) return refuse(402, 'Subscription inactive');
  if (world.account.plan === 'without-api') return refuse(403, 'Plan does not include API access');
  return undefined;
}

function isJson(exchange: Exchange): boolean {
  return /^application\/json\s*(;|$)/i.test(exchange.headers['content-type'] ?? '');
}

function answerTo(world: World, token: string, exchange: Exchange, path: string, body: unknown): Answer {
  const refused = refusal(world, token, exchange);
  if (refused) return refused;
  if (!exchange.url.pathname.startsWith(`${PREFIX}/`)) return refuse(404, 'Not found');
  if (exchange.body.length > 0 && !isJson(exchange)) {
    return refuse(400, 'Content-Type must be application/json');
  }
  const answer = route(world, exchange.method, path, exchange.url.searchParams, body);
  return answer.status < 300 ? { ...answer, body: distort(answer.body, world.modes) } : answer;
}

/**
 * Serves one request. An ordered answer that is not carried out, and a connection dropped before, never reach the
 * marketplace: they have no effect and count in no window.
 */
export function serveMarketplace(
  world: World,
  token: string,
  desk: FaultDesk,
  log: RequestLog,
  exchange: Exchange,
): void {
  const { method, url, response } = exchange;
  const path = url.pathname.startsWith(PREFIX) ? url.pathname.slice(PREFIX.length) : url.pathname;
  const body = parseJson(exchange.body);
  const entry = log.open(world.clock.now(), method, path, url.searchParams, body);
  response.once('close', () => entry.closed());
  const fault = desk.meet(method, path);
  const effect = fault?.effect;
  if (effect?.kind === 'drop' && effect.when === 'before') {
    reset(response);
    return;
  }
  const ordered = effect?.kind === 'answer' ? asOrdered(effect) : undefined;
  const carriedOut = effect?.kind !== 'answer' || effect.carriedOut === true;
  const right = carriedOut ? asJson(answerTo(world, token, exchange, path, body)) : undefined;
  const payload = ordered ?? right;
  if (!payload) return;
  entry.decided(payload.status);
  send(response, payload, fault, () => entry.answered());
}
