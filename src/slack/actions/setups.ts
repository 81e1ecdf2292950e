import { actionIds } from '../blocks/ids.ts';
import { drawSetups } from '../commands/setups.ts';
import { SETUPS_PRESS_OUTDATED } from '../messages/setups-list.ts';
import { setupsPageValue } from '../messages/values.ts';
import { ASKED_BY_NEXT, ASKED_BY_PREVIOUS } from '../messages/waiting.ts';
import type { ActionCall, ActionRoute } from '../routes.ts';

async function turnPage(call: ActionCall): Promise<void> {
  const asked = setupsPageValue.read(call.value);
  if (!asked) return call.answer(SETUPS_PRESS_OUTDATED);
  await call.replace(await drawSetups(call.services, asked.status, asked.page));
}

/** Both directions carry the page that they lead to. */
export const setupsPage: ActionRoute = {
  id: actionIds.setupsPage,
  needs: 'viewer',
  asked: ASKED_BY_NEXT,
  run: turnPage,
};
export const setupsBack: ActionRoute = {
  id: actionIds.setupsBack,
  needs: 'viewer',
  asked: ASKED_BY_PREVIOUS,
  run: turnPage,
};
