/** Buying projects for a person; see purchases.ts for the contract. */
import { SMALLEST_PAGE } from '../credits/book.ts';
import type { FilterId, ResultId } from '../ids.ts';
import type { ProjectReference } from '../marketplace/client.ts';
import { MarketplaceError } from '../marketplace/errors.ts';
import { buy } from './buy.ts';
import type { ProjectsContext } from './context.ts';
import { keepListings } from './listings.ts';
import { findLookup, keepLookup } from './lookups.ts';
import type { Buyer, LookupOutcome, Projects, ResultProjectsOutcome, ResultsOutcome } from './purchases.ts';

/** Pages that a person turns are small, and all of one size, so that page 2 follows page 1. */
const PAGE = SMALLEST_PAGE;
const RESULTS_PAGE = 10;

export function createProjects(context: ProjectsContext): Projects {
  const flights = new Map<string, Promise<LookupOutcome>>();

  /** Joins a lookup of the same project that is under way; what only its channel lacked is no answer to another's. */
  async function lookUp(buyer: Buyer, project: ProjectReference): Promise<LookupOutcome> {
    const reference = 'ciphertext' in project ? project.ciphertext : project.uid;
    for (let flight = flights.get(reference); flight; flight = flights.get(reference)) {
      const outcome = await flight;
      if (outcome.kind === 'found') return { kind: 'found', project: outcome.project, charged: 0 };
      if (outcome.kind !== 'no-budget') return outcome;
    }
    const flight = fetchProject(context, buyer, project, reference).finally(() => flights.delete(reference));
    flights.set(reference, flight);
    return flight;
  }

  return {
    lookUp,
    results: (filter, page) => readResults(context, filter, page),
    resultProjects: (buyer, result, page) => buyResultProjects(context, buyer, result, page),
  };
}

async function fetchProject(
  context: ProjectsContext,
  buyer: Buyer,
  project: ProjectReference,
  reference: string,
): Promise<LookupOutcome> {
  const { store, team, clock, marketplace } = context;
  const known = await store.read((tx) => findLookup(tx, team, reference, clock.now()));
  if (known) return { kind: 'found', project: known, charged: 0 };
  const bought = await buy(context, {
    buyer,
    purchase: { endpoint: 'lookup', subject: reference },
    amount: 1,
    call: () => marketplace.lookup(project, { lane: 'person' }),
    keep: (tx, answer) => keepLookup(tx, team, reference, answer.project, clock.now()),
  });
  if (bought.kind !== 'bought') return bought;
  return { kind: 'found', project: bought.answer.project, ...bought.cost };
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
  const { team, clock } = context;
  const bought = await buy(context, {
    buyer,
    purchase: { endpoint: 'result-projects', subject: String(result) },
    amount: PAGE,
    call: () => context.marketplace.resultProjects(result, { page, limit: PAGE }, { lane: 'person' }),
    keep: (tx, answer) => keepListings(tx, team, answer.projects, clock.now()),
  });
  if (bought.kind !== 'bought') return bought;
  const { projects, unreadable, paging } = bought.answer;
  return { kind: 'found', projects, unreadable, paging, ...bought.cost };
}
