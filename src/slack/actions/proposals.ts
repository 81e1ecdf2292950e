import { actionIds } from '../blocks/ids.ts';
import { PROPOSAL_PRESS_OUTDATED } from '../messages/proposal-missing.ts';
import { proposalsPageValueCodec } from '../messages/proposals-values.ts';
import type { ActionCall, ActionRoute } from '../routes.ts';
import { openProposalAction } from './proposal-open.ts';
import { shareProposalsAction } from './proposals-share.ts';
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
  shareProposalsAction,
];
