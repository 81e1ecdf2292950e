/** On a Home: approving a job, releasing what one claimed, going on with drafts or discarding them. */
import { readDraft } from '../../bidding/drafts.ts';
import { bidDrafts, draftKey, jobKey, jobs } from '../../bidding/records.ts';
import type { ClaimOutcome } from '../../feed/feed.ts';
import { cardKey, cards } from '../../feed/records.ts';
import { ChannelId, DraftId, type UserId } from '../../ids.ts';
import { releaseInvitation } from '../../invitations/claims.ts';
import { invitationCardKey, invitationCards } from '../../invitations/records.ts';
import { actionIds } from '../blocks/ids.ts';
import { heldMessage } from '../messages/card-questions.ts';
import { DRAFT_DISCARDED, HOME_OUTDATED } from '../messages/home-answers.ts';
import { DRAFT_BEING_SENT, DRAFT_GONE_ALREADY, discardedText } from '../messages/template-list.ts';
import { approveValue } from '../messages/values.ts';
import { ASKED_BY_APPROVE } from '../messages/waiting.ts';
import type { ActionCall, ActionRoute, Services } from '../routes.ts';
import { claimValue, templateValue } from '../views/home-values.ts';
import { openBid, spotOf } from './bid-open.ts';
import { subjectOf } from './bid-subject.ts';
import { homeAction } from './home-press.ts';
import { approve } from './job.ts';
import { openTemplate } from './template-open.ts';

const approveJob = homeAction({
  id: actionIds.homeApprove,
  needs: 'bidder',
  asked: ASKED_BY_APPROVE,
  read: (value) => approveValue.read(value),
  place: async ({ job }, { services: { store, team } }) =>
    (await store.read((tx) => tx.get(jobs, jobKey(team, job))))?.channel,
  async run(call) {
    await approve(call);
    return 'drawn';
  },
});

type Templated = NonNullable<ReturnType<typeof templateValue.read>>;
type Claimed = NonNullable<ReturnType<typeof claimValue.read>>;

/** The card's channel, where there is such a card. */
async function placeOfClaim(claimed: Claimed, { store, team }: Services): Promise<ChannelId | undefined> {
  const { channel } = claimed;
  const card = await store.read(async (tx) =>
    'project' in claimed
      ? tx.get(cards, cardKey(team, channel, claimed.project))
      : tx.get(invitationCards, invitationCardKey(team, channel, claimed.uid)),
  );
  return card?.channel;
}

function releaseClaim({ services, channel, person }: ActionCall, claimed: Claimed): Promise<ClaimOutcome> {
  return 'project' in claimed
    ? services.feed.release(channel, claimed.project, person.user, false)
    : releaseInvitation(services, channel, claimed.uid, person.user, false);
}

/** One's own alone; the card in the channel tells it. */
const release = homeAction({
  id: actionIds.homeRelease,
  needs: 'viewer',
  read: (value) => claimValue.read(value),
  place: (claimed, { services }) => placeOfClaim(claimed, services),
  async run(call, claimed) {
    const outcome = await releaseClaim(call, claimed);
    if (outcome.kind === 'held') await call.answer(heldMessage(outcome.by, outcome.at));
    else if (outcome.kind !== 'released') await call.answer({ text: HOME_OUTDATED });
    return 'drawn';
  },
});

function readDraftId(value: string): DraftId | undefined {
  return DraftId.safeParse(value).data;
}

/** The channel of a draft that is this person's. */
const placeOfBidDraft = async (
  draft: DraftId,
  { services: { store, team }, user }: { readonly services: Services; readonly user: UserId },
) => (await store.read((tx) => readDraft(tx, { team, user }, draft)))?.channel;

const resumeBid = homeAction({
  id: actionIds.homeBidResume,
  needs: 'bidder',
  read: readDraftId,
  place: placeOfBidDraft,
  async run(call, id) {
    const { services, person } = call;
    const owner = { team: services.team, user: person.user };
    const isOpen = await openBid(call, async (tx) => {
      const draft = await readDraft(tx, owner, id);
      return draft && subjectOf(tx, spotOf(call), draft);
    });
    if (!isOpen) await call.answer({ text: HOME_OUTDATED });
    return 'left';
  },
});

const discardBid = homeAction({
  id: actionIds.homeBidDiscard,
  needs: 'viewer',
  read: readDraftId,
  place: placeOfBidDraft,
  async run(call, id) {
    const { team, store } = call.services;
    await store.transact((tx) => tx.delete(bidDrafts, draftKey(team, call.person.user, id)));
    await call.answer({ text: DRAFT_DISCARDED });
    return 'drawn';
  },
});

/** The draft is found under the person's own id; the channel gives nobody anything: their role there decides. */
const ofTemplate = {
  needs: 'bidder' as const,
  read: (value: string) => templateValue.read(value),
  place: async ({ channel }: Templated, { user }: { readonly user: UserId }) =>
    channel ?? ChannelId.parse(user),
};

const resumeTemplate = homeAction({
  ...ofTemplate,
  id: actionIds.homeTemplateResume,
  async run(call, { draft }) {
    const { services, person } = call;
    const found = await services.templates.drafts.read({ user: person.user, draft });
    if (!found) await call.answer({ text: DRAFT_GONE_ALREADY });
    else await openTemplate(call, found);
    return 'left';
  },
});

const discardTemplate = homeAction({
  ...ofTemplate,
  id: actionIds.homeTemplateDiscard,
  async run(call, { draft }) {
    const { services, person } = call;
    const done = await services.templates.drafts.discard({ user: person.user, draft });
    const text =
      done.kind === 'discarded'
        ? `:wastebasket: ${discardedText(done.draft)}`
        : done.kind === 'closed'
          ? DRAFT_BEING_SENT
          : DRAFT_GONE_ALREADY;
    await call.answer({ text });
    return 'drawn';
  },
});

export const homeWorkActions: readonly ActionRoute[] = [
  approveJob,
  release,
  resumeBid,
  discardBid,
  resumeTemplate,
  discardTemplate,
];
