/** What a process needs to serve workspaces, and what it then serves. */
import type { AppDependencies } from './app-contract.ts';
import type { Instant } from './clock.ts';
import type { Config } from './config.ts';
import type { EventCounters } from './metrics/event-counters.ts';
import type { Readiness } from './metrics/metrics-snapshot.ts';
import type { HttpRoutes } from './slack/core/http-server.ts';
import type { TeamHandlers } from './slack/teams.ts';
import type { Workspace } from './workspace.ts';

export interface ServeOptions {
  readonly config: Config;
  readonly ports: AppDependencies;
  readonly version: string;
  readonly counters: EventCounters;
  readonly signal: AbortSignal;
  /** The process can't go on. */
  readonly onBroken: (error: Error) => void;
}

export interface ServedWorkspaces {
  readonly teams: TeamHandlers;
  /** Open in this process. */
  list(): readonly Workspace[];
  /** The time that replicas share; missing: there is one process. */
  readonly commonNow?: () => Instant;
  /** More routes of the HTTP server. */
  readonly routes?: HttpRoutes;
  judgeReadiness(isSlackConnected: boolean): Promise<Readiness>;
  close(): Promise<void>;
}
