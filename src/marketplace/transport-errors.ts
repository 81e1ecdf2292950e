/** Errors of requests without a readable response, and how several tries become one error. */

import { omitUndefined } from '../base/omit-undefined.ts';
import type { Secret } from '../secret.ts';
import { MarketplaceError, type RequestEffect } from './errors.ts';
import { redactErrorCause } from './hide-token.ts';
import type { HttpExchangeResult } from './send-http-request.ts';

/** Once any of the request was written, its effect is unknown. */
export function toTransportError(
  { fault, written, cause }: Extract<HttpExchangeResult, { kind: 'fault' }>,
  token: Secret,
): MarketplaceError {
  const effect = written ? 'unknown' : 'none';
  const details = cause === undefined ? {} : { cause: redactErrorCause(cause, token) };
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
  return new MarketplaceError('unreadable', 'unknown', message, omitUndefined({ status, jobId }));
}

/**
 * Redirects aren't followed, because the token would go with them. By definition, 301, 307 and 308 did
 * nothing here.
 */
export function redirectError(status: number): MarketplaceError {
  const effect = status === 301 || status === 307 || status === 308 ? 'none' : 'unknown';
  return new MarketplaceError(
    'unreadable',
    effect,
    `The marketplace address redirects elsewhere (HTTP ${status})`,
    {
      status,
    },
  );
}

/** Before anything was sent. */
export function requestCanceledError(cause: unknown): MarketplaceError {
  return new MarketplaceError('network', 'none', 'The marketplace request was canceled', { cause });
}

/** Before anything was sent. */
export function deadlinePassedError(): MarketplaceError {
  return new MarketplaceError('timeout', 'none', 'No time left for the marketplace request');
}

/** A later try without effect doesn't undo what an earlier one may have done. */
export function withEarlierEffect(
  earlier: MarketplaceError | undefined,
  error: MarketplaceError,
): MarketplaceError {
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
  const details = { ...last.details, ...thrown.details };
  return new MarketplaceError('gate-timeout', last.effect, thrown.message, details);
}
