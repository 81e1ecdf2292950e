/** The error family for failed marketplace calls. */
import type { Instant } from '../clock.ts';
import { GigdeskError } from '../errors.ts';
import type { CreatedJob } from './schema.ts';

export type MarketplaceErrorCode =
  | 'bad-request'
  | 'unauthorised'
  | 'subscription-inactive'
  | 'credits-depleted'
  | 'forbidden'
  | 'not-found'
  | 'rate-limited'
  | 'server'
  | 'network'
  | 'timeout'
  | 'unreadable'
  | 'gate-timeout'
  /** The workspace has no token. */
  | 'not-connected';

/**
 * The request's known effect. `none`: the server refused it, or it was never sent. `unknown`: it may have
 * taken effect (no response, a 5xx, or an unreadable response).
 */
export type RequestEffect = 'none' | 'unknown';

export interface MarketplaceErrorDetails {
  readonly status?: number;
  /** The server's own message, clipped and without control characters. Escape it before you show it. */
  readonly serverMessage?: string;
  /** Validation: dot path -> message. */
  readonly fields?: Readonly<Record<string, string>>;
  /** For depleted credits: what the refused page needed, and what is left. */
  readonly creditsNeeded?: number;
  readonly creditsRemaining?: number;
  readonly creditsResetAt?: Instant;
  readonly retryAfterMs?: number;
  /** For lists: it may pass without `limit`, as a page of `fixedPageSize` items. Nothing was charged. */
  readonly limitRefused?: true;
  readonly jobId?: number;
  /** The same job, where the response includes it. */
  readonly job?: CreatedJob;
  readonly cause?: unknown;
}

export class MarketplaceError extends GigdeskError {
  override readonly name = 'MarketplaceError';
  readonly code: MarketplaceErrorCode;
  readonly effect: RequestEffect;
  readonly details: MarketplaceErrorDetails;

  constructor(
    code: MarketplaceErrorCode,
    effect: RequestEffect,
    message: string,
    details: MarketplaceErrorDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.effect = effect;
    this.details = details;
  }
}
