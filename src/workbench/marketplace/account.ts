/** The team's subscription: its plan, its billing periods and its project credits. */
import type { Clock, Instant } from '../../clock.ts';
import { DAY } from '../../clock.ts';
import type {
  ChargedProject,
  ConsumedCredits,
  MarketplaceOptions,
  MarketplaceSubscriptionPlan,
} from './simulated-marketplace.ts';

/** Source of both amounts: docs/marketplace-api.md, Limits. */
const CREDITS_A_MONTH = 10_000;
const CREDITS_OF_A_TRIAL = 50;

interface Period {
  readonly startsAt: Instant;
  readonly resetsAt: Instant;
  readonly charged: Map<number, ChargedProject>;
  remaining: number;
  spentOutside: number;
}

export type ChargeResult =
  | { readonly kind: 'charged'; readonly consumed: number }
  | { readonly kind: 'depleted'; readonly needed: number; readonly remaining: number };

export class SimulatedMarketplaceAccount {
  readonly #clock: Clock;
  readonly #periodMs: number;
  readonly #creditsPerPeriod: number;
  readonly #periods: Period[] = [];
  plan: MarketplaceSubscriptionPlan;
  inactive = false;

  constructor(options: MarketplaceOptions) {
    this.#clock = options.clock;
    this.#periodMs = options.periodMs ?? 30 * DAY;
    this.plan = options.plan ?? 'paid';
    this.#creditsPerPeriod =
      options.creditsPerPeriod ?? (this.plan === 'trial' ? CREDITS_OF_A_TRIAL : CREDITS_A_MONTH);
    this.#begin(options.clock.now());
  }

  /** Set inactive, or the only period of a trial has ended. */
  isInactive(): boolean {
    const last = this.#period();
    return this.inactive || (this.plan === 'trial' && this.#clock.now() >= last.resetsAt);
  }

  remainingCredits(): number {
    return this.#period().remaining;
  }

  resetsAt(): Instant {
    return this.#period().resetsAt;
  }

  creditsPerPeriod(): number {
    return this.#creditsPerPeriod;
  }

  setRemainingCredits(credits: number): void {
    this.#period().remaining = credits;
  }

  /** Added credits expire with the period, like the allocation. */
  topUpCredits(credits: number): void {
    if (this.plan === 'trial') throw new RangeError("A trial can't add credits");
    this.#period().remaining += credits;
  }

  spendCreditsElsewhere(credits: number): void {
    const period = this.#period();
    period.remaining = Math.max(0, period.remaining - credits);
    period.spentOutside += credits;
  }

  /**
   * Charges one credit for each project not yet returned in this period, all or nothing. The balance must
   * cover `width` instead, if given.
   */
  chargeProjects(projectIds: readonly number[], path: string, width?: number): ChargeResult {
    const period = this.#period();
    const fresh = projectIds.filter((id) => !period.charged.has(id));
    const needed = Math.max(width ?? 0, fresh.length);
    if (needed > period.remaining) return { kind: 'depleted', needed, remaining: period.remaining };
    for (const projectId of fresh) {
      period.charged.set(projectId, { projectId, at: this.#clock.now(), path });
    }
    period.remaining -= fresh.length;
    return { kind: 'charged', consumed: fresh.length };
  }

  consumed(): ConsumedCredits {
    this.#period();
    const periods = this.#periods.map(({ startsAt, resetsAt, charged, spentOutside }) => ({
      startsAt,
      resetsAt,
      charged: charged.size,
      spentOutside,
    }));
    return { total: periods.reduce((sum, period) => sum + period.charged, 0), periods };
  }

  listCharges(): ChargedProject[] {
    return this.#periods.flatMap((period) => [...period.charged.values()]);
  }

  #begin(startsAt: Instant): Period {
    const period: Period = {
      startsAt,
      resetsAt: startsAt + this.#periodMs,
      charged: new Map(),
      remaining: this.#creditsPerPeriod,
      spentOutside: 0,
    };
    this.#periods.push(period);
    return period;
  }

  /** The current period; starts every period that is due by now. */
  #period(): Period {
    let last = this.#periods.at(-1) ?? this.#begin(this.#clock.now());
    while (this.plan !== 'trial' && this.#clock.now() >= last.resetsAt) last = this.#begin(last.resetsAt);
    return last;
  }
}
