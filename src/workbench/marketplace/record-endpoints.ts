/** Proposals and invitations; they consume no credits. */
import type { Instant } from '../../clock.ts';
import type { EndpointRequest } from './endpoint-request.ts';
import {
  type EndpointResponse,
  errorResponse,
  okResponse,
  paginateByPageNumber,
} from './endpoint-response.ts';
import type { MarketplaceState } from './marketplace-state.ts';
import { toIso } from './project-views.ts';
import { createQueryReader, readPageParams, refusedLimitProblem } from './read-query.ts';
import type { SimulatedInvitation, SimulatedProposal } from './records.ts';

function profileView(world: MarketplaceState, id: number) {
  const profile = world.profiles.get(id);
  return { id, label: profile?.label ?? '', type: profile?.type ?? '' };
}

function organizationView(world: MarketplaceState, id: number) {
  const organization = world.organizations.get(id);
  return { id, label: organization?.label ?? '', type: organization?.type ?? '' };
}

function proposalView(world: MarketplaceState, proposal: SimulatedProposal) {
  const { profileId, organizationId, jobTitle, jobPostedAt, submittedAt, ...same } = proposal;
  return {
    ...same,
    submittedAt: toIso(submittedAt),
    jobDetails: { title: jobTitle, postedAt: toIso(jobPostedAt) },
    marketplaceProfile: profileView(world, profileId),
    marketplaceOrganization: organizationView(world, organizationId),
  };
}

function invitationView(world: MarketplaceState, invitation: SimulatedInvitation) {
  const { profileId, organizationId, invitedAt, createdAt, updatedAt, ...same } = invitation;
  return {
    ...same,
    marketplaceProfile: profileView(world, profileId),
    marketplaceOrganization: organizationView(world, organizationId),
    invitedAt: toIso(invitedAt),
    createdAt: toIso(createdAt),
    updatedAt: toIso(updatedAt),
  };
}

interface OfProfile {
  readonly id: number;
  readonly profileId: number;
  readonly organizationId: number;
}

/** A page of a profile's records, sorted by their only sortable time. */
function listOfProfile<T extends OfProfile>(
  world: MarketplaceState,
  call: EndpointRequest,
  records: readonly T[],
  sortName: string,
  timeOf: (record: T) => Instant,
  view: (record: T) => unknown,
): EndpointResponse {
  const query = createQueryReader(call.query);
  const profileId = query.integer('profileId');
  const organizationId = query.integer('organizationId');
  const paging = readPageParams(query);
  query.oneOf('sort', [sortName]);
  const order = query.oneOf('order', ['ASC', 'DESC']) ?? 'DESC';
  const problem = refusedLimitProblem(world, call) ?? query.firstProblem();
  if (problem) return errorResponse(400, problem);
  if (profileId === undefined) return errorResponse(400, 'profileId is required');
  if (!world.profiles.get(profileId)) return errorResponse(404, 'Profile not found');
  const direction = order === 'ASC' ? 1 : -1;
  const wanted = records
    .filter((record) => record.profileId === profileId)
    .filter((record) => organizationId === undefined || record.organizationId === organizationId)
    .sort((a, b) => direction * (timeOf(a) - timeOf(b) || a.id - b.id));
  const { items, pagination } = paginateByPageNumber(wanted, paging);
  return okResponse({ data: items.map(view), pagination });
}

/** `GET /proposals` */
export function handleListProposals(world: MarketplaceState, call: EndpointRequest): EndpointResponse {
  return listOfProfile(
    world,
    call,
    world.proposals.all(),
    'submittedAt',
    (proposal) => proposal.submittedAt,
    (proposal) => proposalView(world, proposal),
  );
}

function oneProposal(world: MarketplaceState, found: SimulatedProposal | undefined): EndpointResponse {
  return found ? okResponse({ data: proposalView(world, found) }) : errorResponse(404, 'Proposal not found');
}

/** `GET /proposals/{id}` */
export function handleGetProposalById(world: MarketplaceState, call: EndpointRequest): EndpointResponse {
  return oneProposal(world, world.proposals.get(call.id));
}

/** `GET /proposals/by-uid/{applicationUid}` */
export function handleGetProposalByUid(world: MarketplaceState, call: EndpointRequest): EndpointResponse {
  const found = world.proposals.all().find((proposal) => proposal.applicationUid === call.text);
  return oneProposal(world, found);
}

/** `GET /invitations` */
export function handleListInvitations(world: MarketplaceState, call: EndpointRequest): EndpointResponse {
  return listOfProfile(
    world,
    call,
    world.invitations.all(),
    'invitedAt',
    (invitation) => invitation.invitedAt,
    (invitation) => invitationView(world, invitation),
  );
}
