/** A desk with the real bidding and setups, beside a scripted marketplace. */
import type { ModalView } from '@slack/types';
import { createBiddingService } from '../../../src/bidding/create-bidding.ts';
import { type BidDraft, bidDrafts } from '../../../src/bidding/draft-records.ts';
import { type Bid, bidKey, bids, type Job, jobKey, jobs } from '../../../src/bidding/records.ts';
import { cardKey, cards } from '../../../src/feed/records.ts';
import { JobId, type MessageTs, SetupId, UserId } from '../../../src/ids.ts';
import type { CreateJobRequest, MarketplaceClient } from '../../../src/marketplace/client.ts';
import type { BiddingSetup } from '../../../src/marketplace/schema.ts';
import { type PostContent, PostId } from '../../../src/outbox/posts.ts';
import { createSetupService } from '../../../src/setups/setups.ts';
import { bidFormActions } from '../../../src/slack/bids/bid-form-actions.ts';
import { bidCommand, openBidAction } from '../../../src/slack/bids/bid-open.ts';
import { bidView } from '../../../src/slack/bids/bid-submit.ts';
import type { PressedView, Services, ViewInputValue } from '../../../src/slack/core/routes.ts';
import { fakeMarketplace } from '../../fake-marketplace.ts';
import { plainTemplate } from '../../plain-template.ts';
import { seededRandom } from '../../seeded-random.ts';
import { addDelivered, startDesk } from '../fakes.ts';
import { expectHarmlessView, filledIn, viewWords } from '../kit/harmless-view.ts';
import { CHANNEL, listed, NOW, TEAM } from '../samples.ts';
import { NIGHT } from './bidding-samples.ts';

/** The pressing user; hostile samples mention a different one. */
export const CLEO = UserId.parse('U0CLEO');

export const DAY: BiddingSetup = { ...NIGHT, id: SetupId.parse(8), name: 'Day', status: 'paused' };

type Answers = Partial<Pick<MarketplaceClient, 'fetchBiddingSetups' | 'createJob' | 'fetchProposalTemplate'>>;

