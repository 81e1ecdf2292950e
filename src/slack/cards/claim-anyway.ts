/** Claims a card although someone claimed its project in another channel: the person was asked first. */
import { ChannelId } from '../../ids.ts';
import { claimInvitation } from '../../invitations/invitations.ts';
import { readPost } from '../../outbox/outbox.ts';
import { PostId } from '../../outbox/posts.ts';
import { answerClaim, CARD_GONE } from '../core/handler-steps.ts';
import type { ActionCall, ActionRoute, Services } from '../core/routes.ts';
import { findMembershipRefusal, readClaimer } from '../core/user-channels.ts';
import { actionIds } from '../kit/ids.ts';
import { channelLink } from '../kit/mrkdwn.ts';
import { CLAIM_WORDS } from './card-actions.ts';

async function findPost({ store, team }: Services, value: string) {
  const id = PostId.safeParse(value).data;
  return id && store.read((tx) => readPost(tx, team, id));
}

async function claimAnyway(call: ActionCall): Promise<void> {
  const { services, person } = call;
  const { channel: place, content } = (await findPost(services, call.value)) ?? {};
  const channel = ChannelId.safeParse(place).data;
  if (!channel || !(content?.kind === 'card' || content?.kind === 'invitation'))
    return call.answer(CARD_GONE);
  const refusal = await findMembershipRefusal(services, person.user, channel);
  if (refusal !== undefined) return call.answer({ text: refusal });
  const claimer = { ...(await readClaimer(call, channel)), anyway: true };
  const outcome =
    content.kind === 'card'
      ? await services.feed.claimProject(channel, content.project, claimer)
      : await claimInvitation(services, channel, content.invitation, claimer);
  if (outcome.kind !== 'claimed') return answerClaim(call, outcome, CLAIM_WORDS);
  await call.answer({ text: `:raised_hand: It's yours in ${channelLink(channel)}, too.` });
}

export const claimAnywayAction: ActionRoute = {
  id: actionIds.claimAnyway,
  needs: 'viewer',
  run: claimAnyway,
};
