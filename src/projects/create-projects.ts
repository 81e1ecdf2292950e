/** Buys projects; see projects.ts for the contract. */
import { MIN_PROJECTS_PAGE_SIZE } from '../credits/credits.ts';
import type { FilterId, MonitoringResultId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import { cacheListings } from './lookup-cache.ts';
import { makePurchase } from './make-purchase.ts';
import { createProjectLookup } from './project-lookup.ts';
import type {
  Buyer,
  FilterResultsOutcome,
  ProjectService,
  ProjectsContext,
  ResultProjectsOutcome,
} from './projects.ts';

/** Pages for people are small and all of one size, so page 2 follows page 1. */
const PAGE = MIN_PROJECTS_PAGE_SIZE;
const RESULTS_PAGE = 10;

export function createProjectService(context: ProjectsContext): ProjectService {
  const lookUp = createProjectLookup(context);
  return {
    lookUp,
    listFilterResults: (filter, page) => readResults(context, filter, page),
    buyResultProjects: (buyer, result, page) => buyResultProjects(context, buyer, result, page),
  };
}

async function readResults(
  { marketplace }: ProjectsContext,
  filter: FilterId,
  page: number,
): Promise<FilterResultsOutcome> {
  try {
    const found = await marketplace.fetchFilterResults(
      filter,
      { page, limit: RESULTS_PAGE },
      { lane: 'person' },
    );
    return { kind: 'found', page: found };
  } catch (error) {
    if (error instanceof MarketplaceError) return { kind: 'failed', error };
    throw error;
  }
}

async function buyResultProjects(
  context: ProjectsContext,
  buyer: Buyer,
  result: MonitoringResultId,
  page: number,
): Promise<ResultProjectsOutcome> {
  const { team, clock, marketplace } = context;
  const buyPage = () => {
    const amount = marketplace.fixedPageSize({ result }) ?? PAGE;
    return makePurchase(context, {
      buyer,
      lane: 'person',
      purchase: { endpoint: 'result-projects', subject: String(result) },
      amount,
      callMarketplace: () =>
        marketplace.fetchResultProjects(result, { page, limit: amount }, { lane: 'person' }),
      recordPurchase: (tx, answer) => cacheListings(tx, team, answer.projects, clock.now()),
    });
  };
  const first = await buyPage();
  const isTooNarrow = first.kind === 'failed' && first.error.details.limitRefused === true;
  const bought = isTooNarrow ? await buyPage() : first;
  if (bought.kind !== 'bought') return bought;
  const { projects, unreadable, paging } = bought.answer;
  return { kind: 'found', projects, unreadable, paging, ...bought.cost };
}
