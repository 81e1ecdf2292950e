/** Decides one Web API call: who calls, may they, is it too often, what comes of it. */
import { METHODS } from '../methods/all.ts';
import type { Method } from '../methods/method.ts';
import type { Json } from '../objects.ts';
import type { Site } from '../site.ts';
import { Arguments } from './arguments.ts';
import { HISTORY_METHODS, STRICT_HISTORY } from './rate-limits.ts';
import { Refusal } from './refusal.ts';

export interface CallAnswer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Readonly<Record<string, string>>;
  readonly messages: readonly string[];
}

/** `token`: from the header, else from the arguments. */
export interface Asked {
  readonly method: string;
  readonly token: string | undefined;
  readonly args: Json;
}

function checkToken(method: Method, asked: Asked, site: Site): void {
  const { settings } = site;
  if (!asked.token) throw new Refusal('not_authed');
  if (asked.token === settings.botToken) {
    if (settings.refusedToken !== undefined) throw new Refusal(settings.refusedToken);
    if (method.appToken) throw new Refusal('not_allowed_token_type');
    return;
  }
  if (asked.token !== settings.appToken) throw new Refusal('invalid_auth');
  if (!method.appToken) throw new Refusal('not_allowed_token_type');
}

function neededScope(method: Method, args: Arguments, site: Site): string | undefined {
  return typeof method.scope === 'function' ? method.scope(args, site) : method.scope;
}

function checkScope(scope: string | undefined, site: Site): void {
  const { scopes } = site.settings;
  if (scope === undefined || scopes.includes(scope)) return;
  throw new Refusal('missing_scope', { needed: scope, provided: scopes.join(',') });
}

function scopeHeaders(site: Site, scope: string | undefined): Record<string, string> {
  return { 'x-oauth-scopes': site.settings.scopes.join(','), 'x-accepted-oauth-scopes': scope ?? '' };
}

/** @returns the seconds to wait, where the call comes too soon */
function takePlace(method: string, args: Arguments, { settings, rateLimits }: Site): number | undefined {
  const channel = args.text('channel');
  if (settings.historyLimit === 'strict' && HISTORY_METHODS.has(method))
    return rateLimits.take(method, channel, STRICT_HISTORY.callsPerMinute);
  return settings.rateLimits === 'on' ? rateLimits.take(method, channel) : undefined;
}

/** Slack's answer to one call. Its effect, if it has one, stands when this returns. */
export function answerCall(asked: Asked, site: Site): CallAnswer {
  const args = new Arguments(asked.args);
  let scope: string | undefined;
  try {
    const method = Object.hasOwn(METHODS, asked.method) ? METHODS[asked.method] : undefined;
    if (!method) throw new Refusal('unknown_method', { req_method: asked.method });
    checkToken(method, asked, site);
    scope = neededScope(method, args, site);
    checkScope(scope, site);
    const wait = takePlace(asked.method, args, site);
    if (wait) return rateLimited(wait);
    const body = { ok: true, ...method.run(args, site) };
    return { status: 200, body, headers: scopeHeaders(site, scope), messages: [] };
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    const headers = scopeHeaders(site, scope);
    return { status: 200, body: thrown.body(), headers, messages: thrown.messages };
  }
}

export function rateLimited(retryAfterS: number): CallAnswer {
  return {
    status: 429,
    body: { ok: false, error: 'ratelimited' },
    headers: { 'retry-after': String(retryAfterS) },
    messages: [],
  };
}
