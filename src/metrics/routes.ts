/**
 * The monitoring routes `/readyz` and `/metrics`, next to `/healthz`, which every Gigdesk HTTP server has.
 */

import type { HttpRoutes } from '../slack/core/http-server.ts';
import type { DeliveryHealth } from '../slack/delivery/health.ts';
import type { Metrics } from './create-metrics.ts';
import type { MetricsSources } from './metrics-snapshot.ts';
import { judgeReadiness, type Readiness } from './readiness.ts';

export interface MonitoringSources extends Omit<MetricsSources, 'readiness'> {
  readonly isStopping: () => boolean;
  readonly isFeedRunning: () => boolean;
}

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
