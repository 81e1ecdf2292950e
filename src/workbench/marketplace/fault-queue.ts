/** Queues injected faults, finds the one that matches a request, and keeps held responses. */
import type { Clock } from '../../clock.ts';
import type { FaultMatcher, MarketplaceFaultEffect, MarketplaceFaultHandle } from './faults.ts';

interface Order {
  readonly matcher: FaultMatcher;
  readonly effect: MarketplaceFaultEffect;
  readonly held: Set<() => void>;
  left: number;
  hits: number;
}

/** The fault that matched a request, with a way to hold the response until it is released. */
export interface MatchedMarketplaceFault {
  readonly effect: MarketplaceFaultEffect;
  /** Runs `send` on release, or after `ms` if given. */
  holdResponse(ms: number | undefined, send: () => void): void;
}

function asPattern(path: string): RegExp {
  const literal = path.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '[^/]+');
  return new RegExp(`^${literal}$`);
}

function matches(
  { method, path }: FaultMatcher,
  given: { readonly method: string; readonly path: string },
): boolean {
  if (method !== undefined && method.toUpperCase() !== given.method) return false;
  if (path === undefined) return true;
  // A global pattern keeps its last position and would miss every second request.
  const pattern =
    typeof path === 'string' ? asPattern(path) : new RegExp(path.source, path.flags.replace('g', ''));
  return pattern.test(given.path);
}

function releaseAll(order: Order): void {
  const held = [...order.held];
  order.held.clear();
  for (const send of held) send();
}

export class MarketplaceFaultQueue {
  readonly #clock: Clock;
  #orders: Order[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  addFault(matcher: FaultMatcher, effect: MarketplaceFaultEffect, times: number): MarketplaceFaultHandle {
    const order: Order = { matcher, effect, held: new Set(), left: times, hits: 0 };
    this.#orders.push(order);
    return {
      hits: () => order.hits,
      release: () => releaseAll(order),
      cancel: () => {
        order.left = 0;
      },
    };
  }

  /** The oldest matching fault; uses it once. */
  takeMatchingFault(method: string, path: string): MatchedMarketplaceFault | undefined {
    const order = this.#orders.find((each) => each.left > 0 && matches(each.matcher, { method, path }));
    if (!order) return undefined;
    order.left--;
    order.hits++;
    return { effect: order.effect, holdResponse: (ms, send) => this.#hold(order, ms, send) };
  }

  /** Removes all faults and sends held responses. */
  clear(): void {
    const orders = this.#orders;
    this.#orders = [];
    for (const order of orders) releaseAll(order);
  }

  #hold(order: Order, ms: number | undefined, send: () => void): void {
    const go = () => {
      cancelTimer();
      order.held.delete(go);
      send();
    };
    const cancelTimer = ms === undefined ? () => {} : this.#clock.runAfter(ms, go);
    order.held.add(go);
  }
}