export function startBidDesk() {
  const desk = startDesk();
  const { store, clock } = desk.services;
  const state = {
    setups: [NIGHT, DAY] as readonly BiddingSetup[],
    setupsFail: undefined as Error | undefined,
    sender: 'agency',
    templateFails: undefined as Error | undefined,
    /** Creation requests to the marketplace. */
    created: [] as CreateJobRequest[],
    create: (async (request) => ({
      job: {
        id: JobId.parse(12),
        marketplaceJobId: request.marketplaceJobId,
        status: 'scheduled',
        scheduledAt: '2026-11-20T09:30:00Z',
        setup: request.setup,
        setupName: 'Night shift',
      },
    })) as MarketplaceClient['createJob'],
  };
  const answers: Answers = {
    fetchBiddingSetups: async () => {
      if (state.setupsFail) throw state.setupsFail;
      return state.setups;
    },
    createJob: (request, options) => {
      state.created.push(request);
      return state.create(request, options);
    },
    fetchProposalTemplate: async () => {
      if (state.templateFails) throw state.templateFails;
      return plainTemplate(3, { sender: { type: state.sender } });
    },
  };
  const { marketplace, calls } = fakeMarketplace(answers);
  const { log } = desk.services;
  const random = seededRandom(7);
  const setups = createSetupService({ team: TEAM, store, marketplace, clock, log });
  const bidding = createBiddingService({ team: TEAM, store, setups, marketplace, clock, random, log });
  const services: Services = { ...desk.services, setups, bidding, random };

  /** The view on the person's screen. */
  function screen(): ModalView {
    const last = desk.views.at(-1) ?? { view: undefined };
    if (!last.view) throw new Error('no modal is open');
    expectHarmlessView(last.view);
    return last.view;
  }

  function pressed(
    changes: Readonly<Record<string, ViewInputValue>>,
    more: Partial<PressedView>,
  ): PressedView {
    const view = screen();
    return {
      id: desk.views.at(-1)?.id ?? '',
      rootId: desk.views.at(-1)?.id ?? '',
      hash: 'hash',
      callbackId: view.callback_id ?? '',
      privateMetadata: view.private_metadata ?? '',
      values: filledIn(view, changes),
      ...more,
    };
  }

  function route(id: string) {
    const found = [openBidAction, ...bidFormActions].find((each) => each.id === id);
    if (!found) throw new Error(`no action ${id}`);
    return found;
  }

  return {
    desk,
    state,
    services,
    store,
    clock: desk.clock,
    calls,
    screen,
    words: () => viewWords(screen()),
    /** The person's other messages since the last call. */
    told: () => desk.take().map(({ message }) => message),
    pressed,
    /** Refreshes the stored setups. */
    knowSetups: () => setups.refreshIfOlderThan(0, 'person'),
    async press(id: string, value: string, on?: MessageTs, by: UserId = CLEO) {
      await route(id).run({ ...desk.press(value, on, by, 'bidder'), services });
    },
    /** Presses in the modal, with the input so far. */
    async pressIn(
      id: string,
      changes: Readonly<Record<string, ViewInputValue>> = {},
      more: Partial<PressedView> & { readonly value?: string; readonly by?: UserId } = {},
    ) {
      const { value = '', by = CLEO, ...rest } = more;
      const view = pressed(changes, rest);
      const channel = await route(id).findChannel?.({ user: by, view, services, value });
      await route(id).run({
        ...desk.press(value, undefined, by, 'bidder'),
        ...(channel ? { channel } : {}),
        services,
        view,
      });
      return channel;
    },
    /** Submits, applies the acknowledgement to the screen, and then does the work behind it. */
    async submit(
      changes: Readonly<Record<string, ViewInputValue>> = {},
      more: Partial<PressedView> & { readonly by?: UserId } = {},
    ) {
      const { by = CLEO, ...rest } = more;
      const view = pressed(changes, rest);
      const answer = await bidView.submit({ user: by, view, services });
      if (answer.kind === 'update') desk.views.push({ how: 'update', id: view.id, view: answer.view });
      const behind = async () => {
        const { channel, after: work } = answer;
        await work?.({
          ...desk.press('', undefined, by, 'bidder'),
          services,
          view,
          channel: channel ?? CHANNEL,
        });
      };
      return { answer, behind };
    },
    async close(changes: Readonly<Record<string, ViewInputValue>> = {}, more: Partial<PressedView> = {}) {
      await bidView.closed?.({ user: CLEO, view: pressed(changes, more), services });
    },
    async type(args: string, by: UserId = CLEO) {
      await bidCommand.run({ ...desk.command(args, by, 'bidder'), services });
    },
    drafts: async (): Promise<readonly BidDraft[]> =>
      (await store.read((tx) => tx.list(bidDrafts, { prefix: [TEAM], limit: 50 }))).map(({ value }) => value),
    keepBid: (bid: Bid, job?: Job) =>
      store.transact(async (tx) => {
        await tx.put(bids, bidKey(TEAM, bid.id), bid);
        if (job) await tx.put(jobs, jobKey(TEAM, job.id), job);
      }),
    storedBids: async (): Promise<readonly Bid[]> =>
      (await store.read((tx) => tx.list(bids, { prefix: [TEAM], limit: 50 }))).map(({ value }) => value),
    claim: (by: UserId) =>
      store.transact(async (tx) => {
        const key = cardKey(TEAM, CHANNEL, listed().key);
        const card = await tx.get(cards, key);
        if (card) await tx.put(cards, key, { ...card, claim: { by, at: NOW } });
      }),
    /** Puts a message into the channel as if delivered. */
    async addPost(id: string, ts: MessageTs, content: PostContent, more: { under?: string } = {}) {
      const under = more.under ? { under: PostId.parse(more.under) } : {};
      const post = { id: PostId.parse(id), content, ...under };
      await store.transact((tx) => addDelivered(tx, post, ts));
    },
  };
}

export type BidDesk = ReturnType<typeof startBidDesk>;

/** Blocks lookups from now on. @returns a function that releases them */
export function lookUpWaits({ desk }: BidDesk): () => void {
  const { projects } = desk.services;
  const lookUp = projects.lookUp.bind(projects);
  let found: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    found = resolve;
  });
  Object.assign(projects, {
    lookUp: (...asked: Parameters<typeof lookUp>) => waiting.then(() => lookUp(...asked)),
  });
  return () => found();
}
