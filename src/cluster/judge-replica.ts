/** Whether a replica is ready. Pure. */
import type { ClusterCounts } from '../metrics/event-counters.ts';
import type { Readiness } from '../metrics/metrics-snapshot.ts';

interface ReplicaState {
  readonly isStopping: boolean;
  readonly isDatabaseReached: boolean;
  readonly isSlackConnected: boolean;
  readonly workspaces: number;
  readonly counts: ClusterCounts;
}

/** A replica that owns nothing is ready: it passes requests on, and can take over. Pure. */
export function judgeReplica(state: ReplicaState): Readiness {
  const missing = [
    ...(state.isStopping ? ['Gigdesk is stopping'] : []),
    ...(state.isDatabaseReached ? [] : ['the database is not reached']),
    ...(state.isSlackConnected ? [] : ['Slack is not connected']),
  ];
  const isReady = missing.length === 0;
  const { takeovers, forwards, fencedCommits } = state.counts;
  const facts =
    `owns ${state.workspaces} ${state.workspaces === 1 ? 'workspace' : 'workspaces'}; since its start: ` +
    `takeovers ${takeovers}, forwards ${forwards}, refused commits ${fencedCommits}`;
  return { isReady, message: `${isReady ? 'ready' : `not ready: ${missing.join('; ')}`}; ${facts}` };
}
