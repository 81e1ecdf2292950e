/** Starts the simulated marketplace. */
import { dateToTell, startHttpServer } from '../http.ts';
import { startArrivals } from './arrivals.ts';
import { FaultDesk } from './fault-desk.ts';
import { USUAL } from './faults.ts';
import { RequestLog } from './request-log.ts';
import { publishedProjects, seedsOf } from './seeding.ts';
import { serveMarketplace } from './serve.ts';
import type {
  AccountRules,
  Arrivals,
  Books,
  MarketplaceOptions,
  SimulatedMarketplace,
} from './simulated-marketplace.ts';
import { createWorld, startAnew, type World } from './world.ts';

const MADE_UP_TOKEN = 'simulated-marketplace-token';

function rulesOf(world: World): AccountRules {
  return {
    setRequestsPerMinute: (limit) => {
      world.window.limit = limit;
    },
    requestsPerMinute: () => world.window.limit,
    creditsPerPeriod: () => world.account.perPeriod(),
    setCredits: (remaining) => world.account.setRemaining(remaining),
    topUp: (credits) => world.account.topUp(credits),
    spendOutside: (credits) => world.account.spendOutside(credits),
    creditsRemaining: () => world.account.remaining(),
    creditsResetAt: () => world.account.resetsAt(),
    setInactive: (inactive) => {
      world.account.inactive = inactive;
    },
    setPlan: (plan) => {
      world.account.plan = plan;
    },
  };
}

function booksOf(world: World, log: RequestLog): Books {
  return {
    requests: () => log.all(),
    busiestMinute: () => log.busiestMinute(),
    consumed: () => world.account.consumed(),
    chargedProjects: () => world.account.charges(),
    jobs: () => world.jobs.all(),
    templates: () => world.templates.all(),
    proposals: () => world.proposals.all(),
    projects: () => publishedProjects(world),
    filters: () => world.filters.all(),
  };
}

/** Listens on the loopback and holds to docs/marketplace-api.md; `coverage.ts` says where it had to choose. */
export async function startMarketplace(options: MarketplaceOptions): Promise<SimulatedMarketplace> {
  const token = options.token ?? MADE_UP_TOKEN;
  const world = createWorld(options);
  const desk = new FaultDesk(options.clock);
  const log = new RequestLog();
  const streams = new Set<Arrivals>();
  const server = await startHttpServer((exchange) => serveMarketplace(world, token, desk, log, exchange), {
    ...(options.port === undefined ? {} : { port: options.port }),
    date: () => dateToTell(options.clock, world.modes.dateAhead),
  });
  const seeds = seedsOf(world);
  const clearFaults = () => {
    world.modes = USUAL;
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
      const stream = startArrivals(world, seeds, plan);
      streams.add(stream);
      return stream;
    },
    fault: (matcher, effect, times = 1) => desk.order(matcher, effect, times),
    setModes: (modes) => {
      world.modes = { ...world.modes, ...modes };
    },
    clearFaults,
    dropConnections: () => server.dropConnections(),
    reset: () => {
      stopArrivals();
      clearFaults();
      log.clear();
      startAnew(world, options);
    },
    close: async () => {
      stopArrivals();
      await server.close();
      clearFaults();
    },
  };
}
