/** What the app needs from outside, and how it is started and stopped. */
import type { FetchFunction } from '@slack/web-api';
import type { Dispatcher } from 'undici';
import type { Clock, RandomSource } from '../clock.ts';
import type { Log } from '../log.ts';
import type { NextMinute } from '../schedule/job-scheduler.ts';
import type { Disk } from '../storage/disk.ts';
import type { Migration } from '../storage/postgres/migrations.ts';
import type { OpenRecords } from './workspace-records.ts';

/** The outside world that the app uses. */
export interface AppDependencies {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Log;
  /** For Slack's Web API; the machine's own when absent. */
  readonly fetch?: FetchFunction;
  /** For the marketplace, other replicas, and Slack's `response_url`s; own connection pools when absent. */
  readonly dispatcher?: Dispatcher;
  readonly disk?: Disk;
  /** Opens the records of a single workspace; as configured when absent. */
  readonly openRecords?: OpenRecords;
  /** The steps to a database's tables; the program's own when absent. Tests play a newer version. */
  readonly migrations?: readonly Migration[];
  /** When scheduled jobs run; by `clock` when absent. */
  readonly nextMinute?: NextMinute;
}

export interface App {
  /**
   * Resolves when Slack can reach us and the feed runs; retries until Slack responds. Runs once.
   * @throws StorageError, SlackCallError or Error after closing everything, also when `stop` is called
   * meanwhile.
   */
  start(): Promise<void>;
  /** Accepts no new work, waits up to 8 s for running work, saves, and closes everything. Never throws. */
  stop(): Promise<void>;
  /** Resolves when a required part stops on its own; the process should then exit and restart. */
  readonly fatalError: Promise<Error>;
  /** The HTTP server's URL, such as `http://127.0.0.1:3000`. @throws Error before `start` has resolved. */
  localUrl(): string;
}
