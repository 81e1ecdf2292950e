/**
 * The outcome of a failed request: the `MarketplaceError` for an error response or for none, also after
 * several tries. Clips the server's text, and keeps the token out of all that people or logs may see.
 */
import { inspect } from 'node:util';
import { keepKnown } from '../base/keep-known.ts';
import type { Secret } from '../secret.ts';
import {
  MarketplaceError,
  type MarketplaceErrorCode,
  type MarketplaceErrorDetails,
  type RequestEffect,
} from './errors.ts';
import type { HttpExchangeResult } from './http.ts';
import { parseCreatedJob, parseJobIdFromResponse } from './wire/bidding.ts';
import {
  isObject,
  parseCount,
  parseInstant,
  parseSingleLine,
  toUnknownFields,
  WIRE_TEXT_LENGTH_LIMITS,
} from './wire/values.ts';

export interface MarketplaceErrorResponse {
  readonly status: number;
  /** The parsed body; undefined when it isn't JSON. */
  readonly body: unknown;
  readonly retryAfterMs?: number;
  /** Removes secrets from the server's text, in case it echoes them. */
  readonly hideSecrets: (text: string) => string;
}

/**
 * The error for a status that isn't a success. A 4xx had no effect; after a 5xx the effect is unknown.
 * Source: docs/marketplace-api.md, Errors.
 */
export function parseErrorResponse(answer: MarketplaceErrorResponse): MarketplaceError {
  const details = readDetails(answer);
  const code = codeOf(answer.status, details);
  const effect = answer.status >= 400 && answer.status < 500 ? 'none' : 'unknown';
  return new MarketplaceError(code, effect, `${MESSAGES[code]} (HTTP ${answer.status})`, details);
}

/** For an auto bidding response that reports a failure itself, whatever its status: nothing was done. */
export function parseRefusedJobResponse(answer: MarketplaceErrorResponse): MarketplaceError {
  const message = 'The marketplace rejected the auto bidding request';
  return new MarketplaceError('bad-request', 'none', message, readDetails(answer));
}

const MESSAGES: Readonly<Record<MarketplaceErrorCode, string>> = {
  'bad-request': 'The marketplace rejected the request',
  unauthorised: 'The marketplace rejected the API token',
  'subscription-inactive': "The team's marketplace subscription is inactive",
  'credits-depleted': 'Not enough project credits',
  forbidden: "The API token doesn't have permission for this request",
  'not-found': "The marketplace didn't find it",
  'rate-limited': 'The marketplace rate-limited the request',
  server: 'The marketplace returned an error',
  unreadable: 'The marketplace returned an unexpected status',
  network: "Couldn't reach the marketplace",
  timeout: 'No response from the marketplace in time',
  'gate-timeout': 'No free slot at the request gate in time',
  'not-connected': 'No marketplace account is connected',
};

const CODES: Readonly<Record<number, MarketplaceErrorCode>> = {
  401: 'unauthorised',
  403: 'forbidden',
  404: 'not-found',
  429: 'rate-limited',
};

function codeOf(status: number, details: MarketplaceErrorDetails): MarketplaceErrorCode {
  if (status === 402) return isAboutCredits(details) ? 'credits-depleted' : 'subscription-inactive';
  const code = CODES[status];
  if (code) return code;
  if (status >= 500) return 'server';
  return status >= 400 ? 'bad-request' : 'unreadable';
}

/** A 402 has two meanings. Depleted credits come with numbers and the error `Insufficient credits`. */
function isAboutCredits(details: MarketplaceErrorDetails): boolean {
  if (details.creditsNeeded !== undefined || details.creditsRemaining !== undefined) return true;
  return /\bcredits?\b/i.test(details.serverMessage ?? '');
}

function readDetails(answer: MarketplaceErrorResponse): MarketplaceErrorDetails {
  const { status, body, retryAfterMs, hideSecrets } = answer;
  const { fields, credits_needed, credits_remaining, credits_reset_date } = toUnknownFields(body);
  return {
    status,
    serverMessage: readServerMessage(body, hideSecrets),
    fields: readFields(fields, hideSecrets),
    creditsNeeded: parseCount(credits_needed),
    creditsRemaining: parseCount(credits_remaining),
    creditsResetAt: parseInstant(credits_reset_date),
    retryAfterMs,
    jobId: parseJobIdFromResponse(body),
    job: parseCreatedJob(body),
  };
}

