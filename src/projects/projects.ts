/** Buying projects; see purchases.ts for the contract. */
import { SMALLEST_PAGE } from '../credits/book.ts';
import type { FilterId, ResultId } from '../ids.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import { buy } from './buy.ts';
import type { ProjectsContext } from './context.ts';
import { keepListings } from './listings.ts';
import { createLookup } from './look-up.ts';
import type { Buyer, Projects, ResultProjectsOutcome, ResultsOutcome } from './purchases.ts';

/** Pages that a person turns are small, and all of one size, so that page 2 follows page 1. */
const PAGE = SMALLEST_PAGE;
const RESULTS_PAGE = 10;

export function createProjects(context: ProjectsContext): Projects {
  const lookUp = createLookup(context);
  return {
    lookUp,
    results: (filter, page) => readResults(context, filter, page),
    resultProjects: (buyer, result, page) => buyResultProjects(context, buyer, result, page),
  };
}

async function readResults(
  { marketplace }: ProjectsContext,
  filter: FilterId,
  page: number,
): Promise<ResultsOutcome> {
  try {
    const found = await marketplace.filterResults(filter, { page, limit: RESULTS_PAGE }, { lane: 'person' });
    return { kind: 'found', page: found };
  } catch (error) {
    if (error instanceof MarketplaceError) return { kind: 'failed', error };
    throw error;
  }
}

async function buyResultProjects(
  context: ProjectsContext,
  buyer: Buyer,
  result: ResultId,
  page: number,
): Promise<ResultProjectsOutcome> {
  const { team, clock, marketplace } = context;
  const buyPage = () => {
    const amount = marketplace.fixedPage({ result }) ?? PAGE;
    return buy(context, {
      buyer,
      lane: 'person',
      purchase: { endpoint: 'result-projects', subject: String(result) },
      amount,
      call: () => marketplace.resultProjects(result, { page, limit: amount }, { lane: 'person' }),
      keep: (tx, answer) => keepListings(tx, team, answer.projects, clock.now()),
    });
  };
  const first = await buyPage();
  const isTooNarrow = first.kind === 'failed' && first.error.details.limitRefused === true;
  const bought = isTooNarrow ? await buyPage() : first;
  if (bought.kind !== 'bought') return bought;
  const { projects, unreadable, paging } = bought.answer;
  return { kind: 'found', projects, unreadable, paging, ...bought.cost };
}
