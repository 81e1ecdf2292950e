import { hasRoleAtLeast } from '../../access/roles.ts';
import type { ProjectClaimOutcome } from '../../feed/feed.ts';
import { CARD_GONE, findPressedCard } from '../core/find-pressed-card.ts';
import type { ActionCall, ActionRoute } from '../core/routes.ts';
import { actionIds } from '../kit/ids.ts';
import { projectAlreadyClaimedMessage } from './card-questions.ts';

/** The card itself shows success; failures are ephemeral messages. */
async function tell(call: ActionCall, outcome: ProjectClaimOutcome): Promise<void> {
  switch (outcome.kind) {
    case 'claimed':
    case 'released':
      return;
    case 'held':
      return call.answer(projectAlreadyClaimedMessage(outcome.by, outcome.at));
    case 'free':
      return call.answer({ text: 'This project is unclaimed now. You can claim it.' });
    case 'no-card':
      return call.answer(CARD_GONE);
  }
}

export const claimAction: ActionRoute = {
  id: actionIds.claim,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const view = await findPressedCard(call, call.message?.ts);
    if (!view) return call.answer(CARD_GONE);
    await tell(call, await services.feed.claimProject(channel, view.card.project, person.user));
  },
};

/** Releases the person's own claim; an admin may release anyone's. */
export const releaseClaimAction: ActionRoute = {
  id: actionIds.release,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const view = await findPressedCard(call, call.message?.ts);
    if (!view) return call.answer(CARD_GONE);
    const others = hasRoleAtLeast(person.role, 'admin');
    await tell(
      call,
      await services.feed.releaseProjectClaim(channel, view.card.project, person.user, others),
    );
  },
};

export const unskipAction: ActionRoute = {
  id: actionIds.unskip,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const view = await findPressedCard(call, call.message?.ts);
    const done =
      view && (await services.feed.skipProject(channel, view.card.project, person.user, undefined));
    if (!done) await call.answer(CARD_GONE);
  },
};
