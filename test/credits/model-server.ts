/** A minimal model of the marketplace's own books, to compare ours with. */
import { DAY } from '../../src/clock.ts';
import { RESET } from './books.ts';

export const ALLOWANCE = 3_000;

export interface Served {
  readonly consumed: number;
  readonly remaining: number;
  readonly resetsAt: number;
}

export type ServerAnswer =
  | { readonly kind: 'page'; readonly page: Served }
  | { readonly kind: 'depleted'; readonly left: Served };

export class ModelServer {
  remaining = ALLOWANCE;
  resetsAt = RESET;
  /** Charged in this period, to us and to others. */
  consumed = 0;
  /** Charged to others only. */
  outside = 0;
  /** Looked up in this period; such a project costs nothing any more. */
  readonly #known = new Set<string>();

  /** @param fresh how many projects of the page are new */
  serve(limit: number, fresh: number): ServerAnswer {
    const left = { consumed: 0, remaining: this.remaining, resetsAt: this.resetsAt };
    if (limit > this.remaining) return { kind: 'depleted', left };
    return { kind: 'page', page: this.#charge(Math.min(limit, fresh)) };
  }

  lookUp(project: string): ServerAnswer {
    const fresh = this.#known.has(project) ? 0 : 1;
    const left = { consumed: 0, remaining: this.remaining, resetsAt: this.resetsAt };
    if (fresh > this.remaining) return { kind: 'depleted', left };
    this.#known.add(project);
    return { kind: 'page', page: this.#charge(fresh) };
  }

  spendOutside(amount: number): void {
    this.outside += this.#charge(Math.min(amount, this.remaining)).consumed;
  }

  topUp(amount: number): void {
    this.remaining += amount;
  }

  /** @param resetsAt 30 days later by default */
  reset(resetsAt = this.resetsAt + 30 * DAY): void {
    this.remaining = ALLOWANCE;
    this.consumed = 0;
    this.outside = 0;
    this.#known.clear();
    this.resetsAt = resetsAt;
  }

  #charge(consumed: number): Served {
    this.remaining -= consumed;
    this.consumed += consumed;
    return { consumed, remaining: this.remaining, resetsAt: this.resetsAt };
  }
}
