/** Which endpoint answers which method and path; the order matters where a literal stands beside a parameter. */
import { type Answer, refuse } from './answers.ts';
import { approveJob, createJob, jobStatus, setups } from './bidding-endpoints.ts';
import type { Call } from './call.ts';
import { filters, organizations, profiles } from './list-endpoints.ts';
import { filterProjects, filterResults, lookupProject, resultProjects } from './project-endpoints.ts';
import { invitations, proposalById, proposalByUid, proposals } from './record-endpoints.ts';
import { createTemplate, proposalSenders, templateById } from './template-endpoints.ts';
import type { World } from './world.ts';

export interface Route {
  readonly method: 'GET' | 'POST';
  /** As docs/marketplace-api.md writes it; `{id}` is an integer. */
  readonly path: string;
  readonly answer: (world: World, call: Call) => Answer;
}

export const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/proposal-templates', answer: createTemplate },
  { method: 'GET', path: '/proposal-templates/{id}', answer: templateById },
  { method: 'GET', path: '/proposal-senders', answer: proposalSenders },
  { method: 'POST', path: '/auto-bidding/jobs/create', answer: createJob },
  { method: 'POST', path: '/auto-bidding/jobs/{id}/approve', answer: approveJob },
  { method: 'GET', path: '/auto-bidding/jobs/{id}/status', answer: jobStatus },
  { method: 'GET', path: '/auto-bidding/setups', answer: setups },
  { method: 'GET', path: '/filters/{id}/projects', answer: filterProjects },
  { method: 'GET', path: '/filters/{id}/results', answer: filterResults },
  { method: 'GET', path: '/results/{id}/projects', answer: resultProjects },
  { method: 'GET', path: '/projects/lookup', answer: lookupProject },
  { method: 'GET', path: '/proposals', answer: proposals },
  { method: 'GET', path: '/proposals/by-uid/{applicationUid}', answer: proposalByUid },
  { method: 'GET', path: '/proposals/{id}', answer: proposalById },
  { method: 'GET', path: '/invitations', answer: invitations },
  { method: 'GET', path: '/profiles', answer: profiles },
  { method: 'GET', path: '/organizations', answer: organizations },
  { method: 'GET', path: '/filters', answer: filters },
];

const PARAMETER = /^\{\w+\}$/;

/** The values of the path's parameters, or undefined when it is another path. */
function matched(pattern: string, path: string): string[] | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const values: string[] = [];
  for (const [at, segment] of wanted.entries()) {
    const value = given[at] ?? '';
    if (PARAMETER.test(segment) && value !== '') values.push(value);
    else if (segment !== value) return undefined;
  }
  return values;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Finds the endpoint and lets it answer. */
export function route(
  world: World,
  method: string,
  path: string,
  query: URLSearchParams,
  body: unknown,
): Answer {
  for (const each of ROUTES) {
    if (each.method !== method) continue;
    const values = matched(each.path, path);
    if (!values) continue;
    const text = decoded(values[0] ?? '');
    const numbered = each.path.includes('{id}');
    if (numbered && !/^\d{1,15}$/.test(text)) return refuse(400, 'id must be an integer');
    return each.answer(world, { path, id: numbered ? Number(text) : 0, text, query, body });
  }
  return refuse(404, 'Not found');
}
