/** One family for everything that can go wrong with a call to Slack. */
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { SECOND } from '../clock.ts';
import { asError, GigdeskError } from '../errors.ts';

/**
 * refused: Slack said no, nothing was done · rate-limited: the same, for now · unknown: no answer that can be read, so
 * it may have been done.
 */
export type SlackCallFailureKind = 'refused' | 'rate-limited' | 'unknown';

export class SlackCallError extends GigdeskError {
  override readonly name = 'SlackCallError';
  /** Slack's own code for a refusal; else `ratelimited`, `http_<status>`, `network` or `unreadable`. */
  readonly code: string;
  readonly failureKind: SlackCallFailureKind;
  readonly retryAfterMs: number | undefined;
  /** It was about showing a window. */
  readonly isAboutView: boolean;

  constructor(
    code: string,
    end: SlackCallFailureKind,
    details: {
      readonly retryAfterMs?: number;
      readonly isWindow?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(`Slack: ${code}`, { cause: details.cause });
    this.code = code;
    this.failureKind = end;
    this.retryAfterMs = details.retryAfterMs;
    this.isAboutView = details.isWindow ?? false;
  }
}

/** Slack answers these when something broke on its side: the effect may stand. */
const UNSURE = new Set(['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout']);

/** Slack tells no pause: wait as long as its own documentation suggests for a first one. */
const DEFAULT_RETRY_MS = 30 * SECOND;

function fromPlatform(error: WebAPIPlatformError): SlackCallError {
  const code = error.data.error;
  // The SDK passes a body that is no JSON off as an error code.
  if (!/^[a-z][a-z0-9_]{1,80}$/u.test(code)) return new SlackCallError('unreadable', 'unknown');
  if (code === 'ratelimited' || code === 'rate_limited')
    return new SlackCallError('ratelimited', 'rate-limited', { retryAfterMs: DEFAULT_RETRY_MS });
  return new SlackCallError(code, UNSURE.has(code) ? 'unknown' : 'refused', { cause: error });
}

/** What a failed call of the SDK means. Bodies and headers of HTTP errors are left behind: they may hold anything. */
export function toSlackCallError(thrown: unknown): SlackCallError {
  if (thrown instanceof SlackCallError) return thrown;
  if (thrown instanceof WebAPIPlatformError) return fromPlatform(thrown);
  if (thrown instanceof WebAPIRateLimitedError)
    return new SlackCallError('ratelimited', 'rate-limited', { retryAfterMs: thrown.retryAfter * SECOND });
  if (thrown instanceof WebAPIHTTPError) return new SlackCallError(`http_${thrown.statusCode}`, 'unknown');
  if (thrown instanceof WebAPIRequestError)
    return new SlackCallError('network', 'unknown', { cause: thrown.original });
  return new SlackCallError('network', 'unknown', { cause: asError(thrown) });
}
