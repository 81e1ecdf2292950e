import type { ActionCall, ActionRoute } from '../core/routes.ts';
import { NEXT_REQUEST_LABEL, PREVIOUS_REQUEST_LABEL } from '../core/slow-reply.ts';
import { actionIds } from '../kit/ids.ts';
import { renderSetupsPage } from './setups-command.ts';
import { SETUPS_PRESS_OUTDATED, setupsPageValueCodec } from './setups-list.ts';

async function turnPage(call: ActionCall): Promise<void> {
  const asked = setupsPageValueCodec.read(call.value);
  if (!asked) return call.answer(SETUPS_PRESS_OUTDATED);
  await call.replace(await renderSetupsPage(call.services, asked.status, asked.page));
}

/** Each button's value names its target page. */
export const setupsNextPageAction: ActionRoute = {
  id: actionIds.setupsPage,
  needs: 'viewer',
  pendingLabel: NEXT_REQUEST_LABEL,
  run: turnPage,
};
export const setupsPreviousPageAction: ActionRoute = {
  id: actionIds.setupsBack,
  needs: 'viewer',
  pendingLabel: PREVIOUS_REQUEST_LABEL,
  run: turnPage,
};
