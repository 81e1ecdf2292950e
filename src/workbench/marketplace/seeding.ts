/** What a test or the sandbox puts into the marketplace. */
import { between, pick } from './chance.ts';
import { BAD_REASONS, GOOD_REASONS } from './content/letters.ts';
import { FIRST_NAMES, LAST_NAMES } from './content/people.ts';
import { makeProject } from './make-project.ts';
import { makeInvitation, makeJob, makeProposal, makeSetup, makeTemplate } from './make-records.ts';
import { proposalOfJob } from './proposal-of-job.ts';
import type { JobRecord, OrganizationRecord, VerdictRecord } from './records.ts';
import { withOneSent } from './sent-today.ts';
import type { PublishedProject, Seeding } from './simulated-marketplace.ts';
import { type Shelf, verdictKey, type World } from './world.ts';

export type Seeds = Omit<Seeding, 'startArrivals'>;

function asList(ids: number | readonly number[]): readonly number[] {
  return typeof ids === 'number' ? [ids] : ids;
}

function findersOf(world: World, projectId: number): number[] {
  return world.filters
    .all()
    .filter((filter) => filter.projectIds.includes(projectId))
    .map((filter) => filter.id);
}

/** All projects with the filters that found them; one pass over the filters, since there can be many of both. */
export function publishedProjects(world: World): PublishedProject[] {
  const finders = new Map<number, number[]>();
  for (const filter of world.filters.all()) {
    for (const id of filter.projectIds) finders.set(id, [...(finders.get(id) ?? []), filter.id]);
  }
  return world.projects.all().map((project) => ({ ...project, filterIds: finders.get(project.id) ?? [] }));
}

function changed<T extends { readonly id: number }>(
  shelf: Shelf<T>,
  id: number,
  change: Partial<Omit<T, 'id'>>,
): T {
  return shelf.put({ ...shelf.must(id), ...change });
}

function verdictFrom(world: World, given: Parameters<Seeds['decide']>[1]): VerdictRecord {
  const now = world.clock.now();
  if (given === 'pending') return { decision: null, reason: null, processedAt: null };
  if (given === 'qualified') {
    return { decision: given, reason: pick(world.random, GOOD_REASONS), processedAt: now };
  }
  if (given === 'disqualified') {
    return { decision: given, reason: pick(world.random, BAD_REASONS), processedAt: now };
  }
  return { decision: 'qualified', reason: pick(world.random, GOOD_REASONS), processedAt: now, ...given };
}

const SETTLED = new Set<JobRecord['status']>(['completed', 'failed', 'skipped']);

function findAgain(world: World, projectId: number, filterIds: readonly number[]): void {
  world.projects.must(projectId);
  for (const id of filterIds) {
    const found = world.filters.must(id).projectIds;
    if (!found.includes(projectId)) found.push(projectId);
  }
}

function seedProjects(
  world: World,
): Pick<Seeds, 'addFilter' | 'publish' | 'findAgain' | 'decide' | 'addResult'> {
  return {
    addFilter(seed = {}) {
      const id = seed.id ?? world.filters.nextId();
      return world.filters.put({ name: `Filter ${id}`, qualifier: false, ...seed, id, projectIds: [] });
    },
    publish(filterIds, seed = {}) {
      for (const id of asList(filterIds)) world.filters.must(id);
      const project = world.projects.put(
        makeProject(world.random, world.projects.nextId(), world.clock.now(), seed),
      );
      findAgain(world, project.id, asList(filterIds));
      return { ...project, filterIds: [...asList(filterIds)] };
    },
    findAgain: (projectId, filterIds) => findAgain(world, projectId, asList(filterIds)),
    decide(projectId, given, filterIds) {
      const verdict = verdictFrom(world, given);
      const finders = filterIds ?? findersOf(world, projectId);
      for (const id of finders) {
        if (world.filters.must(id).qualifier) world.verdicts.set(verdictKey(id, projectId), verdict);
      }
    },
    addResult(seed) {
      const { projectIds } = world.filters.must(seed.filterId);
      const id = seed.id ?? world.results.nextId();
      return world.results.put({ createdAt: world.clock.now(), projectIds: [...projectIds], ...seed, id });
    },
  };
}

