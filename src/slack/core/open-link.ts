import { actionIds } from '../kit/ids.ts';
import type { ActionRoute } from './routes.ts';

/** Slack opens the link itself but also reports the press: nothing to do. */
export const openLinkAction: ActionRoute = {
  id: actionIds.openLink,
  needs: 'outsider',
  run: () => Promise.resolve(),
};
