/** The endpoints that return projects, and thus consume credits, and the free list of monitoring results. */
import { DAY, type Instant } from '../../clock.ts';
import type { EndpointRequest } from './endpoint-request.ts';
import {
  type EndpointResponse,
  errorResponse,
  okResponse,
  paginateByPageNumber,
} from './endpoint-response.ts';
import { getProjectsByIds, type MarketplaceState } from './marketplace-state.ts';
import { instantToApiTimestamp, listedProjectJson, lookedUpProjectJson, toIso } from './project-views.ts';
import { createQueryReader, readPageParams, refusedLimitProblem } from './read-query.ts';
import type { SimulatedProject } from './records.ts';

function newestFirst(a: SimulatedProject, b: SimulatedProject): number {
  return b.publishedAt - a.publishedAt || b.id - a.id;
}

const WRONG_ANSWERS = 0.2;
const WRONG_BY_DAYS = 40;

/** The end of the billing period, as the response names it. */
function namedReset({ account, clock, modes, random }: MarketplaceState): Instant {
  switch (modes.resetDate) {
    case 'fixed':
      return account.resetsAt();
    case 'rolling':
      return clock.now() + 30 * DAY;
    case 'sometimes-wrong': {
      const isWrong = random() < WRONG_ANSWERS;
      return account.resetsAt() + (isWrong ? Math.round((random() * 2 - 1) * WRONG_BY_DAYS * DAY) : 0);
    }
  }
}

/** Charges for these projects and returns `body` with the credits object, or 402 without charging. */
function charged(
  world: MarketplaceState,
  call: EndpointRequest,
  projects: readonly SimulatedProject[],
  limit: number,
  body: () => object,
): EndpointResponse {
  const widths = { charged: undefined, returned: projects.length, limit };
  const charge = world.account.chargeProjects(
    projects.map((project) => project.id),
    call.path,
    widths[world.modes.pageWidth],
  );
  const resetDate = toIso(namedReset(world));
  if (charge.kind === 'depleted') {
    return {
      status: 402,
      body: {
        error: 'Insufficient credits',
        message: `This request needs ${charge.needed} credits, ${charge.remaining} remaining.`,
        credits_needed: charge.needed,
        credits_remaining: charge.remaining,
        credits_reset_date: resetDate,
      },
    };
  }
  return okResponse({
    ...body(),
    credits: {
      remaining: world.account.remainingCredits(),
      reset_date: resetDate,
      new_projects_consumed: charge.consumed,
      total_projects_returned: projects.length,
    },
  });
}

interface CursorQuery {
  readonly limit: number;
  readonly cursor: number | undefined;
  readonly latest: number | undefined;
}

/** One page by timestamp cursor, with the cursor of the next page. */
function pageByCursor(world: MarketplaceState, projects: readonly SimulatedProject[], query: CursorQuery) {
  const { modes } = world;
  const ts = (project: SimulatedProject) => instantToApiTimestamp(world, project.publishedAt);
  const { latest, cursor, limit } = query;
  const wanted = projects
    .filter((project) => {
      if (latest === undefined || modes.ignoreLatestPublishedTs) return true;
      return modes.inclusiveLatestPublishedTs ? ts(project) >= latest : ts(project) > latest;
    })
    .sort((a, b) => (modes.oldestFirst ? newestFirst(b, a) : newestFirst(a, b)));
  const reached = (project: SimulatedProject) => {
    if (cursor === undefined) return true;
    const ahead = modes.oldestFirst ? ts(project) - cursor : cursor - ts(project);
    return modes.lossyCursor ? ahead > 0 : ahead >= 0;
  };
  const rest = wanted.filter(reached);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const next = rest[limit];
  const after = next && !modes.lossyCursor ? next : last;
  const frame = { total: wanted.length, limit, is_last: next === undefined };
  if (modes.silentMarks && page.length === 0) return { page, pagination: frame };
  return {
    page,
    pagination: {
      ...frame,
      next_cursor: after ? ts(after) : (cursor ?? 0),
      latest_published_ts: projects.reduce((newest, project) => Math.max(newest, ts(project)), 0),
    },
  };
}

