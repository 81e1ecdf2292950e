/** What a process needs to serve workspaces, and what it then serves. */
import type { Instant } from './clock.ts';
import type { Readiness } from './metrics/metrics-snapshot.ts';
import type { HttpRoutes } from './slack/core/http-server.ts';
import type { TeamHandlers } from './slack/teams.ts';
import type { Workspace } from './workspace.ts';
import type { WorkspaceOptions } from './workspace-base.ts';

/** `onBroken`: the process can't go on. */
export type ServeOptions = Pick<
  WorkspaceOptions,
  'config' | 'ports' | 'version' | 'counters' | 'signal' | 'onBroken'
>;

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
