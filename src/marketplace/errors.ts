/** One family for everything that can go wrong with a call to the marketplace. */
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
  | 'gate-timeout';

/**
 * What is known of the request's effect: `none`, the server refused it or it was never sent; `unknown`, it may have
 * taken effect (no answer, a 5xx, or an answer that could not be read).
 */
export type RequestEffect = 'none' | 'unknown';

export interface MarketplaceErrorDetails {
  readonly status?: number;
  /** The server's own message, clipped and without control characters; for people only after escaping. */
  readonly serverMessage?: string;
  /** Validation: dot path -> message. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Depleted credits: what a refused page needed, and what is left. */
  readonly creditsNeeded?: number;
  readonly creditsRemaining?: number;
  readonly creditsResetAt?: Instant;
  readonly retryAfterMs?: number;
  /** Of a list: without `limit` it may pass, as a page of `Marketplace.fixedPage`. Nothing was charged. */
  readonly limitRefused?: true;
  /** The job that an auto bidding answer names. */
  readonly jobId?: number;
  /** The same, where the answer shows it. */
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
