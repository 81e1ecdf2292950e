/** Turns an error response into a `MarketplaceError`. Pure; clips the server's text and removes secrets. */

import { omitUndefined } from '../base/omit-undefined.ts';
import { MarketplaceError, type MarketplaceErrorCode, type MarketplaceErrorDetails } from './errors.ts';
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
  return new MarketplaceError(
    'bad-request',
    'none',
    'The marketplace rejected the auto bidding request',
    readDetails(answer),
  );
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

function readDetails({
  status,
  body,
  retryAfterMs,
  hideSecrets,
}: MarketplaceErrorResponse): MarketplaceErrorDetails {
  const { fields, credits_needed, credits_remaining, credits_reset_date } = toUnknownFields(body);
  return omitUndefined({
    status,
    serverMessage: readServerMessage(body, hideSecrets),
    fields: readFields(fields, hideSecrets),
    creditsNeeded: parseCount(credits_needed),
    creditsRemaining: parseCount(credits_remaining),
    creditsResetAt: parseInstant(credits_reset_date),
    retryAfterMs,
    jobId: parseJobIdFromResponse(body),
    job: parseCreatedJob(body),
  });
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
  return parseSingleLine(
    typeof plain === 'string' ? hideSecrets(plain) : plain,
    WIRE_TEXT_LENGTH_LIMITS.message,
  );
}

function readFields(
  value: unknown,
  hideSecrets: (text: string) => string,
): Readonly<Record<string, string>> | undefined {
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