/** The error for timestamps too far ahead, in the mode `refuseFarMarks`. */
function farMarkProblem(world: MarketplaceState, latest = 0): string | undefined {
  const isFar =
    world.modes.refuseFarMarks && latest > instantToApiTimestamp(world, world.clock.now() + 365 * DAY);
  return isFar ? 'latest_published_ts is out of range' : undefined;
}

/** `GET /filters/{id}/projects` */
export function handleListFilterProjects(world: MarketplaceState, call: EndpointRequest): EndpointResponse {
  const query = createQueryReader(call.query);
  const limit = query.integer('limit', { least: 10, most: 100 }) ?? 20;
  const cursor = query.integer('next_cursor');
  const latest = query.integer('latest_published_ts');
  const problem = refusedLimitProblem(world, call) ?? farMarkProblem(world, latest) ?? query.firstProblem();
  if (problem) return errorResponse(400, problem);
  const filter = world.filters.get(call.id);
  if (!filter) return errorResponse(404, 'Filter not found');
  const { page, pagination } = pageByCursor(world, getProjectsByIds(world, filter.projectIds), {
    limit,
    cursor,
    latest,
  });
  return charged(world, call, page, limit, () => ({
    data: page.map((project) => listedProjectJson(world, project, filter.id)),
    pagination,
  }));
}

/** `GET /results/{id}/projects` */
export function handleListResultProjects(world: MarketplaceState, call: EndpointRequest): EndpointResponse {
  const query = createQueryReader(call.query);
  const paging = readPageParams(query);
  const problem = refusedLimitProblem(world, call) ?? query.firstProblem();
  if (problem) return errorResponse(400, problem);
  const result = world.results.get(call.id);
  if (!result) return errorResponse(404, 'Result not found');
  const ordered = getProjectsByIds(world, result.projectIds).sort(newestFirst);
  const { items, pagination } = paginateByPageNumber(
    world.modes.oldestFirst ? ordered.reverse() : ordered,
    paging,
  );
  return charged(world, call, items, paging.limit, () => ({
    data: items.map((project) => listedProjectJson(world, project, result.filterId)),
    pagination,
  }));
}

/** `GET /filters/{id}/results`; newest first, no credits. */
export function handleListFilterResults(world: MarketplaceState, call: EndpointRequest): EndpointResponse {
  const query = createQueryReader(call.query);
  const paging = readPageParams(query);
  const problem = refusedLimitProblem(world, call) ?? query.firstProblem();
  if (problem) return errorResponse(400, problem);
  if (!world.filters.get(call.id)) return errorResponse(404, 'Filter not found');
  const results = world.results
    .all()
    .filter((result) => result.filterId === call.id)
    .sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
  if (world.modes.emptyResultsNotFound && results.length === 0)
    return errorResponse(404, 'Results not found');
  const { items, pagination } = paginateByPageNumber(results, paging);
  const data = items.map((result) => ({
    id: result.id,
    createdAt: toIso(result.createdAt),
    totalProjects: result.projectIds.length,
  }));
  return okResponse({ data, pagination });
}

const CIPHERTEXT = /^~\d+$/;

/** `GET /projects/lookup` */
export function handleLookupProject(world: MarketplaceState, call: EndpointRequest): EndpointResponse {
  const ciphertext = call.query.get('ciphertext');
  const uid = call.query.get('uid');
  if ((ciphertext === null) === (uid === null)) {
    return errorResponse(400, 'Provide either ciphertext or uid, not both');
  }
  if (ciphertext !== null && !CIPHERTEXT.test(ciphertext)) {
    return errorResponse(400, 'ciphertext must be a tilde followed by digits');
  }
  const project = world.projects
    .all()
    .find((each) => (ciphertext === null ? each.uid === uid : each.ciphertext === ciphertext));
  if (!project) return errorResponse(404, 'Project not found');
  return charged(world, call, [project], 1, () => ({ data: lookedUpProjectJson(world, project) }));
}
