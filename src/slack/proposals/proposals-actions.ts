import type { ActionCall, ActionRoute } from '../core/routes.ts';
import { actionIds } from '../kit/ids.ts';
import { PROPOSAL_PRESS_OUTDATED } from './proposal-missing.ts';
import { openProposalAction } from './proposal-open.ts';
import { proposalsPageValueCodec } from './proposals-values.ts';
import { renderProposalsPage } from './render-proposals.ts';

/** Runs the button's search again, as if typed. */
async function turnPage(call: ActionCall): Promise<void> {
  const asked = proposalsPageValueCodec.read(call.value);
  if (!asked) return call.answer(PROPOSAL_PRESS_OUTDATED);
  await call.replace(await renderProposalsPage(call, asked));
}

/** Each button's value names its target page. */
export const proposalsActions: readonly ActionRoute[] = [
  { id: actionIds.proposalsPage, needs: 'viewer', run: turnPage },
  { id: actionIds.proposalsBack, needs: 'viewer', run: turnPage },
  { id: actionIds.proposalsTry, needs: 'viewer', run: turnPage },
  openProposalAction,
];
