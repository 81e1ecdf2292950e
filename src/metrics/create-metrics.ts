/** Gigdesk's numbers in the text format of Prometheus, in a registry of their own. */
import { Gauge, Registry } from 'prom-client';
import { type Counts, createCounts } from './counts.ts';
import { readFacts, type Sources } from './facts.ts';
import { GAUGES } from './gauges.ts';

export interface Metrics {
  readonly counts: Counts;
  /** All of them as they stand now. Looks that come at the same time share one. @throws StorageError once the store is closed. */
  text(sources: Sources): Promise<string>;
  /** In the order in which they are told. */
  readonly names: readonly string[];
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const gauges = GAUGES.map(({ name, help, labels, samples }) => ({
    gauge: new Gauge({ name, help, labelNames: [...labels], registers: [registry] }),
    isBare: labels.length === 0,
    samples,
  }));
  const counts = createCounts(registry);
  let looking: Promise<string> | undefined;

  const look = async (sources: Sources) => {
    const facts = await readFacts(sources);
    for (const { gauge, isBare, samples } of gauges) {
      // A channel or filter that is gone must not go on with its last number, and what is not known is not 0.
      gauge.reset();
      if (isBare) gauge.remove();
      for (const { labels = {}, value } of samples(facts)) gauge.set(labels, value);
    }
    return registry.metrics();
  };

  return {
    counts,
    names: registry.getMetricsAsArray().map(({ name }) => name),
    text: (sources) => {
      looking ??= look(sources).finally(() => {
        looking = undefined;
      });
      return looking;
    },
  };
}
