/**
 * Handles servers that refuse `limit` on lists: the client omits it and takes the server's page size. A
 * refusal costs nothing. A page without `limit` may cost more: it is sent only where that much is reserved.
 * Why: docs/decisions/0003-feed.md. Source of the sizes: docs/marketplace-api.md, Limits.
 */
import { type Clock, DAY, MINUTE } from '../clock.ts';
import { MarketplaceError } from './errors.ts';

/** The page size without `limit`, where the API description names one. */
export const DEFAULT_PAGE_SIZE = 20;

export type MarketplaceListName =
  | 'filter-projects'
  | 'result-projects'
  | 'filter-results'
  | 'proposals'
  | 'invitations';

export interface MarketplaceListRequest {
  readonly list: MarketplaceListName;
  readonly path: string;
  readonly page?: number | undefined;
  /** For a list that costs credits: the least that is reserved. */
  readonly limit?: number | undefined;
  readonly isPaid: boolean;
}

interface Learned {
  /** Monotonic time, after which `limit` is tried again. */
  readonly refusedUntil?: number;
  /** Its request was refused without a reason. A retry without `limit` shows whether that was the cause. */
  readonly suspected?: string;
  /** A request was refused both with and without `limit`. No other request is suspected until then. */
  readonly clearUntil?: number;
  /** The largest page that came without `limit`. */
  readonly widest?: number;
}

function blamesLimit({ details }: MarketplaceError): boolean {
  return Object.hasOwn(details.fields ?? {}, 'limit') || /\blimit\b/i.test(details.serverMessage ?? '');
}

function isBadRequest(thrown: unknown): thrown is MarketplaceError {
  return thrown instanceof MarketplaceError && thrown.code === 'bad-request';
}

function refusedForLimit(refusal?: MarketplaceError): MarketplaceError {
  const details = { ...refusal?.details, limitRefused: true } as const;
  return new MarketplaceError('bad-request', 'none', "The marketplace doesn't accept `limit` here", details);
}

export class ListPageSizes {
  readonly #clock: Pick<Clock, 'monotonicNow'>;
  readonly #learned = new Map<MarketplaceListName, Learned>();

  constructor(clock: Pick<Clock, 'monotonicNow'>) {
    this.#clock = clock;
  }

  #about(list: MarketplaceListName): Learned {
    return this.#learned.get(list) ?? {};
  }

  #note(list: MarketplaceListName, learned: Partial<Learned>): void {
    const { suspected: _, ...before } = this.#about(list);
    this.#learned.set(list, { ...before, ...learned });
  }

  /** The largest page size while `limit` is omitted; undefined when the server accepts `limit`. */
  fixedPageSize({ list, path }: Pick<MarketplaceListRequest, 'list' | 'path'>): number | undefined {
    const { refusedUntil = 0, suspected, widest = 0 } = this.#about(list);
    const isLeftOut = this.#clock.monotonicNow() < refusedUntil || suspected === path;
    return isLeftOut ? Math.max(DEFAULT_PAGE_SIZE, widest) : undefined;
  }

  isReservationTooSmall(request: MarketplaceListRequest): boolean {
    const fixed = this.fixedPageSize(request);
    return request.isPaid && fixed !== undefined && (request.limit ?? fixed) < fixed;
  }

  /**
   * Requests a page with `limit`, or without it where the server refuses it.
   * @param attempt sends the request; `isRepeat` marks the second try for the same page
   * @param sizeOf how many items a response has
   * @throws MarketplaceError; with `limitRefused` where the reservation is too small for a page without
   * `limit`. Nothing was charged then.
   */
  async requestPage<T>(
    request: MarketplaceListRequest,
    attempt: (limit: number | undefined, isRepeat: boolean) => Promise<T>,
    sizeOf: (answer: T) => number,
  ): Promise<T> {
    const { list, limit } = request;
    if (this.isReservationTooSmall(request)) throw refusedForLimit();
    if (limit === undefined || this.fixedPageSize(request) !== undefined)
      return this.#askBare(request, () => attempt(undefined, false), sizeOf);
    try {
      return await attempt(limit, false);
    } catch (thrown) {
      if (!isBadRequest(thrown) || !this.#mayBeOfLimit(request, thrown)) throw thrown;
      const refused = { refusedUntil: this.#clock.monotonicNow() + DAY };
      this.#note(list, blamesLimit(thrown) ? refused : { suspected: request.path });
      if (this.isReservationTooSmall(request)) throw refusedForLimit(thrown);
      return this.#askBare(request, () => attempt(undefined, true), sizeOf);
    }
  }

  /** A later page may be refused because it no longer exists. */
  #mayBeOfLimit({ list, page = 1 }: MarketplaceListRequest, refusal: MarketplaceError): boolean {
    const { clearUntil = 0 } = this.#about(list);
    return blamesLimit(refusal) || (page === 1 && this.#clock.monotonicNow() >= clearUntil);
  }

  async #askBare<T>(
    { list, path }: MarketplaceListRequest,
    attempt: () => Promise<T>,
    sizeOf: (answer: T) => number,
  ): Promise<T> {
    const isSuspected = () => this.#about(list).suspected === path;
    try {
      const answer = await attempt();
      const { widest = 0 } = this.#about(list);
      const size = { widest: Math.max(widest, sizeOf(answer)) };
      if (isSuspected()) this.#note(list, { ...size, refusedUntil: this.#clock.monotonicNow() + DAY });
      else if (size.widest > widest) this.#learned.set(list, { ...this.#about(list), ...size });
      return answer;
    } catch (thrown) {
      if (isBadRequest(thrown) && isSuspected())
        this.#note(list, { clearUntil: this.#clock.monotonicNow() + MINUTE });
      throw thrown;
    }
  }
}
