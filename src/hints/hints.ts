/** Hints: outside tools say that a filter has a new project, so that it's read next. The contract. */
import type { Instant, RandomBytes } from '../clock.ts';
import type { HintCounts } from '../feed/feed.ts';
import { type FilterId, parseSlackTeam, type TeamId, type UserId } from '../ids.ts';
import type { ScheduledJob } from '../schedule/job-scheduler.ts';
import type { Secret } from '../secret.ts';

export type { HintCounts } from '../feed/feed.ts';

/** Where tools send hints: this and the secret. */
export const HOOKS_PATH = '/hooks/';

/** 192 bits, or 32 characters. */
const SECRET_BYTES = 24;
const SECRET = /^(T[A-Z0-9]{1,40})-[\w-]{32}$/u;

/** The secret names its workspace, so that any replica finds the right one. */
export function makeHintSecret(team: TeamId, randomBytes: RandomBytes): string {
  return `${team}-${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/** @param secret untrusted input. @returns undefined for what can't be a secret */
export function findTeamOfSecret(secret: string): TeamId | undefined {
  return parseSlackTeam(SECRET.exec(secret)?.[1]);
}

export interface HintAddress {
  readonly secret: Secret;
  /** Counts the workspace's secrets. */
  readonly version: number;
}

export interface HintSummary {
  /** In the workspace's time zone. */
  readonly today: number;
  readonly last?: { readonly at: Instant; readonly filter: FilterId; readonly wasFollowed: boolean };
}

/** What an HTTP request may do. */
export interface HintIntake {
  /** Takes equally long for any text. */
  isSecret(text: string): Promise<boolean>;
  /** Returns at once; the filters are read later, if at all. Nothing is stored for it. */
  takeHints(filters: readonly FilterId[]): HintCounts;
}

/** How tools reach this process, as far as it knows. */
export interface HintServer {
  /** Without a slash at the end. Missing: only the operator knows it. */
  readonly publicUrl?: string;
  readonly port: number;
}

export interface HintService extends HintIntake {
  readonly server: HintServer;
  /** Makes the secret if there is none. @param by the admin who sees it */
  openAddress(by: UserId): Promise<HintAddress>;
  /**
   * Replaces the secret: the old one stops working at once.
   * @param version the one that the person saw
   * @returns false: another person has replaced that one
   */
  rotateSecret(version: number, by: UserId): Promise<boolean>;
  /** A restart may lose the last minute. */
  readSummary(): Promise<HintSummary>;
  /** Every minute: stores the counts, if hints came. */
  readonly job: ScheduledJob;
}
