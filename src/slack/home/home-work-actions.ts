/** Home tab actions: review a job for approval, release the person's claim, resume or discard drafts. */
import { deleteBidDraft, readBidDraft } from '../../bidding/bid-drafts.ts';
import { readBid, readJob } from '../../bidding/project-bidding.ts';
import { readCard } from '../../feed/find-project.ts';
import { BidId, ChannelId, DraftId, type UserId } from '../../ids.ts';
import { readInvitationCard, releaseInvitationClaim } from '../../invitations/invitations.ts';
import {
  createApprovalViews,
  findHeldOrder,
  HOME_APPROVAL_VIEWS,
  openBidCheck,
  openBidModal,
  openHeldReview,
  openReview,
  readBidProjectInfo,
  toCallOrigin,
} from '../bids/bids.ts';
import { projectAlreadyClaimedMessage } from '../cards/cards.ts';
import type { ActionRoute, Services } from '../core/routes.ts';
import { heldOrderValueCodec, parseJobId } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import {
  DRAFT_BEING_SENT,
  DRAFT_GONE_ALREADY,
  openTemplateBuilder,
  templateDraftDiscardedText,
} from '../templates/templates.ts';
import { createHomeAction, DRAFT_DISCARDED, HOME_ITEM_OUTDATED_NOTICE } from './create-home-action.ts';
import { homeClaimValueCodec, homeTemplateValueCodec } from './home-facts.ts';
import { publishHomeAfterPress } from './show-home.ts';

const reviewJob = createHomeAction({
  id: actionIds.homeReview,
  needs: 'bidder',
  parseValue: (value) => parseJobId(value),
  findChannel: async (job, { services: { store } }) => (await store.read((tx) => readJob(tx, job)))?.channel,
  async run(call, job) {
    await openReview(call, job);
    return 'left';
  },
});

const reviewHeld = createHomeAction({
  id: actionIds.homeHeldReview,
  needs: 'bidder',
  parseValue: (value) => heldOrderValueCodec.read(value),
  findChannel: async (pressed, { services }) => (await findHeldOrder(services, pressed))?.channel,
  async run(call) {
    await openHeldReview(call);
    return 'left';
  },
});

/** Redraws the tab after a decision. */
export const homeApprovalViews = createApprovalViews(HOME_APPROVAL_VIEWS, ({ services, person }) =>
  publishHomeAfterPress(services, person.user, undefined),
);

type Templated = NonNullable<ReturnType<typeof homeTemplateValueCodec.read>>;
type Claimed = NonNullable<ReturnType<typeof homeClaimValueCodec.read>>;

async function placeOfClaim(claimed: Claimed, { store }: Services): Promise<ChannelId | undefined> {
  const { channel } = claimed;
  const card = await store.read(async (tx) =>
    'project' in claimed
      ? readCard(tx, channel, claimed.project)
      : readInvitationCard(tx, channel, claimed.uid),
  );
  return card?.channel;
}

/** Releases only the person's own claim; the channel's card shows it. */
const release = createHomeAction({
  id: actionIds.homeRelease,
  needs: 'viewer',
  parseValue: (value) => homeClaimValueCodec.read(value),
  findChannel: (claimed, { services }) => placeOfClaim(claimed, services),
  async run(call, claimed) {
    const outcome = await ('project' in claimed
      ? call.services.feed.releaseProjectClaim(call.channel, claimed.project, call.person.user, false)
      : releaseInvitationClaim(call.services, call.channel, claimed.uid, call.person.user, false));
    if (outcome.kind === 'held') await call.answer(projectAlreadyClaimedMessage(outcome.by, outcome.at));
    else if (outcome.kind !== 'released') await call.answer({ text: HOME_ITEM_OUTDATED_NOTICE });
    return 'drawn';
  },
});

function readDraftId(value: string): DraftId | undefined {
  return DraftId.safeParse(value).data;
}

const placeOfBidDraft = async (
  draft: DraftId,
  { services: { store }, user }: { readonly services: Services; readonly user: UserId },
) => (await store.read((tx) => readBidDraft(tx, { user }, draft)))?.channel;

const checkBid = createHomeAction({
  id: actionIds.homeBidCheck,
  needs: 'bidder',
  parseValue: (value) => BidId.safeParse(value).data,
  findChannel: async (id, { services: { store } }) => (await store.read((tx) => readBid(tx, id)))?.channel,
  async run(call, id) {
    const { store } = call.services;
    const bid = await store.read((tx) => readBid(tx, id));
    if (bid) await openBidCheck(call, bid);
    return 'drawn';
  },
});

const resumeBid = createHomeAction({
  id: actionIds.homeBidResume,
  needs: 'bidder',
  parseValue: readDraftId,
  findChannel: placeOfBidDraft,
  async run(call, id) {
    const owner = { user: call.person.user };
    const isOpen = await openBidModal(call, async (tx) => {
      const draft = await readBidDraft(tx, owner, id);
      return draft && readBidProjectInfo(tx, toCallOrigin(call), draft);
    });
    if (!isOpen) await call.answer({ text: HOME_ITEM_OUTDATED_NOTICE });
    return 'left';
  },
});

const discardBid = createHomeAction({
  id: actionIds.homeBidDiscard,
  needs: 'viewer',
  parseValue: readDraftId,
  findChannel: placeOfBidDraft,
  async run(call, id) {
    const { store } = call.services;
    await store.transact((tx) => deleteBidDraft(tx, { user: call.person.user }, id));
    await call.answer({ text: DRAFT_DISCARDED });
    return 'drawn';
  },
});

/** The draft must be the person's own. The channel grants nothing: their role there decides. */
const ofTemplate = {
  needs: 'bidder' as const,
  parseValue: (value: string) => homeTemplateValueCodec.read(value),
  findChannel: async ({ channel }: Templated, { user }: { readonly user: UserId }) =>
    channel ?? ChannelId.parse(user),
};

const resumeTemplate = createHomeAction({
  ...ofTemplate,
  id: actionIds.homeTemplateResume,
  async run(call, { draft }) {
    const { services, person } = call;
    const found = await services.templates.drafts.read({ user: person.user, draft });
    if (!found) await call.answer({ text: DRAFT_GONE_ALREADY });
    else await openTemplateBuilder(call, found);
    return 'left';
  },
});

const discardTemplate = createHomeAction({
  ...ofTemplate,
  id: actionIds.homeTemplateDiscard,
  async run(call, { draft }) {
    const { services, person } = call;
    const done = await services.templates.drafts.discard({ user: person.user, draft });
    const text =
      done.kind === 'discarded'
        ? `:wastebasket: ${templateDraftDiscardedText(done.draft)}`
        : done.kind === 'closed'
          ? DRAFT_BEING_SENT
          : DRAFT_GONE_ALREADY;
    await call.answer({ text });
    return 'drawn';
  },
});

export const homeWorkActions: readonly ActionRoute[] = [
  reviewJob,
  reviewHeld,
  release,
  checkBid,
  resumeBid,
  discardBid,
  resumeTemplate,
  discardTemplate,
];
