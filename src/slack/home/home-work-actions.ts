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
import { createHomeAction, HOME_ITEM_OUTDATED_NOTICE } from './create-home-action.ts';
import { homeClaimValueCodec, homeTemplateValueCodec } from './home-facts.ts';
import { publishHomeAfterPress } from './show-home.ts';

/** Redraws the tab after a decision. */
export const homeApprovalViews = createApprovalViews(HOME_APPROVAL_VIEWS, ({ services, person }) =>
  publishHomeAfterPress(services, person.user),
);

const ofBidDraft = {
  parseValue: (value: string) => DraftId.safeParse(value).data,
  findChannel: async (
    draft: DraftId,
    { services: { store }, user }: { readonly services: Services; readonly user: UserId },
  ) => (await store.read((tx) => readBidDraft(tx, { user }, draft)))?.channel,
};

/** The draft must be the person's own. The channel grants nothing: their role there decides. */
const ofTemplate = {
  needs: 'bidder' as const,
  parseValue: (value: string) => homeTemplateValueCodec.read(value),
  findChannel: async (
    { channel }: { channel?: ChannelId | undefined },
    { user }: { readonly user: UserId },
  ) => channel ?? ChannelId.parse(user),
};

export const homeWorkActions: readonly ActionRoute[] = [
  createHomeAction({
    id: actionIds.homeReview,
    needs: 'bidder',
    parseValue: (value) => parseJobId(value),
    findChannel: async (job, { services: { store } }) =>
      (await store.read((tx) => readJob(tx, job)))?.channel,
    run: openReview,
  }),
  createHomeAction({
    id: actionIds.homeHeldReview,
    needs: 'bidder',
    parseValue: (value) => heldOrderValueCodec.read(value),
    findChannel: async (pressed, { services }) => (await findHeldOrder(services, pressed))?.channel,
    run: openHeldReview,
  }),
  // Only the person's own claim; the channel's card shows it.
  createHomeAction({
    id: actionIds.homeRelease,
    needs: 'viewer',
    parseValue: (value) => homeClaimValueCodec.read(value),
    async findChannel(claimed, { services: { store } }) {
      const { channel } = claimed;
      const card = await store.read(async (tx) =>
        'project' in claimed
          ? readCard(tx, channel, claimed.project)
          : readInvitationCard(tx, channel, claimed.uid),
      );
      return card?.channel;
    },
    redraws: true,
    async run(call, claimed) {
      const outcome = await ('project' in claimed
        ? call.services.feed.releaseProjectClaim(call.channel, claimed.project, call.person.user, false)
        : releaseInvitationClaim(call.services, call.channel, claimed.uid, call.person.user, false));
      if (outcome.kind === 'held') await call.answer(projectAlreadyClaimedMessage(outcome.by, outcome.at));
      else if (outcome.kind !== 'released') await call.answer({ text: HOME_ITEM_OUTDATED_NOTICE });
    },
  }),
  createHomeAction({
    id: actionIds.homeBidCheck,
    needs: 'bidder',
    parseValue: (value) => BidId.safeParse(value).data,
    findChannel: async (id, { services: { store } }) => (await store.read((tx) => readBid(tx, id)))?.channel,
    redraws: true,
    async run(call, id) {
      const { store } = call.services;
      const bid = await store.read((tx) => readBid(tx, id));
      if (bid) await openBidCheck(call, bid);
    },
  }),
  createHomeAction({
    id: actionIds.homeBidResume,
    needs: 'bidder',
    ...ofBidDraft,
    async run(call, id) {
      const owner = { user: call.person.user };
      const isOpen = await openBidModal(call, async (tx) => {
        const draft = await readBidDraft(tx, owner, id);
        return draft && readBidProjectInfo(tx, toCallOrigin(call), draft);
      });
      if (!isOpen) await call.answer({ text: HOME_ITEM_OUTDATED_NOTICE });
    },
  }),
  createHomeAction({
    id: actionIds.homeBidDiscard,
    needs: 'viewer',
    ...ofBidDraft,
    redraws: true,
    async run(call, id) {
      const { store } = call.services;
      await store.transact((tx) => deleteBidDraft(tx, { user: call.person.user }, id));
      await call.answer({ text: ':wastebasket: Draft discarded.' });
    },
  }),
  createHomeAction({
    ...ofTemplate,
    id: actionIds.homeTemplateResume,
    async run(call, { draft }) {
      const { services, person } = call;
      const found = await services.templates.drafts.read({ user: person.user, draft });
      if (!found) await call.answer({ text: DRAFT_GONE_ALREADY });
      else await openTemplateBuilder(call, found);
    },
  }),
  createHomeAction({
    ...ofTemplate,
    id: actionIds.homeTemplateDiscard,
    redraws: true,
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
    },
  }),
];
