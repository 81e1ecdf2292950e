/** How long workspaces have no owner after a kill, in real ms. */
import type { Instant } from '../../../src/clock.ts';

interface Waiting {
  readonly since: Instant;
  /** Another fault came before it was over. */
  isDisturbed: boolean;
}

export interface Percentiles {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

export class Takeovers {
  readonly #waiting = new Map<string, Waiting>();
  readonly #all: number[] = [];
  readonly #undisturbed: number[] = [];

  /** The owner of these teams was killed. */
  begin(teams: readonly string[], at: Instant): void {
    for (const team of teams)
      if (!this.#waiting.has(team)) this.#waiting.set(team, { since: at, isDisturbed: false });
  }

  /** Another fault, which may delay those under way. */
  disturb(): void {
    for (const waiting of this.#waiting.values()) waiting.isDisturbed = true;
  }

  /** A replica owns it. */
  end(team: string, at: Instant): void {
    const waiting = this.#waiting.get(team);
    if (!waiting || at < waiting.since) return;
    this.#waiting.delete(team);
    const took = at - waiting.since;
    this.#all.push(took);
    if (!waiting.isDisturbed) this.#undisturbed.push(took);
  }

  get all(): Percentiles {
    return percentilesOf(this.#all);
  }

  /** Without those during which another fault came. */
  get undisturbed(): Percentiles {
    return percentilesOf(this.#undisturbed);
  }
}

function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: sorted.at(-1) ?? 0 };
}
