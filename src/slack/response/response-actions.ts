/** The buttons below a stage: Extend, Snooze, Claim. Our record of the message says which card they mean. */

import { hasRoleAtLeast } from '../../access/access.ts';
import { readPost } from '../../outbox/outbox.ts';
import type { ClockPlace } from '../../response/response.ts';
import {
  answerClaim,
  CARD_GONE,
  type ClaimWords,
  claimByPost,
  findPressedPost,
} from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute } from '../core/routes.ts';
import { actionIds } from '../kit/ids.ts';
import { formatDate, formatMention } from '../kit/mrkdwn.ts';
import { responseValueCodec } from './response-message.ts';

async function findPressedCard(call: ActionCall): Promise<ClockPlace | undefined> {
  const ts = call.message?.ts;
  const named = responseValueCodec.read(call.value);
  const message = ts === undefined || !named ? undefined : await findPressedPost(call, ts);
  if (!named || message?.content.kind !== 'response') return undefined;
  if (!message.content.items.some(({ card }) => card === named.card)) return undefined;
  return { channel: call.channel, post: named.card, message: message.id };
}

const held: ClaimWords['held'] = (by, at) => ({
  text: `${formatMention(by)} claimed this (${formatDate(at)}). Only they or an admin can change that.`,
});

async function extend(call: ActionCall): Promise<void> {
  const place = await findPressedCard(call);
  if (!place) return call.answer(CARD_GONE);
  const { services, person } = call;
  const mayExtendOthers = hasRoleAtLeast(person.role, 'admin');
  const outcome = await services.response.extendClaim(place, { by: person.user, mayExtendOthers });
  if (outcome.kind !== 'extended') await services.response.showEnd(place);
  switch (outcome.kind) {
    case 'extended':
      return;
    case 'held':
      return call.answer(held(outcome.by, outcome.at));
    case 'free':
    case 'ended':
      return call.answer({ text: 'This claim is over, so there is nothing to extend.' });
    case 'off':
      return call.answer({ text: "Claims don't expire in this channel now, so there is nothing to extend." });
    case 'no-card':
      return call.answer(CARD_GONE);
  }
}

async function snooze(call: ActionCall): Promise<void> {
  const place = await findPressedCard(call);
  const { response } = call.services;
  const outcome = place && (await response.snooze(place, call.person.user));
  if (!outcome || outcome.kind === 'no-card') return call.answer(CARD_GONE);
  if (outcome.kind === 'snoozed') return;
  await response.showEnd(place);
  await call.answer({ text: "Nothing to snooze: Gigdesk doesn't nudge anyone about this card now." });
}

async function claim(call: ActionCall): Promise<void> {
  const place = await findPressedCard(call);
  if (!place) return call.answer(CARD_GONE);
  const { response, store } = call.services;
  const post = await store.read((tx) => readPost(tx, place.post));
  const outcome = await claimByPost(call, place.channel, post);
  if (outcome.kind === 'claimed') await response.noteClaim(place, call.person.user);
  else await response.showEnd(place);
  const free = { text: 'This is unclaimed now. You can claim it.' };
  await answerClaim(call, outcome, { held, free, gone: CARD_GONE });
}

export const responseActions: readonly ActionRoute[] = [
  { id: actionIds.responseExtend, needs: 'viewer', run: extend },
  { id: actionIds.responseSnooze, needs: 'viewer', run: snooze },
  { id: actionIds.responseClaim, needs: 'viewer', run: claim },
];
