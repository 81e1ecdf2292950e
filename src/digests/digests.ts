/** The contract of digests: what commands and the schedule ask of them. */
import type { Instant } from '../clock.ts';
import type { ChannelId, MessageTs, UserId } from '../ids.ts';
import type { ScheduledJob } from '../schedule/job-scheduler.ts';
import type { DigestPlan } from './records.ts';

export interface PlannedDigest {
  readonly plan: DigestPlan;
  /** By whose wall clock it comes: the plan's, unless this machine does not know that zone. */
  readonly timezone: string;
  /** When the next one comes. */
  readonly next: Instant;
}

export interface DigestPlanRequest {
  readonly channel: ChannelId;
  readonly minute: number;
  readonly days: DigestPlan['days'];
  readonly timezone: string;
  readonly by: UserId;
}

export interface DigestService {
  /** Posts the digests and weekly notes that are due. */
  readonly job: ScheduledJob;
  /** Brings pictures into the threads of digests until stopped. Never throws. */
  runChartSharing(signal: AbortSignal): Promise<void>;
  readDigestPlan(channel: ChannelId): Promise<PlannedDigest | undefined>;
  /** From the next such hour on; a digest of today whose hour has passed is not made up for. */
  planDigest(order: DigestPlanRequest): Promise<PlannedDigest>;
  /** @returns false when there was none. */
  stopDigest(channel: ChannelId, by: UserId): Promise<boolean>;
  /**
   * Posts one at once, besides those by their hour: since the last one of any kind, a day at the least and a week at the most.
   * @param press unique for what was pressed or typed: asked twice with it, one is posted.
   * @param timezone of the person, for a channel that has none of its own
   * @returns false when somebody had asked for one within the last minute: that one is enough.
   */
  postDigestNow(channel: ChannelId, by: UserId, press: string, timezone?: string): Promise<boolean>;
}

/** Slack's side of pictures. Every method throws an error with `end: 'refused' | 'rate-limited' | 'unknown'`. */
export interface ChartUploadPort {
  /** Brings the bytes to Slack, where nobody sees them yet. @returns the file's id. */
  uploadChart(picture: {
    readonly png: Uint8Array;
    readonly name: string;
    readonly alt: string;
  }): Promise<string>;
  /** Shows uploaded files in a thread, all in one message. */
  shareCharts(
    files: readonly { readonly id: string; readonly title: string }[],
    place: { readonly channel: ChannelId; readonly thread: MessageTs },
    comment: string,
  ): Promise<void>;
  /** Whether one of them stands in the thread already: asked before anything is shown again. */
  isAnyChartShared(
    files: readonly string[],
    place: { readonly channel: ChannelId; readonly thread: MessageTs },
  ): Promise<boolean>;
}
