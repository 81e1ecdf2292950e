/**
 * Lists of a server that refuses `limit`: it is left out, and a page is as wide as the server makes it. A refusal costs
 * nothing, but a page without `limit` may cost more than one with it, so it goes out only where that much is reserved.
 * Why: docs/decisions/0003-feed.md. Source of the sizes: docs/marketplace-api.md, Limits.
 */
import { type Clock, DAY, MINUTE } from '../clock.ts';
import { MarketplaceError } from './errors.ts';

/** What a page holds that names no `limit`, where the API's description says so. */
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
  /** For a list that costs credits, what is reserved at the least. */
  readonly limit?: number | undefined;
  readonly isPaid: boolean;
}

interface Learned {
  /** By the clock's steady time; after that `limit` is tried again. */
  readonly refusedUntil?: number;
  /** This request was refused without a word of why: whether it was for `limit` shows without it. */
  readonly suspected?: string;
  /** A request was refused with `limit` and without: until then no other is suspected. */
  readonly clearUntil?: number;
  /** The widest page that came without `limit`. */
  readonly widest?: number;
}

/** Whether a refusal names the page size. */
function blamesLimit({ details }: MarketplaceError): boolean {
  return Object.hasOwn(details.fields ?? {}, 'limit') || /\blimit\b/i.test(details.serverMessage ?? '');
}

function isBadRequest(thrown: unknown): thrown is MarketplaceError {
  return thrown instanceof MarketplaceError && thrown.code === 'bad-request';
}

function refusedForLimit(details: MarketplaceError['details'] = {}): MarketplaceError {
  return new MarketplaceError('bad-request', 'none', "The marketplace doesn't accept `limit` here", {
    ...details,
    limitRefused: true,
  });
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

  /** How many a page holds at the most while `limit` is left out; undefined: as many as are asked for. */
  fixedPageSize({ list, path }: Pick<MarketplaceListRequest, 'list' | 'path'>): number | undefined {
    const { refusedUntil = 0, suspected, widest = 0 } = this.#about(list);
    const isLeftOut = this.#clock.monotonicNow() < refusedUntil || suspected === path;
    return isLeftOut ? Math.max(DEFAULT_PAGE_SIZE, widest) : undefined;
  }

  /** Whether a page would cost more than is reserved for it. */
  isReservationTooSmall(request: MarketplaceListRequest): boolean {
    const fixed = this.fixedPageSize(request);
    return request.isPaid && fixed !== undefined && (request.limit ?? fixed) < fixed;
  }

  /**
   * Asks for a page with `limit`, or without where the server refuses it.
   * @param attempt sends it; a second time for the same page where `isRepeat`
   * @param sizeOf how many items an answer holds
   * @throws MarketplaceError; with `limitRefused` where too little is reserved for a page without `limit`: nothing was charged
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
      if (this.isReservationTooSmall(request)) throw refusedForLimit(thrown.details);
      return this.#askBare(request, () => attempt(undefined, true), sizeOf);
    }
  }

  /** A later page may be refused because it is not there any more. */
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
