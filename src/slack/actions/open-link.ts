import { actionIds } from '../blocks/ids.ts';
import type { ActionRoute } from '../routes.ts';

/** Slack opens the link itself and reports the press all the same: there is nothing left to do. */
export const openLink: ActionRoute = {
  id: actionIds.open,
  needs: 'outsider',
  run: () => Promise.resolve(),
};
