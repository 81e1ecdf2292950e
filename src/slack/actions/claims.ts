import { mayAct } from '../../access/roles.ts';
import type { ClaimOutcome } from '../../feed/feed.ts';
import { actionIds } from '../blocks/ids.ts';
import { heldMessage } from '../messages/card-questions.ts';
import type { ActionCall, ActionRoute } from '../routes.ts';
import { CARD_GONE, findCard } from './find-card.ts';

/** The card itself tells what was done; only what was not done is said, and to the person alone. */
async function tell(call: ActionCall, outcome: ClaimOutcome): Promise<void> {
  switch (outcome.kind) {
    case 'claimed':
    case 'released':
      return;
    case 'held':
      return call.answer(heldMessage(outcome.by, outcome.at));
    case 'free':
      return call.answer({ text: 'This project is unclaimed now. You can claim it.' });
    case 'no-card':
      return call.answer(CARD_GONE);
  }
}

export const claim: ActionRoute = {
  id: actionIds.claim,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const view = await findCard(call, call.message?.ts);
    if (!view) return call.answer(CARD_GONE);
    await tell(call, await services.feed.claim(channel, view.card.project, person.user));
  },
};

/** One's own claim; an admin may release anyone's. */
export const release: ActionRoute = {
  id: actionIds.release,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const view = await findCard(call, call.message?.ts);
    if (!view) return call.answer(CARD_GONE);
    const others = mayAct(person.role, 'admin');
    await tell(call, await services.feed.release(channel, view.card.project, person.user, others));
  },
};

export const unskip: ActionRoute = {
  id: actionIds.unskip,
  needs: 'viewer',
  async run(call) {
    const { services, channel, person } = call;
    const view = await findCard(call, call.message?.ts);
    const done = view && (await services.feed.skip(channel, view.card.project, person.user, undefined));
    if (!done) await call.answer(CARD_GONE);
  },
};
