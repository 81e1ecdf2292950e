/** Maps method and path to an endpoint; a literal path must come before one with a parameter. */

import {
  handleApproveJob,
  handleCreateJob,
  handleGetJobStatus,
  handleListSetups,
} from './bidding-endpoints.ts';
import type { EndpointRequest } from './endpoint-request.ts';
import { type EndpointResponse, errorResponse } from './endpoint-response.ts';
import { handleListFilters, handleListOrganizations, handleListProfiles } from './list-endpoints.ts';
import type { MarketplaceState } from './marketplace-state.ts';
import {
  handleListFilterProjects,
  handleListFilterResults,
  handleListResultProjects,
  handleLookupProject,
} from './project-endpoints.ts';
import {
  handleGetProposalById,
  handleGetProposalByUid,
  handleListInvitations,
  handleListProposals,
} from './record-endpoints.ts';
import { handleCreateTemplate, handleGetTemplate, handleListProposalSenders } from './template-endpoints.ts';

export interface EndpointRoute {
  readonly method: 'GET' | 'POST';
  /** As in docs/marketplace-api.md; `{id}` is an integer. */
  readonly path: string;
  readonly buildResponse: (world: MarketplaceState, call: EndpointRequest) => EndpointResponse;
}

export const ENDPOINT_ROUTES: readonly EndpointRoute[] = [
  { method: 'POST', path: '/proposal-templates', buildResponse: handleCreateTemplate },
  { method: 'GET', path: '/proposal-templates/{id}', buildResponse: handleGetTemplate },
  { method: 'GET', path: '/proposal-senders', buildResponse: handleListProposalSenders },
  { method: 'POST', path: '/auto-bidding/jobs/create', buildResponse: handleCreateJob },
  { method: 'POST', path: '/auto-bidding/jobs/{id}/approve', buildResponse: handleApproveJob },
  { method: 'GET', path: '/auto-bidding/jobs/{id}/status', buildResponse: handleGetJobStatus },
  { method: 'GET', path: '/auto-bidding/setups', buildResponse: handleListSetups },
  { method: 'GET', path: '/filters/{id}/projects', buildResponse: handleListFilterProjects },
  { method: 'GET', path: '/filters/{id}/results', buildResponse: handleListFilterResults },
  { method: 'GET', path: '/results/{id}/projects', buildResponse: handleListResultProjects },
  { method: 'GET', path: '/projects/lookup', buildResponse: handleLookupProject },
  { method: 'GET', path: '/proposals', buildResponse: handleListProposals },
  { method: 'GET', path: '/proposals/by-uid/{applicationUid}', buildResponse: handleGetProposalByUid },
  { method: 'GET', path: '/proposals/{id}', buildResponse: handleGetProposalById },
  { method: 'GET', path: '/invitations', buildResponse: handleListInvitations },
  { method: 'GET', path: '/profiles', buildResponse: handleListProfiles },
  { method: 'GET', path: '/organizations', buildResponse: handleListOrganizations },
  { method: 'GET', path: '/filters', buildResponse: handleListFilters },
];

const PARAMETER = /^\{\w+\}$/;

/** The path's parameters, or undefined if the path doesn't match. */
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

export function runMatchingEndpoint(
  world: MarketplaceState,
  method: string,
  path: string,
  query: URLSearchParams,
  body: unknown,
): EndpointResponse {
  for (const each of ENDPOINT_ROUTES) {
    if (each.method !== method) continue;
    const values = matched(each.path, path);
    if (!values) continue;
    const text = decoded(values[0] ?? '');
    const numbered = each.path.includes('{id}');
    if (numbered && !/^\d{1,15}$/.test(text)) return errorResponse(400, 'id must be an integer');
    return each.buildResponse(world, { path, id: numbered ? Number(text) : 0, text, query, body });
  }
  return errorResponse(404, 'Not found');
}
