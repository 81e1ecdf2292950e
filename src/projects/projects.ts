/** Buys projects for a person: one in full, or those of a monitoring result. */
import { MIN_PROJECTS_PAGE_SIZE } from '../credits/credits.ts';
import type { FilterId, MonitoringResultId } from '../ids.ts';
import type { RecordPage } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import type { ListedProject, MonitoringResult, Paging } from '../marketplace/schema.ts';
import { cacheListings } from './lookup-cache.ts';
import {
  type Buyer,
  makePurchase,
  type ProjectsContext,
  type PurchaseCost,
  type PurchaseFailure,
} from './make-purchase.ts';
import { createProjectLookup } from './project-lookup.ts';

export type { PurchaseCost, PurchaseFailure } from './make-purchase.ts';
export type { LookupOutcome } from './project-lookup.ts';

export type ResultProjectsOutcome =
  | ({
      readonly kind: 'found';
      readonly projects: readonly ListedProject[];
      readonly unreadable: number;
      readonly paging: Paging;
    } & PurchaseCost)
  | PurchaseFailure;

export type FilterResultsOutcome =
  | { readonly kind: 'found'; readonly page: RecordPage<MonitoringResult> }
  | { readonly kind: 'failed'; readonly error: MarketplaceError };

/** Pages for people are small and all of one size, so page 2 follows page 1. */
const PAGE = MIN_PROJECTS_PAGE_SIZE;
const RESULTS_PAGE = 10;

export type ProjectService = ReturnType<typeof createProjectService>;

export function createProjectService(context: ProjectsContext) {
  return {
    lookUp: createProjectLookup(context),
    listFilterResults: readResults.bind(null, context),
    buyResultProjects: buyResultProjects.bind(null, context),
  };
}

/** Monitoring results of a filter; free. */
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

/**
 * A page of a result's projects. Reserves a whole page (10) of the channel's budget and pays for new ones.
 */
async function buyResultProjects(
  context: ProjectsContext,
  buyer: Buyer,
  result: MonitoringResultId,
  page: number,
): Promise<ResultProjectsOutcome> {
  const { clock, marketplace } = context;
  const buyPage = () => {
    const amount = marketplace.fixedPageSize({ result }) ?? PAGE;
    return makePurchase(context, {
      buyer,
      lane: 'person',
      purchase: { endpoint: 'result-projects', subject: String(result) },
      amount,
      callMarketplace: () =>
        marketplace.fetchResultProjects(result, { page, limit: amount }, { lane: 'person' }),
      recordPurchase: (tx, answer) => cacheListings(tx, answer.projects, clock.now()),
    });
  };
  const first = await buyPage();
  const isTooNarrow = first.kind === 'failed' && first.error.details.limitRefused === true;
  const bought = isTooNarrow ? await buyPage() : first;
  if (bought.kind !== 'bought') return bought;
  const { projects, unreadable, paging } = bought.answer;
  return { kind: 'found', projects, unreadable, paging, ...bought.cost };
}
