/** The trouble that can be ordered of the marketplace, and what of it is still to come. */
import { SECOND } from '../../clock.ts';
import { type Fault, type FaultEffect, type FaultMatcher, faults } from '../marketplace/faults.ts';
import type { SimulatedMarketplace } from '../marketplace/simulated-marketplace.ts';
import type { MarketAct } from './protocol.ts';

type What = Exclude<Extract<MarketAct, { kind: 'fault' }>['what'], 'off'>;

interface Trouble {
  readonly words: string;
  readonly matcher: FaultMatcher;
  readonly effect: FaultEffect;
  /** `Infinity`: until it is called off. */
  readonly times: number;
}

const REFUSED_S = 20;
const SLOW_MS = 5 * SECOND;

const TROUBLES: Readonly<Record<What, Trouble>> = {
  '429': {
    words: `refused with 429 for ${REFUSED_S} s`,
    matcher: {},
    effect: faults.rateLimited(String(REFUSED_S)),
    times: 3,
  },
  '500': {
    words: 'answered with 500',
    matcher: {},
    effect: faults.status(500),
    times: Number.POSITIVE_INFINITY,
  },
  drop: { words: 'dropped', matcher: {}, effect: { kind: 'drop', when: 'before' }, times: 3 },
  slow: {
    words: `answered ${SLOW_MS / SECOND} s late`,
    matcher: {},
    effect: { kind: 'hold-headers', ms: SLOW_MS },
    times: Number.POSITIVE_INFINITY,
  },
  'lose-effect': {
    words: 'carried out, and its answer lost',
    matcher: { method: 'POST' },
    effect: { kind: 'drop', when: 'after' },
    times: 1,
  },
};

interface Order {
  readonly trouble: Trouble;
  readonly fault: Fault;
}

function describe({ trouble: { words, times, matcher }, fault }: Order): string {
  const what = matcher.method === 'POST' ? 'effect' : 'request';
  const left = times - fault.hits();
  if (left === Number.POSITIVE_INFINITY) return `every ${what} is ${words}, until you switch it off`;
  return left === 1 ? `the next ${what} is ${words}` : `the next ${left} ${what}s are ${words}`;
}

export class TroubleDesk {
  readonly #marketplace: SimulatedMarketplace;
  #orders: Order[] = [];

  constructor(marketplace: SimulatedMarketplace) {
    this.#marketplace = marketplace;
  }

  order(what: What): void {
    const trouble = TROUBLES[what];
    const { matcher, effect, times } = trouble;
    this.#orders = [...this.#left(), { trouble, fault: this.#marketplace.fault(matcher, effect, times) }];
  }

  /** Takes back what was ordered here, and nothing else. */
  callOff(): void {
    for (const { fault } of this.#orders) {
      fault.cancel();
      fault.release();
    }
    this.#orders = [];
  }

  /** What is still to strike, in words. */
  words(): readonly string[] {
    return this.#left().map(describe);
  }

  #left(): Order[] {
    return this.#orders.filter(({ trouble, fault }) => fault.hits() < trouble.times);
  }
}