function seedTeam(
  world: World,
): Pick<
  Seeds,
  'addProfile' | 'addOrganization' | 'addProposal' | 'updateProposal' | 'addInvitation' | 'updateInvitation'
> {
  const contractor = (id: number, position: number): OrganizationRecord['contractors'][number] => ({
    uid: String(id * 1_000 + position),
    name: `${pick(world.random, FIRST_NAMES)} ${pick(world.random, LAST_NAMES)}`,
  });
  return {
    addProfile(seed = {}) {
      const id = seed.id ?? world.profiles.nextId();
      return world.profiles.put({ label: `Profile ${id}`, type: 'freelancer', ...seed, id });
    },
    addOrganization(seed = {}) {
      const id = seed.id ?? world.organizations.nextId();
      const type = seed.type ?? 'agency';
      const count = type === 'agency' ? between(world.random, 2, 4) : 0;
      const contractors = Array.from({ length: count }, (_, position) => contractor(id, position + 1));
      return world.organizations.put({ label: `Organization ${id}`, contractors, ...seed, type, id });
    },
    addProposal(seed) {
      world.profiles.must(seed.profileId);
      return world.proposals.put(
        makeProposal(world.random, seed.id ?? world.proposals.nextId(), world.clock.now(), seed),
      );
    },
    updateProposal: (id, change) => changed(world.proposals, id, change),
    addInvitation(seed) {
      world.profiles.must(seed.profileId);
      return world.invitations.put(
        makeInvitation(world.random, seed.id ?? world.invitations.nextId(), world.clock.now(), seed),
      );
    },
    updateInvitation: (id, change) =>
      changed(world.invitations, id, { updatedAt: world.clock.now(), ...change }),
  };
}

function seedBidding(
  world: World,
): Pick<Seeds, 'addSetup' | 'updateSetup' | 'addTemplate' | 'addJob' | 'settleJob'> {
  return {
    addSetup: (seed = {}) =>
      world.setups.put(makeSetup(seed.id ?? world.setups.nextId(), world.clock.now(), seed)),
    updateSetup: (id, change) => changed(world.setups, id, { updatedAt: world.clock.now(), ...change }),
    addTemplate: (seed = {}) =>
      world.templates.put(makeTemplate(seed.id ?? world.templates.nextId(), world.clock.now(), seed)),
    addJob: (seed) =>
      world.jobs.put(
        makeJob(seed.id ?? world.jobs.nextId(), world.clock.now(), world.projects.must(seed.projectId), seed),
      ),
    settleJob(id, change) {
      const { status: before, setupId } = world.jobs.must(id);
      const setup = world.setups.get(setupId);
      if (setup && change.status === 'completed' && before !== 'completed')
        world.setups.put(withOneSent(setup, world.clock.now()));
      const processed =
        change.status !== undefined && SETTLED.has(change.status) ? { processedAt: world.clock.now() } : {};
      return changed(world.jobs, id, { ...processed, ...change });
    },
  };
}

/** Looks everything up in `world` at each call, since a reset puts other contents into it. */
export function seedsOf(world: World): Seeds {
  const team = seedTeam(world);
  const bidding = seedBidding(world);
  return {
    ...seedProjects(world),
    ...team,
    ...bidding,
    sendJob(id) {
      const profileId = world.profiles.all()[0]?.id ?? team.addProfile().id;
      const proposal = team.addProposal({ profileId, ...proposalOfJob(world, world.jobs.must(id)) });
      bidding.settleJob(id, { status: 'completed', applicationUid: proposal.applicationUid });
      return proposal;
    },
  };
}
