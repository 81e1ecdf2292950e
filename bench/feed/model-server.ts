/**
 * A marketplace model that sends arrived projects and records each read and each project's first delivery.
 */
import { DAY, type Instant, SECOND } from '../../src/clock.ts';
import { type FilterId, ProjectKey } from '../../src/ids.ts';
import type { FilterProjectsPage, MarketplaceClient } from '../../src/marketplace/client.ts';
import type { ListedProject } from '../../src/marketplace/schema.ts';
import type { Arrivals } from './arrivals.ts';

type Query = Parameters<MarketplaceClient['fetchFilterProjects']>[1];

const CREDITS = 1e9;
/** Page size without a `limit`. Source: docs/marketplace-api.md, Limits. */
const DEFAULT_PAGE = 20;

export class ModelServer {
  readonly #arrivals: Arrivals;
  readonly #began: Instant;
  readonly #now: () => Instant;
  readonly #sentAt: (number | undefined)[][];
  /** Times of the requests for each filter's newest projects, in ms from the beginning. */
  readonly reads: number[][];
  requests = 0;

  constructor(arrivals: Arrivals, now: () => Instant) {
    this.#arrivals = arrivals;
    this.#now = now;
    this.#began = now();
    this.#sentAt = arrivals.at.map(() => []);
    this.reads = arrivals.at.map(() => []);
  }

  /** Filters are numbered from 1. */
  page(filter: FilterId, query: Query): FilterProjectsPage {
    const elapsed = this.#now() - this.#began;
    this.requests++;
    if (query.nextCursor === undefined) this.reads[filter - 1]?.push(elapsed);
    const times = this.#arrivals.at[filter - 1] ?? [];
    const sent = this.#sentAt[filter - 1] ?? [];
    const { first, end } = this.#wanted(times, query, elapsed);
    const begin = Math.max(first, end - (query.limit ?? DEFAULT_PAGE));
    const places = Array.from({ length: end - begin }, (_, back) => end - 1 - back);
    for (const place of places) sent[place] ??= elapsed;
    // With more projects left the cursor names the next one, else the last one sent.
    const last = begin > first ? begin - 1 : begin;
    return {
      projects: places.map((place) => this.#project(filter, place, times[place] ?? 0)),
      unreadable: 0,
      isLast: begin === first,
      nextCursor: end > first ? this.#tsOf(times[last] ?? 0) : (query.nextCursor ?? 0),
      latestPublishedTs: this.#tsOf(times[countUpTo(times, elapsed) - 1] ?? 0),
      credits: { remaining: CREDITS, resetsAt: this.#began + 30 * DAY, consumed: 0 },
    };
  }

  /** Indexes of the requested projects, from the oldest to before `end`, in arrival order. */
  #wanted(times: readonly number[], { nextCursor, latestPublishedTs }: Query, elapsed: number) {
    const until = nextCursor === undefined ? elapsed : Math.min(elapsed, this.#elapsedAt(nextCursor + 1) - 1);
    const end = countUpTo(times, until);
    const passed = latestPublishedTs === undefined ? -1 : this.#elapsedAt(latestPublishedTs + 1) - 1e-6;
    return { first: Math.min(end, countUpTo(times, passed)), end };
  }

  /**
   * Mean extra delay of projects that didn't fit the page at the next read of their filter. In ms, over
   * projects that arrived after `from` and were sent.
   */
  meanExtra(from: number): number {
    let [extra, count] = [0, 0];
    for (const [filter, times] of this.#arrivals.at.entries()) {
      const reads = this.reads[filter] ?? [];
      let next = 0;
      for (const [place, came] of times.entries()) {
        while ((reads[next] ?? Number.POSITIVE_INFINITY) < came) next++;
        const sent = this.#sentAt[filter]?.[place];
        const read = reads[next];
        if (came < from || sent === undefined || read === undefined) continue;
        extra += Math.max(0, sent - read);
        count++;
      }
    }
    return extra / count;
  }

  /**
   * How long each project waited for the request that found it, filter by filter. In ms, of projects that
   * arrived after `from` and were sent.
   */
  waits(from: number): readonly (readonly number[])[] {
    return this.#arrivals.at.map((times, filter) =>
      times.flatMap((came, place) => {
        const sent = this.#sentAt[filter]?.[place];
        return came < from || sent === undefined ? [] : [sent - came];
      }),
    );
  }

  #tsOf(came: number): number {
    return Math.floor((this.#began + came) / SECOND);
  }

  #elapsedAt(ts: number): number {
    return ts * SECOND - this.#began;
  }

  #project(filter: number, place: number, came: number): ListedProject {
    const key = `~${filter}x${place}`;
    return {
      key: ProjectKey.parse(key),
      title: `Project ${key}`,
      url: `https://market.example/jobs/${key}`,
      description: 'Wanted.',
      skills: [],
      categories: [],
      questions: [],
      publishedAt: Math.floor(this.#began + came),
      client: {},
      verdict: { decision: 'qualified', other: {} },
    };
  }
}

/** How many of the sorted times are not after `end`. */
function countUpTo(times: readonly number[], end: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= end) low = middle + 1;
    else high = middle;
  }
  return low;
}
