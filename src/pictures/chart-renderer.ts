/** The contract of charts: numbers in, a PNG out. A worker thread draws them, so nothing else waits. */
import type { Instant } from '../clock.ts';
import { GigdeskError } from '../errors.ts';

/** Credits spent in a billing period, compared with an even pace. */
export interface BurnChartData {
  readonly kind: 'burn';
  readonly timezone: string;
  readonly startsAt: Instant;
  readonly resetsAt: Instant;
  readonly now: Instant;
  /** The channel's budget; missing: unlimited. */
  readonly limit?: number;
  /** Total spending at each moment, rising. */
  readonly spent: readonly { readonly at: Instant; readonly total: number }[];
  readonly runsOutAt?: Instant;
}

/** Outcomes of the proposals sent in a period of days. */
export interface FunnelChartData {
  readonly kind: 'funnel';
  readonly days: number;
  readonly sent: number;
  readonly viewed: number;
  readonly interviewed: number;
  readonly hired: number;
}

export interface HoursChartData {
  readonly kind: 'hours';
  readonly days: number;
  readonly timezone: string;
  /** Seven rows from Monday, each with 24 hours: the number of projects. */
  readonly counts: readonly (readonly number[])[];
}

export type ChartData = BurnChartData | FunnelChartData | HoursChartData;

/** A PNG and its size in pixels. */
export interface ChartImage {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * No chart. `refused`: it can't be drawn, and a retry would fail too. `late`: not ready in 20 s. `ended`: the
 * worker thread crashed or can't start. `closed`: the process is shutting down.
 */
export class ChartError extends GigdeskError {
  override readonly name = 'PictureError';
  readonly code: 'refused' | 'late' | 'ended' | 'closed';

  constructor(code: ChartError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface ChartRenderer {
  /** Draws one chart at a time; others wait for their turn. @throws ChartError */
  renderChart(picture: ChartData): Promise<ChartImage>;
  /** Ends the worker thread, even while it draws. Later charts are refused as `closed`. */
  close(): Promise<void>;
}
