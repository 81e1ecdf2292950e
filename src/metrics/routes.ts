/** What is answered to those who watch: `/readyz` and `/metrics`, beside `/healthz`, which every HTTP server of ours has. */
import type { HttpRoutes } from '../slack/http-server.ts';
import type { Metrics } from './create-metrics.ts';
import type { Sources } from './facts.ts';
import { judgeReadiness, type Readiness } from './readiness.ts';

export interface Watched extends Omit<Sources, 'readiness'> {
  readonly isStopping: () => boolean;
  readonly doesFeedRun: () => boolean;
}

async function isOpen({ store }: Pick<Watched, 'store'>): Promise<boolean> {
  try {
    return await store.read(async () => true);
  } catch {
    return false;
  }
}

export function watchRoutes(metrics: Metrics, watched: Watched): HttpRoutes {
  const readiness = async (): Promise<Readiness> =>
    judgeReadiness({
      isStopping: watched.isStopping(),
      isStoreOpen: await isOpen(watched),
      isSlackConnected: watched.isSlackConnected(),
      doesFeedRun: watched.doesFeedRun(),
    });
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
