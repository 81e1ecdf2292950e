/** The faults that the page can inject into the marketplace, and which of them still apply. */
import { SECOND } from '../../clock.ts';
import {
  type FaultMatcher,
  type MarketplaceFaultEffect,
  type MarketplaceFaultHandle,
  presetFaults,
} from '../marketplace/faults.ts';
import type { SimulatedMarketplace } from '../marketplace/simulated-marketplace.ts';
import type { MarketAction } from './protocol.ts';

type What = Exclude<Extract<MarketAction, { kind: 'fault' }>['what'], 'off'>;

interface Trouble {
  readonly words: string;
  readonly matcher: FaultMatcher;
  readonly effect: MarketplaceFaultEffect;
  /** `Infinity`: until cleared. */
  readonly times: number;
}

const REFUSED_S = 20;
const SLOW_MS = 5 * SECOND;

const TROUBLES: Readonly<Record<What, Trouble>> = {
  '429': {
    words: `rejected with a 429 (retry after ${REFUSED_S} s)`,
    matcher: {},
    effect: presetFaults.rateLimited(String(REFUSED_S)),
    times: 3,
  },
  '500': {
    words: 'answered with a 500',
    matcher: {},
    effect: presetFaults.status(500),
    times: Number.POSITIVE_INFINITY,
  },
  drop: { words: 'dropped', matcher: {}, effect: { kind: 'drop', when: 'before' }, times: 3 },
  slow: {
    words: `delayed by ${SLOW_MS / SECOND} s`,
    matcher: {},
    effect: { kind: 'hold-headers', ms: SLOW_MS },
    times: Number.POSITIVE_INFINITY,
  },
  'lose-effect': {
    words: 'carried out, but its response is lost',
    matcher: { method: 'POST' },
    effect: { kind: 'drop', when: 'after' },
    times: 1,
  },
};

interface Order {
  readonly trouble: Trouble;
  readonly fault: MarketplaceFaultHandle;
  /** How many requests it applied to when it was injected. */
  readonly times: number;
}

function leftOf({ times, fault }: Order): number {
  return times - fault.hits();
}

function goesOn({ times }: Trouble): boolean {
  return times === Number.POSITIVE_INFINITY;
}

function describe(order: Order): string {
  const { words, matcher } = order.trouble;
  const what = matcher.method === 'POST' ? 'bid or template' : 'request';
  const left = leftOf(order);
  if (left === Number.POSITIVE_INFINITY) return `every ${what} is ${words} until you clear failures`;
  return left === 1 ? `the next ${what} is ${words}` : `the next ${left} ${what}s are ${words}`;
}

export class MarketFaultManager {
  readonly #marketplace: SimulatedMarketplace;
  #orders: Order[] = [];

  constructor(marketplace: SimulatedMarketplace) {
    this.#marketplace = marketplace;
  }

  /**
   * The newest fault comes first, since the person wants to see it. The marketplace applies the oldest first,
   * so the others are injected again after it. Only one unlimited fault remains: a second would never apply.
   */
  addFault(what: What): void {
    const newest = TROUBLES[what];
    const others = this.#left().filter(
      ({ trouble }) => trouble !== newest && !(goesOn(trouble) && goesOn(newest)),
    );
    for (const { fault } of this.#orders) fault.cancel();
    this.#orders = [
      this.#place(newest, newest.times),
      ...others.map((each) => this.#place(each.trouble, leftOf(each))),
    ];
  }

  #place(trouble: Trouble, times: number): Order {
    return { trouble, times, fault: this.#marketplace.injectFault(trouble.matcher, trouble.effect, times) };
  }

  /** Cancels only the faults of this manager. */
  cancelAllFaults(): void {
    for (const { fault } of this.#orders) {
      fault.cancel();
      fault.release();
    }
    this.#orders = [];
  }

  describePendingFaults(): readonly string[] {
    return this.#left().map(describe);
  }

  #left(): Order[] {
    return this.#orders.filter((order) => leftOf(order) > 0);
  }
}
