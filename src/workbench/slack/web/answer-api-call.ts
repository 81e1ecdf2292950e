/** Decides one Web API call: token, scope, rate limit, result. */
import { WEB_API_METHODS } from '../methods/all-methods.ts';
import type { WebApiMethod } from '../methods/method.ts';
import type { JsonObject } from '../objects.ts';
import type { SlackSimulatorContext } from '../simulator-context.ts';
import { CallArguments } from './arguments.ts';
import { HISTORY_METHODS, STRICT_HISTORY_LIMITS } from './rate-limits.ts';
import { SlackApiError } from './slack-api-error.ts';

export interface WebApiResponse {
  readonly status: number;
  readonly body: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  readonly messages: readonly string[];
}

/** `token`: from the header, else from the arguments. */
export interface WebApiRequest {
  readonly method: string;
  readonly token: string | undefined;
  readonly args: JsonObject;
}

function checkToken(method: WebApiMethod, asked: WebApiRequest, site: SlackSimulatorContext): void {
  const { settings } = site;
  if (method.withoutToken) return;
  if (!asked.token) throw new SlackApiError('not_authed');
  if (asked.token === settings.botToken) {
    if (settings.refusedToken !== undefined) throw new SlackApiError(settings.refusedToken);
    if (method.appToken) throw new SlackApiError('not_allowed_token_type');
    return;
  }
  if (asked.token !== settings.appToken) throw new SlackApiError('invalid_auth');
  if (!method.appToken) throw new SlackApiError('not_allowed_token_type');
}

function neededScope(
  method: WebApiMethod,
  args: CallArguments,
  site: SlackSimulatorContext,
): string | undefined {
  return typeof method.scope === 'function' ? method.scope(args, site) : method.scope;
}

function checkScope(scope: string | undefined, site: SlackSimulatorContext): void {
  const { scopes } = site.settings;
  if (scope === undefined || scopes.includes(scope)) return;
  throw new SlackApiError('missing_scope', { needed: scope, provided: scopes.join(',') });
}

function scopeHeaders(site: SlackSimulatorContext, scope: string | undefined): Record<string, string> {
  return { 'x-oauth-scopes': site.settings.scopes.join(','), 'x-accepted-oauth-scopes': scope ?? '' };
}

/** @returns the seconds to wait if the call exceeds the rate limit */
function takePlace(
  method: string,
  args: CallArguments,
  { settings, rateLimits }: SlackSimulatorContext,
): number | undefined {
  const channel = args.text('channel');
  if (settings.historyLimit === 'strict' && HISTORY_METHODS.has(method))
    return rateLimits.takeCallSlot(method, channel, STRICT_HISTORY_LIMITS.callsPerMinute);
  return settings.rateLimits === 'on' ? rateLimits.takeCallSlot(method, channel) : undefined;
}

/** Slack's answer to one call. Its effect has happened when this returns. */
export function answerApiCall(asked: WebApiRequest, site: SlackSimulatorContext): WebApiResponse {
  const args = new CallArguments(asked.args);
  let scope: string | undefined;
  try {
    const method = Object.hasOwn(WEB_API_METHODS, asked.method) ? WEB_API_METHODS[asked.method] : undefined;
    if (!method) throw new SlackApiError('unknown_method', { req_method: asked.method });
    checkToken(method, asked, site);
    scope = neededScope(method, args, site);
    checkScope(scope, site);
    const wait = takePlace(asked.method, args, site);
    if (wait) return rateLimitedResponse(wait);
    const body = { ok: true, ...method.run(args, site) };
    return { status: 200, body, headers: scopeHeaders(site, scope), messages: [] };
  } catch (thrown) {
    if (!(thrown instanceof SlackApiError)) throw thrown;
    const headers = scopeHeaders(site, scope);
    return { status: 200, body: thrown.body(), headers, messages: thrown.messages };
  }
}

export function rateLimitedResponse(retryAfterS: number): WebApiResponse {
  return {
    status: 429,
    body: { ok: false, error: 'ratelimited' },
    headers: { 'retry-after': String(retryAfterS) },
    messages: [],
  };
}
