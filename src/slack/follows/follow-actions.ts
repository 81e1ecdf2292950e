/** The buttons of personal follow: in the list of rules, and in the messages about projects. */
import { type Follower, muteUntilTomorrow } from '../../follows/follows.ts';
import { CLAIM_WORDS, openDetailsWindow } from '../cards/cards.ts';
import { answerClaim, CARD_GONE } from '../core/handler-steps.ts';
import { unknownButtonMessage } from '../core/request-errors.ts';
import type { ActionCall, ActionRoute } from '../core/routes.ts';
import { findMembershipRefusal, readClaimer } from '../core/user-channels.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { readFollowList } from './follow-command.ts';
import { ALL_RULES, followListMessage, followRuleId } from './follow-messages.ts';
import { followedCardCodec } from './followed-message.ts';

async function showList(call: ActionCall, lead?: string): Promise<void> {
  await call.replace(followListMessage(await readFollowList(call.services, call.person.user), lead));
}

/** The value is only compared with the person's own rules. */
async function endRules({ services, person, value }: ActionCall): Promise<string> {
  const { follows } = services;
  const before = await follows.readFollower(person.user);
  const which = value === ALL_RULES ? value : before?.rules.find((each) => followRuleId(each) === value);
  if (which) await follows.unfollow(person.user, which);
  return (await follows.readFollower(person.user))
    ? 'Unfollowed. You still follow:'
    : "Unfollowed. You don't follow anything now.";
}

function muteRoute(id: string, until: (call: ActionCall) => Follower['muted']): ActionRoute {
  return {
    id,
    needs: 'viewer',
    hasSideEffects: true,
    async run(call) {
      await call.services.follows.setMuted(call.person.user, until(call));
      await showList(call);
    },
  };
}

/** The card's channel decides, wherever the message is: the person must be in it now. */
async function findFollowedCard(call: ActionCall) {
  const place = followedCardCodec.read(call.value);
  if (!place) return call.answer(unknownButtonMessage());
  const { services, person } = call;
  const refusal = await findMembershipRefusal(services, person.user, place.channel);
  if (refusal !== undefined) return call.answer({ text: refusal });
  const card = await services.store.read((tx) =>
    services.feed.readCardData(tx, place.channel, place.project),
  );
  return card ? { card, here: { ...call, channel: place.channel } } : call.answer(CARD_GONE);
}

async function showDetails(call: ActionCall): Promise<void> {
  const found = await findFollowedCard(call);
  if (found) await openDetailsWindow(found.here, found.card);
}

/** The channel's card shows the claim to everyone, and this message to the person. */
async function claim(call: ActionCall): Promise<void> {
  const found = await findFollowedCard(call);
  if (!found) return;
  const { services, person } = call;
  const { channel, project } = found.card.card;
  const outcome = await services.feed.claimProject(channel, project, await readClaimer(call, channel));
  await services.follows.refreshMessage(person.user, project);
  if (outcome.kind !== 'claimed') return answerClaim(call, outcome, CLAIM_WORDS);
  await call.answer({ text: `:raised_hand: It's yours. The card in ${channelLink(channel)} says so.` });
}

export const followActions: readonly ActionRoute[] = [
  {
    id: actionIds.followEnd,
    needs: 'viewer',
    hasSideEffects: true,
    run: async (call) => showList(call, await endRules(call)),
  },
  muteRoute(actionIds.followMute, () => ({})),
  muteRoute(actionIds.followMuteTomorrow, ({ services, person }) =>
    muteUntilTomorrow(services.clock.now(), person.timezone ?? services.timezone),
  ),
  muteRoute(actionIds.followUnmute, () => undefined),
  { id: actionIds.followDetails, needs: 'viewer', run: showDetails },
  { id: actionIds.followClaim, needs: 'viewer', hasSideEffects: true, run: claim },
];
