/** A server that refuses a page size: which one is left to try. Pure. Source of the default: docs/marketplace-api.md, Limits. */
import { SMALLEST_PAGE } from '../credits/book.ts';
import type { MarketplaceError } from '../marketplace/errors.ts';

/** What the server itself takes when no `limit` is asked for; so none is, for a page of this size. */
export const DEFAULT_PAGE = 20;

/** Whether a 400 is about the page size. */
export function refusesLimit(error: MarketplaceError): boolean {
  if (error.code !== 'bad-request') return false;
  const fields = Object.keys(error.details.fields ?? {});
  return fields.includes('limit') || /\blimit\b/i.test(error.details.serverMessage ?? '');
}

/** After `limit` was refused. Undefined: nothing is left to try. */
export function limitAfter(onlyLimit: number | undefined): number | undefined {
  if (onlyLimit === undefined) return DEFAULT_PAGE;
  return onlyLimit > SMALLEST_PAGE ? SMALLEST_PAGE : undefined;
}
