import { actionIds } from '../blocks/ids.ts';
import { STATS_PRESS_OUTDATED } from '../messages/stats.ts';
import { statsValueCodec } from '../messages/stats-values.ts';
import type { ActionRoute } from '../routes.ts';
import { renderStatsMessage } from './render-stats.ts';

/** Replaces the message with another dimension and current numbers. */
export const statsDimensionAction: ActionRoute = {
  id: actionIds.statsDimension,
  needs: 'viewer',
  async run(call) {
    const asked = statsValueCodec.read(call.value);
    if (!asked) return call.answer(STATS_PRESS_OUTDATED);
    await call.replace(await renderStatsMessage(call, asked));
  },
};
