/**
 * Gigdesk's metrics in the Prometheus text format, in their own registry, and the monitoring routes `/readyz`
 * and `/metrics`, next to `/healthz`, which every Gigdesk HTTP server has.
 */
import { Gauge, Registry } from 'prom-client';
import type { HttpRoutes } from '../slack/core/http-server.ts';
import { createEventCounters } from './event-counters.ts';
import { type GaugeRow, PROCESS_GAUGES, WORKSPACE_GAUGES } from './gauges.ts';
import {
  judgeReadiness,
  type ProcessMetricsSources,
  readProcessSnapshot,
  readWorkspaceSnapshot,
  type WorkspaceMetricsSources,
} from './metrics-snapshot.ts';

/** A process, and the workspaces that are open in it now. */
interface MetricsSources {
  readonly process: ProcessMetricsSources;
  readonly listWorkspaces: () => readonly WorkspaceMetricsSources[];
}

/** A row as a gauge: `show` replaces all that it said before. */
function createGauge<Facts>(
  { name, help, labels, samples }: GaugeRow<Facts>,
  registry: Registry,
  team: readonly string[],
) {
  const labelNames = [...labels, ...team];
  const gauge = new Gauge({ name, help, labelNames, registers: [registry] });
  return (all: readonly { readonly facts: Facts; readonly labels: Readonly<Record<string, string>> }[]) => {
    // A removed channel or filter must not keep its last value, and an unknown value is not 0.
    gauge.reset();
    if (labelNames.length === 0) gauge.remove();
    for (const { facts, labels: own } of all)
      for (const sample of samples(facts)) gauge.set({ ...sample.labels, ...own }, sample.value);
  };
}

type Metrics = ReturnType<typeof createMetrics>;

/** @param namesTeams adds a label `team` to a workspace's metrics */
export function createMetrics({ namesTeams = false } = {}) {
  const registry = new Registry();
  const ofProcess = PROCESS_GAUGES.map((row) => createGauge(row, registry, []));
  const ofWorkspaces = WORKSPACE_GAUGES.map((row) => createGauge(row, registry, namesTeams ? ['team'] : []));
  const counters = createEventCounters(registry);
  let looking: Promise<string> | undefined;

  const look = async ({ process: own, listWorkspaces }: MetricsSources) => {
    const facts = await readProcessSnapshot(own);
    const workspaces = await Promise.all(listWorkspaces().map(readLabelled));
    for (const show of ofProcess) show([{ facts, labels: {} }]);
    for (const show of ofWorkspaces) show(workspaces.filter((found) => found !== undefined));
    return registry.metrics();
  };

  const readLabelled = async (workspace: WorkspaceMetricsSources) => {
    const facts = await readWorkspaceSnapshot(workspace).catch(() => undefined);
    const labels: Record<string, string> = namesTeams ? { team: workspace.team } : {};
    return facts && { facts, labels };
  };

  return {
    counters,
    /** In the order of the output. */
    metricNames: registry.getMetricsAsArray().map(({ name }) => name),
    /** All current values, without workspaces that close meanwhile. Concurrent calls share one result. */
    renderMetricsText(sources: MetricsSources): Promise<string> {
      looking ??= look(sources).finally(() => {
        looking = undefined;
      });
      return looking;
    },
  };
}

/** What a workspace tells about itself. */
export interface WorkspaceSources extends WorkspaceMetricsSources {
  readonly isStopping: () => boolean;
  readonly isFeedRunning: () => boolean;
}

/** Whether a process that serves this workspace alone is ready. */
export async function judgeWorkspace(workspace: WorkspaceSources, isSlackConnected: boolean) {
  const { store } = workspace;
  const delivery = await store.read((tx) => workspace.delivery.readHealth(tx)).catch(() => undefined);
  return judgeReadiness({
    isStopping: workspace.isStopping(),
    isStoreOpen: delivery !== undefined,
    isSlackConnected,
    isFeedRunning: workspace.isFeedRunning(),
    delivery,
    isClockRight: workspace.clockState().kind === 'right',
  });
}

export function createMonitoringRoutes(metrics: Metrics, sources: MetricsSources): HttpRoutes {
  return {
    '/readyz': async () => {
      const { isReady, message } = await sources.process.readiness();
      return { status: isReady ? 200 : 503, type: 'text/plain', body: `${message}\n` };
    },
    '/metrics': async () => ({
      status: 200,
      type: 'text/plain; version=0.0.4',
      body: await metrics.renderMetricsText(sources),
    }),
  };
}
