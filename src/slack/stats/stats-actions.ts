import type { ActionRoute } from '../core/routes.ts';
import { actionIds } from '../kit/ids.ts';
import { renderStatsMessage } from './render-stats.ts';
import { STATS_PRESS_OUTDATED } from './stats-message.ts';
import { statsValueCodec } from './stats-values.ts';

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
