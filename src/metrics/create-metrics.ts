/** Gigdesk's metrics in the Prometheus text format, in their own registry. */
import { Gauge, Registry } from 'prom-client';
import { createEventCounters, type EventCounters } from './event-counters.ts';
import { GAUGES } from './gauges.ts';
import { type MetricsSources, readMetricsSnapshot } from './metrics-snapshot.ts';

export interface Metrics {
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
