/** The error type for every failed Slack call. */
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import type { z } from 'zod';
import { findConnectionFailure } from '../../base/connection-failure.ts';
import { SECOND } from '../../clock.ts';
import { asError, GigdeskError } from '../../errors.ts';

/**
 * refused: Slack said no, nothing was done · rate-limited: the same, for now · unknown: no readable answer,
 * so it may have been done.
 */
type SlackCallFailureKind = 'refused' | 'rate-limited' | 'unknown';

export class SlackCallError extends GigdeskError {
  override readonly name = 'SlackCallError';
  /** Slack's own code for a refusal; else `ratelimited`, `http_<status>`, `network` or `unreadable`. */
  readonly code: string;
  readonly failureKind: SlackCallFailureKind;
  readonly retryAfterMs: number | undefined;
  /** Whether the call opens a modal. */
  readonly isAboutView: boolean;
  /** Slack's own messages about a refusal, such as the place of a wrong block. Never for people. */
  readonly details: readonly string[];

  constructor(
    code: string,
    end: SlackCallFailureKind,
    more: Partial<Pick<SlackCallError, 'retryAfterMs' | 'isAboutView' | 'details' | 'cause'>> = {},
  ) {
    super(`Slack: ${code}`, { cause: more.cause });
    this.code = code;
    this.failureKind = end;
    this.retryAfterMs = more.retryAfterMs;
    this.details = more.details ?? [];
    this.isAboutView = more.isAboutView ?? false;
  }
}

/** Of the cause only its code stays: the rest may name an address that is a secret. */
export function networkError(thrown: unknown): SlackCallError {
  const failure = findConnectionFailure(thrown);
  const cause = failure && Object.assign(new Error(failure.code), { code: failure.code });
  return new SlackCallError('network', 'unknown', { cause });
}

/** Codes for failures on Slack's side: the call may have taken effect. */
const UNSURE = new Set(['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout']);

function fromPlatform(error: WebAPIPlatformError): SlackCallError {
  const code = error.data.error;
  // The SDK reports a body that isn't JSON as an error code.
  if (!/^[a-z][a-z0-9_]{1,80}$/u.test(code)) return new SlackCallError('unreadable', 'unknown');
  // Slack names no pause: the first one that its documentation suggests.
  if (code === 'ratelimited' || code === 'rate_limited')
    return new SlackCallError('ratelimited', 'rate-limited', { retryAfterMs: 30 * SECOND });
  const messages: unknown = error.data.response_metadata?.messages;
  const details = Array.isArray(messages) ? messages.filter((each) => typeof each === 'string') : [];
  return new SlackCallError(code, UNSURE.has(code) ? 'unknown' : 'refused', { cause: error, details });
}

/** Converts an SDK error. Drops the bodies and headers of HTTP errors: they may contain anything. */
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

/**
 * Parses Slack's answer to a request. An answer in another shape than `schema` leaves the effect unknown.
 * @throws SlackCallError
 */
export async function parseSlackResponse<T>(schema: z.ZodType<T>, request: Promise<unknown>): Promise<T> {
  try {
    const answer = schema.safeParse(await request);
    if (answer.success) return answer.data;
    throw new SlackCallError('unreadable', 'unknown', { cause: answer.error });
  } catch (thrown) {
    throw toSlackCallError(thrown);
  }
}
