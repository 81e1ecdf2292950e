/** The contract of pictures: numbers in, a PNG out. Drawn in a worker thread, so that nothing else waits for it. */
import type { Instant } from '../clock.ts';
import { GigdeskError } from '../errors.ts';

/** Credits spent in a billing period against the even pace to its end. */
export interface BurnChartData {
  readonly kind: 'burn';
  readonly timezone: string;
  readonly startsAt: Instant;
  readonly resetsAt: Instant;
  readonly now: Instant;
  /** The channel's budget; missing: unlimited. */
  readonly limit?: number;
  /** Spent in all at each moment, rising. */
  readonly spent: readonly { readonly at: Instant; readonly total: number }[];
  readonly runsOutAt?: Instant;
}

/** What became of proposals that were sent in a stretch of days. */
export interface FunnelChartData {
  readonly kind: 'funnel';
  readonly days: number;
  readonly sent: number;
  readonly viewed: number;
  readonly interviewed: number;
  readonly hired: number;
}

/** When projects are published. */
export interface HoursChartData {
  readonly kind: 'hours';
  readonly days: number;
  readonly timezone: string;
  /** Seven rows from Monday, each of 24 hours: how many projects. */
  readonly counts: readonly (readonly number[])[];
}

export type ChartData = BurnChartData | FunnelChartData | HoursChartData;

/** Bytes of a PNG, and its size in pixels. */
export interface ChartImage {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * No picture. `refused`: it can't be drawn, a second try would end the same. `late`: not in 20 s. `ended`: the worker thread broke
 * off, or can't be started. `closed`: the process is about to end.
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
  /** One picture at a time; others wait for their turn. @throws PictureError */
  renderChart(picture: ChartData): Promise<ChartImage>;
  /** Ends the worker thread, and what it draws. Later pictures are refused as `closed`. */
  close(): Promise<void>;
}
