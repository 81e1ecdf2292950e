/**
 * Gigdesk's metrics in the Prometheus text format, in their own registry, and the monitoring routes `/readyz`
 * and `/metrics`, next to `/healthz`, which every Gigdesk HTTP server has.
 */
import { Gauge, Registry } from 'prom-client';
import type { HttpRoutes } from '../slack/core/http-server.ts';
import type { DeliveryHealth } from '../slack/delivery/health.ts';
import { createEventCounters, type EventCounters } from './event-counters.ts';
import { GAUGES } from './gauges.ts';
import {
  judgeReadiness,
  type MetricsSources,
  type Readiness,
  readMetricsSnapshot,
} from './metrics-snapshot.ts';

interface Metrics {
  readonly counters: EventCounters;
  /** All current values. Concurrent calls share one result. @throws StorageError once the store is closed */
  renderMetricsText(sources: MetricsSources): Promise<string>;
  /** In the order of the output. */
  readonly metricNames: readonly string[];
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const gauges = GAUGES.map(({ name, help, labels, samples }) => ({
    gauge: new Gauge({ name, help, labelNames: [...labels], registers: [registry] }),
    isBare: labels.length === 0,
    samples,
  }));
  const counts = createEventCounters(registry);
  let looking: Promise<string> | undefined;

  const look = async (sources: MetricsSources) => {
    const facts = await readMetricsSnapshot(sources);
    for (const { gauge, isBare, samples } of gauges) {
      // A removed channel or filter must not keep its last value, and an unknown value is not 0.
      gauge.reset();
      if (isBare) gauge.remove();
      for (const { labels = {}, value } of samples(facts)) gauge.set(labels, value);
    }
    return registry.metrics();
  };

  return {
    counters: counts,
    metricNames: registry.getMetricsAsArray().map(({ name }) => name),
    renderMetricsText: (sources) => {
      looking ??= look(sources).finally(() => {
        looking = undefined;
      });
      return looking;
    },
  };
}

interface MonitoringSources extends Omit<MetricsSources, 'readiness'> {
  readonly isStopping: () => boolean;
  readonly isFeedRunning: () => boolean;
}

/** What a workspace tells about itself. */
export type WorkspaceSources = Omit<MonitoringSources, 'eventLoop' | 'folder' | 'isSlackConnected'>;

/** undefined: the store is not open. */
async function readDelivery({
  store,
  delivery,
}: Pick<MonitoringSources, 'store' | 'delivery'>): Promise<DeliveryHealth | undefined> {
  try {
    return await store.read((tx) => delivery.readHealth(tx));
  } catch {
    return undefined;
  }
}

export function createMonitoringRoutes(metrics: Metrics, watched: MonitoringSources): HttpRoutes {
  const readiness = async (): Promise<Readiness> => {
    const delivery = await readDelivery(watched);
    return judgeReadiness({
      isStopping: watched.isStopping(),
      isStoreOpen: delivery !== undefined,
      isSlackConnected: watched.isSlackConnected(),
      isFeedRunning: watched.isFeedRunning(),
      ...(delivery ? { delivery } : {}),
      isClockRight: watched.clockState().kind === 'right',
    });
  };
  const sources: MetricsSources = { ...watched, readiness };
  return {
    '/readyz': async () => {
      const { isReady, message } = await readiness();
      return { status: isReady ? 200 : 503, type: 'text/plain', body: `${message}\n` };
    },
    '/metrics': async () => ({
      status: 200,
      type: 'text/plain; version=0.0.4',
      body: await metrics.renderMetricsText(sources),
    }),
  };
}
