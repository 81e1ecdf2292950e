/** A desk with scripted bidding and setups that record their calls. */
import type { JobApprovalResult, JobRefreshResult } from '../../../src/bidding/bidding.ts';
import type { BiddingService } from '../../../src/bidding/create-bidding.ts';
import { bidKey, bids, type Job, jobKey, jobs } from '../../../src/bidding/records.ts';
import { seenProjectKey, seenProjects } from '../../../src/feed/records.ts';
import type { JobId } from '../../../src/ids.ts';
import type { ListedProject } from '../../../src/marketplace/schema.ts';
import type { SetupList, SetupService } from '../../../src/setups/setups.ts';
import type { ActionRoute, CommandRoute, Services } from '../../../src/slack/core/routes.ts';
import { startDesk } from '../fakes.ts';
import { BEN, NOW, REACT, TEAM } from '../samples.ts';
import { bid } from './bidding-samples.ts';

function never(what: string): () => Promise<never> {
  return () => Promise.reject(new Error(`${what} was not expected`));
}

type Orders = Parameters<BiddingService['approveJob']>[0];

export function startJobDesk() {
  const desk = startDesk();
  const { store } = desk.services;
  const state = {
    looks: [] as JobId[],
    look: undefined as JobRefreshResult | undefined,
    orders: [] as Orders[],
    approve: undefined as JobApprovalResult | undefined,
    asked: [] as { readonly maxAgeMs: number; readonly lane: string }[],
    known: { setups: [] } as SetupList,
    /** Thrown in place of the setups. */
    failure: undefined as Error | undefined,
  };
  const bidding: BiddingService = {
    runJobTracking: never('run'),
    submitBid: never('bid'),
    checkBidEvidence: never('check'),
    rejectApproval: never('reject'),
    askForApproval: never('ask again'),
    recordConnectsPrice: never('record a price'),
    stopHeldOrder: never('cancel'),
    approveHeldOrder: never('second approval'),
    async refreshJob(id) {
      state.looks.push(id);
      return state.look ?? never('look')();
    },
    async approveJob(order) {
      state.orders.push(order);
      return state.approve ?? never('approve')();
    },
  };
  const setups: SetupService = {
    readStoredSetups: async () => state.known,
    async refreshIfOlderThan(maxAgeMs, lane) {
      state.asked.push({ maxAgeMs, lane });
      if (state.failure) throw state.failure;
      return state.known;
    },
    fetchTemplate: never('template'),
    findKnownTemplate: () => undefined,
    onSetupsStored: () => undefined,
  };
  const services: Services = { ...desk.services, bidding, setups };

  return {
    state,
    /** Roles, and who is in which channel. */
    people: desk.state,
    proposals: desk.proposals,
    services,
    store,
    take: desk.take,
    async type(route: CommandRoute, args: string) {
      await route.run({ ...desk.command(args, BEN), services });
      return desk.take();
    },
    async press(route: ActionRoute | undefined, value: string) {
      if (!route) throw new Error('no such action');
      await route.run({ ...desk.press(value, undefined, BEN), services });
      return desk.take();
    },
    keep: (job: Job) => store.transact((tx) => tx.put(jobs, jobKey(TEAM, job.id), job)),
    keepBid: () => store.transact((tx) => tx.put(bids, bidKey(TEAM, bid().id), { ...bid(), by: BEN })),
    keepProject: (project: ListedProject) =>
      store.transact((tx) =>
        tx.put(seenProjects, seenProjectKey(TEAM, project.key), {
          team: TEAM,
          project,
          filters: [REACT.id],
          firstSeenAt: NOW,
        }),
      ),
  };
}

export type JobDesk = ReturnType<typeof startJobDesk>;
