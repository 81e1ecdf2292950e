/** What is answered to those who watch: `/readyz` and `/metrics`, beside `/healthz`, which every HTTP server of ours has. */

import type { DeliveryHealth } from '../slack/delivery/health.ts';
import type { HttpRoutes } from '../slack/http-server.ts';
import type { Metrics } from './create-metrics.ts';
import type { Sources } from './facts.ts';
import { judgeReadiness, type Readiness } from './readiness.ts';

export interface Watched extends Omit<Sources, 'readiness'> {
  readonly isStopping: () => boolean;
  readonly doesFeedRun: () => boolean;
}

/** undefined: the store is not open. */
async function readDelivery({
  store,
  delivery,
}: Pick<Watched, 'store' | 'delivery'>): Promise<DeliveryHealth | undefined> {
  try {
    return await store.read((tx) => delivery.health(tx));
  } catch {
    return undefined;
  }
}

export function watchRoutes(metrics: Metrics, watched: Watched): HttpRoutes {
  const readiness = async (): Promise<Readiness> => {
    const delivery = await readDelivery(watched);
    return judgeReadiness({
      isStopping: watched.isStopping(),
      isStoreOpen: delivery !== undefined,
      isSlackConnected: watched.isSlackConnected(),
      doesFeedRun: watched.doesFeedRun(),
      ...(delivery ? { delivery } : {}),
      isClockRight: watched.clockState().kind === 'right',
    });
  };
  const sources: Sources = { ...watched, readiness };
  return {
    '/readyz': async () => {
      const { isReady, says } = await readiness();
      return { status: isReady ? 200 : 503, type: 'text/plain', body: `${says}\n` };
    },
    '/metrics': async () => ({
      status: 200,
      type: 'text/plain; version=0.0.4',
      body: await metrics.text(sources),
    }),
  };
}
