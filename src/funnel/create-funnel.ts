/** Creates the funnel service. */
import type { Clock } from '../clock.ts';
import type { FunnelService } from './funnel.ts';
import { type FunnelContext, readFunnel } from './read-funnel.ts';
import { tryRules } from './read-tried-rules.ts';

export function createFunnelService(context: FunnelContext & { readonly clock: Clock }): FunnelService {
  return {
    readFunnel: (request) => readFunnel(context, request),
    tryRules: (wanted) => tryRules(context, wanted),
  };
}
