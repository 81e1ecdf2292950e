/** Starts the simulated marketplace. */
import { skewedDateHeaderTime, startLocalHttpServer } from '../http.ts';
import { startProjectArrivals } from './arrivals.ts';
import { MarketplaceFaultQueue } from './fault-queue.ts';
import { DEFAULT_MARKETPLACE_MODES } from './faults.ts';
import { createMarketplaceState, type MarketplaceState, resetMarketplaceState } from './marketplace-state.ts';
import { RequestLog } from './request-log.ts';
import { createSeeder, listProjectsWithFilterIds } from './seeding.ts';
import { serveMarketplaceRequest } from './serve-request.ts';
import type {
  AccountControls,
  MarketplaceInspection,
  MarketplaceOptions,
  SimulatedMarketplace,
  StoppableStream,
} from './simulated-marketplace.ts';

const MADE_UP_TOKEN = 'simulated-marketplace-token';

function rulesOf(world: MarketplaceState): AccountControls {
  return {
    setRequestsPerMinute: (limit) => {
      world.window.limit = limit;
    },
    requestsPerMinute: () => world.window.limit,
    creditsPerPeriod: () => world.account.creditsPerPeriod(),
    setCredits: (remaining) => world.account.setRemainingCredits(remaining),
    topUpCredits: (credits) => world.account.topUpCredits(credits),
    spendCreditsElsewhere: (credits) => world.account.spendCreditsElsewhere(credits),
    creditsRemaining: () => world.account.remainingCredits(),
    creditsResetAt: () => world.account.resetsAt(),
    setInactive: (inactive) => {
      world.account.inactive = inactive;
    },
    setPlan: (plan) => {
      world.account.plan = plan;
    },
  };
}

function booksOf(world: MarketplaceState, log: RequestLog): MarketplaceInspection {
  return {
    requests: () => log.listRequests(),
    maxRequestsInAnyMinute: () => log.maxRequestsInAnyMinute(),
    consumedCredits: () => world.account.consumed(),
    chargedProjects: () => world.account.listCharges(),
    jobs: () => world.jobs.all(),
    templates: () => world.templates.all(),
    proposals: () => world.proposals.all(),
    projects: () => listProjectsWithFilterIds(world),
    filters: () => world.filters.all(),
  };
}

/** Listens on the loopback and follows docs/marketplace-api.md; `coverage.ts` lists what it had to choose. */
export async function startSimulatedMarketplace(options: MarketplaceOptions): Promise<SimulatedMarketplace> {
  const token = options.token ?? MADE_UP_TOKEN;
  const world = createMarketplaceState(options);
  const desk = new MarketplaceFaultQueue(options.clock);
  const log = new RequestLog();
  const streams = new Set<StoppableStream>();
  const server = await startLocalHttpServer(
    (exchange) => serveMarketplaceRequest(world, token, desk, log, exchange),
    {
      ...(options.port === undefined ? {} : { port: options.port }),
      date: () => skewedDateHeaderTime(options.clock, world.modes.dateAhead),
    },
  );
  const seeds = createSeeder(world);
  const clearFaults = () => {
    world.modes = DEFAULT_MARKETPLACE_MODES;
    desk.clear();
  };
  const stopArrivals = () => {
    for (const stream of streams) stream.stop();
    streams.clear();
  };
  return {
    baseUrl: `${server.origin}/v1`,
    token,
    ...seeds,
    ...rulesOf(world),
    ...booksOf(world, log),
    startArrivals: (plan) => {
      const stream = startProjectArrivals(world, seeds, plan);
      streams.add(stream);
      return stream;
    },
    injectFault: (matcher, effect, times = 1) => desk.addFault(matcher, effect, times),
    setModes: (modes) => {
      world.modes = { ...world.modes, ...modes };
    },
    clearFaults,
    dropConnections: () => server.dropConnections(),
    reset: () => {
      stopArrivals();
      clearFaults();
      log.clear();
      resetMarketplaceState(world, options);
    },
    close: async () => {
      stopArrivals();
      await server.close();
      clearFaults();
    },
  };
}
