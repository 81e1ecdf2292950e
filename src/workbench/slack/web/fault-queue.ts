/** The faults that tests inject, applied call by call. */
import type { Clock } from '../../../clock.ts';
import type { JsonObject } from '../objects.ts';
import type { SlackFaultEffect, SlackFaultHandle } from '../simulated-slack.ts';

type Matches = (method: string, args: JsonObject) => boolean;

interface Order {
  readonly matches: Matches;
  readonly effect: SlackFaultEffect;
  left: number;
  used: number;
  /** Continues each held call. */
  readonly waiting: Set<() => void>;
}

export interface MatchedSlackFault {
  readonly effect: SlackFaultEffect;
  /** Resolves when the held call may continue. */
  waitForRelease(): Promise<void>;
}

function matcher(pattern: string | Matches): Matches {
  if (typeof pattern === 'function') return pattern;
  if (pattern.endsWith('*')) return (method) => method.startsWith(pattern.slice(0, -1));
  return (method) => method === pattern;
}

export class SlackFaultQueue {
  readonly #clock: Clock;
  #orders: Order[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  addFault(pattern: string | Matches, effect: SlackFaultEffect, times: number): SlackFaultHandle {
    const order: Order = { matches: matcher(pattern), effect, left: times, used: 0, waiting: new Set() };
    this.#orders.push(order);
    const release = () => {
      for (const go of order.waiting) go();
    };
    return {
      get used() {
        return order.used;
      },
      get held() {
        return order.waiting.size;
      },
      release,
      cancel: () => {
        order.left = 0;
        release();
      },
    };
  }

  /** The fault for this call, if any. */
  takeMatchingFault(method: string, args: JsonObject): MatchedSlackFault | undefined {
    const order = this.#orders.find((each) => each.left > 0 && each.matches(method, args));
    if (!order) return undefined;
    order.left -= 1;
    order.used += 1;
    return { effect: order.effect, waitForRelease: () => this.#hold(order) };
  }

  clear(): void {
    const orders = this.#orders;
    this.#orders = [];
    for (const order of orders) for (const go of order.waiting) go();
  }

  #hold(order: Order): Promise<void> {
    if (order.effect.kind !== 'hold') return Promise.resolve();
    const { ms } = order.effect;
    return new Promise((resolve) => {
      let callOff: () => void = () => undefined;
      const go = () => {
        callOff();
        order.waiting.delete(go);
        resolve();
      };
      order.waiting.add(go);
      if (ms !== undefined) callOff = this.#clock.runAfter(ms, go);
    });
  }
}
