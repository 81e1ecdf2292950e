import { actionIds } from '../blocks/ids.ts';
import type { ActionRoute } from '../routes.ts';

/** Slack opens the link itself and reports the press all the same: there is nothing left to do. */
export const openLinkAction: ActionRoute = {
  id: actionIds.openLink,
  needs: 'outsider',
  run: () => Promise.resolve(),
};
