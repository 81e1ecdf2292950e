/** Proposals and invitations; they consume no credits. */
import type { Instant } from '../../clock.ts';
import { type Answer, ok, pageOf, refuse } from './answers.ts';
import type { Call } from './call.ts';
import { toIso } from './project-views.ts';
import { limitProblem, readPage, readQuery } from './read-query.ts';
import type { InvitationRecord, ProposalRecord } from './records.ts';
import type { World } from './world.ts';

function profileView(world: World, id: number) {
  const profile = world.profiles.get(id);
  return { id, label: profile?.label ?? '', type: profile?.type ?? '' };
}

function organizationView(world: World, id: number) {
  const organization = world.organizations.get(id);
  return { id, label: organization?.label ?? '', type: organization?.type ?? '' };
}

function proposalView(world: World, proposal: ProposalRecord) {
  const { profileId, organizationId, jobTitle, jobPostedAt, submittedAt, ...same } = proposal;
  return {
    ...same,
    submittedAt: toIso(submittedAt),
    jobDetails: { title: jobTitle, postedAt: toIso(jobPostedAt) },
    marketplaceProfile: profileView(world, profileId),
    marketplaceOrganization: organizationView(world, organizationId),
  };
}

function invitationView(world: World, invitation: InvitationRecord) {
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

/** A profile's records by page, sorted by their one sortable time. */
function listOfProfile<T extends OfProfile>(
  world: World,
  call: Call,
  records: readonly T[],
  sortName: string,
  timeOf: (record: T) => Instant,
  view: (record: T) => unknown,
): Answer {
  const query = readQuery(call.query);
  const profileId = query.integer('profileId');
  const organizationId = query.integer('organizationId');
  const paging = readPage(query);
  query.oneOf('sort', [sortName]);
  const order = query.oneOf('order', ['ASC', 'DESC']) ?? 'DESC';
  const problem = limitProblem(world, call) ?? query.problem();
  if (problem) return refuse(400, problem);
  if (profileId === undefined) return refuse(400, 'profileId is required');
  if (!world.profiles.get(profileId)) return refuse(404, 'Profile not found');
  const direction = order === 'ASC' ? 1 : -1;
  const wanted = records
    .filter((record) => record.profileId === profileId)
    .filter((record) => organizationId === undefined || record.organizationId === organizationId)
    .sort((a, b) => direction * (timeOf(a) - timeOf(b) || a.id - b.id));
  const { items, pagination } = pageOf(wanted, paging);
  return ok({ data: items.map(view), pagination });
}

/** `GET /proposals` */
export function proposals(world: World, call: Call): Answer {
  return listOfProfile(
    world,
    call,
    world.proposals.all(),
    'submittedAt',
    (proposal) => proposal.submittedAt,
    (proposal) => proposalView(world, proposal),
  );
}

function oneProposal(world: World, found: ProposalRecord | undefined): Answer {
  return found ? ok({ data: proposalView(world, found) }) : refuse(404, 'Proposal not found');
}

/** `GET /proposals/{id}` */
export function proposalById(world: World, call: Call): Answer {
  return oneProposal(world, world.proposals.get(call.id));
}

/** `GET /proposals/by-uid/{applicationUid}` */
export function proposalByUid(world: World, call: Call): Answer {
  const found = world.proposals.all().find((proposal) => proposal.applicationUid === call.text);
  return oneProposal(world, found);
}

/** `GET /invitations` */
export function invitations(world: World, call: Call): Answer {
  return listOfProfile(
    world,
    call,
    world.invitations.all(),
    'invitedAt',
    (invitation) => invitation.invitedAt,
    (invitation) => invitationView(world, invitation),
  );
}