/** A response with `success` may put its reason in `error`, in `message`, or partly in each. */
function readServerMessage(body: unknown, hideSecrets: (text: string) => string): string | undefined {
  const { success, error, message } = toUnknownFields(body);
  const [first, second] = [serverText(error, hideSecrets), serverText(message, hideSecrets)];
  const isBoth = success !== undefined && first && second && first !== second;
  return isBoth ? `${first}: ${second}` : (first ?? second);
}

function serverText(value: unknown, hideSecrets: (text: string) => string): string | undefined {
  const { message } = toUnknownFields(value);
  const plain = isObject(value) ? message : value;
  const safe = typeof plain === 'string' ? hideSecrets(plain) : plain;
  return parseSingleLine(safe, WIRE_TEXT_LENGTH_LIMITS.message);
}

function readFields(value: unknown, hideSecrets: (text: string) => string) {
  const read = Object.entries(toUnknownFields(value))
    .slice(0, 200)
    .flatMap(([path, message]) => {
      const words = Array.isArray(message) ? message.filter(isTold).join('; ') : message;
      const shown = serverText(words, hideSecrets);
      const name = parseSingleLine(hideSecrets(path));
      return shown && name ? [[name, shown] as const] : [];
    });
  return read.length === 0 ? undefined : Object.fromEntries(read);
}

/** Other values can't always become text: an object with its own `toString`, or a very deep list, throws. */
function isTold(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** Once any of the request was written, its effect is unknown. */
export function toTransportError(
  { fault, written, cause }: Extract<HttpExchangeResult, { kind: 'fault' }>,
  token: Secret,
): MarketplaceError {
  const effect = written ? 'unknown' : 'none';
  const details = { cause: cause === undefined ? undefined : redactErrorCause(cause, token) };
  switch (fault) {
    case 'network':
      return new MarketplaceError('network', effect, 'The connection to the marketplace failed', details);
    case 'given-up':
      return new MarketplaceError('network', effect, 'The marketplace request was canceled', details);
    case 'timeout':
      return new MarketplaceError('timeout', effect, 'No response from the marketplace in time', details);
    case 'too-large':
      return new MarketplaceError('unreadable', effect, 'The marketplace response is too large', details);
  }
}

/** A success with an unreadable body: its effect is unknown. */
export function unreadableResponseError(message: string, status: number, jobId?: number): MarketplaceError {
  return new MarketplaceError('unreadable', 'unknown', message, { status, jobId });
}

/** Not followed, because the token would go along. By definition, 301, 307 and 308 did nothing here. */
export function redirectError(status: number): MarketplaceError {
  const effect = status === 301 || status === 307 || status === 308 ? 'none' : 'unknown';
  const message = `The marketplace address redirects elsewhere (HTTP ${status})`;
  return new MarketplaceError('unreadable', effect, message, { status });
}

/** Before anything was sent. */
export function requestCanceledError(cause: unknown): MarketplaceError {
  return new MarketplaceError('network', 'none', 'The marketplace request was canceled', { cause });
}

/** A later try without effect doesn't undo what an earlier one may have done. */
export function withEarlierEffect(earlier: MarketplaceError | undefined, error: MarketplaceError) {
  const effect: RequestEffect = earlier?.effect === 'unknown' ? 'unknown' : error.effect;
  return effect === error.effect
    ? error
    : new MarketplaceError(error.code, effect, error.message, error.details);
}

/** The error when no slot was free in time; keeps the effect of an earlier try. */
export function withEarlierAttemptError(thrown: unknown, last: MarketplaceError | undefined): unknown {
  if (!(thrown instanceof MarketplaceError)) return last ?? requestCanceledError(thrown);
  if (last === undefined) return thrown;
  if (last.code !== 'rate-limited') return last;
  const details = keepKnown(last.details, thrown.details);
  return new MarketplaceError('gate-timeout', last.effect, thrown.message, details);
}

export function hideToken(token: Secret): (text: string) => string {
  return (text) => text.replaceAll(token.reveal(), '[secret]');
}

/** Returns the same cause, or a plain error instead when anything in it shows the token. */
export function redactErrorCause(cause: unknown, token: Secret): unknown {
  if (!inspect(cause, { depth: 8, maxArrayLength: 1_000 }).includes(token.reveal())) return cause;
  return new Error(hideToken(token)(cause instanceof Error ? cause.message : "The cause can't be shown"));
}
