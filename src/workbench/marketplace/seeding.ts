/** Methods that fill the marketplace for a test or the sandbox. */

import { DISQUALIFIED_VERDICT_REASONS, QUALIFIED_VERDICT_REASONS } from './content/letters.ts';
import { FIRST_NAMES, LAST_NAMES } from './content/people.ts';
import { makeProject } from './make-project.ts';
import { makeInvitation, makeJob, makeProposal, makeSetup, makeTemplate } from './make-records.ts';
import { type MarketplaceState, type RecordTable, verdictKey } from './marketplace-state.ts';
import { proposalFieldsFromJob } from './proposal-from-job.ts';
import { pickRandom, randomInteger } from './random-draws.ts';
import type { SimulatedJob, SimulatedOrganization, SimulatedVerdict } from './records.ts';
import { incrementProposalsSent } from './sent-today.ts';
import type { MarketplaceSeeding, ProjectWithFilterIds } from './simulated-marketplace.ts';

export type MarketplaceSeeder = Omit<MarketplaceSeeding, 'startArrivals'>;

function asList(ids: number | readonly number[]): readonly number[] {
  return typeof ids === 'number' ? [ids] : ids;
}

function findersOf(world: MarketplaceState, projectId: number): number[] {
  return world.filters
    .all()
    .filter((filter) => filter.projectIds.includes(projectId))
    .map((filter) => filter.id);
}

/** All projects with the filters that found them. Passes the filters once, since both can be many. */
export function listProjectsWithFilterIds(world: MarketplaceState): ProjectWithFilterIds[] {
  const finders = new Map<number, number[]>();
  for (const filter of world.filters.all()) {
    for (const id of filter.projectIds) finders.set(id, [...(finders.get(id) ?? []), filter.id]);
  }
  return world.projects.all().map((project) => ({ ...project, filterIds: finders.get(project.id) ?? [] }));
}

function changed<T extends { readonly id: number }>(
  shelf: RecordTable<T>,
  id: number,
  change: Partial<Omit<T, 'id'>>,
): T {
  return shelf.put({ ...shelf.getOrThrow(id), ...change });
}

function verdictFrom(
  world: MarketplaceState,
  given: Parameters<MarketplaceSeeder['setVerdict']>[1],
): SimulatedVerdict {
  const now = world.clock.now();
  if (given === 'pending') return { decision: null, reason: null, processedAt: null };
  if (given === 'qualified') {
    return { decision: given, reason: pickRandom(world.random, QUALIFIED_VERDICT_REASONS), processedAt: now };
  }
  if (given === 'disqualified') {
    return {
      decision: given,
      reason: pickRandom(world.random, DISQUALIFIED_VERDICT_REASONS),
      processedAt: now,
    };
  }
  return {
    decision: 'qualified',
    reason: pickRandom(world.random, QUALIFIED_VERDICT_REASONS),
    processedAt: now,
    ...given,
  };
}

const SETTLED = new Set<SimulatedJob['status']>(['completed', 'failed', 'skipped']);

function findAgain(world: MarketplaceState, projectId: number, filterIds: readonly number[]): void {
  world.projects.getOrThrow(projectId);
  for (const id of filterIds) {
    const found = world.filters.getOrThrow(id).projectIds;
    if (!found.includes(projectId)) found.push(projectId);
  }
}

function seedProjects(
  world: MarketplaceState,
): Pick<MarketplaceSeeder, 'addFilter' | 'publishProject' | 'addToFilters' | 'setVerdict' | 'addResult'> {
  return {
    addFilter(seed = {}) {
      const id = seed.id ?? world.filters.nextId();
      return world.filters.put({ name: `Filter ${id}`, qualifier: false, ...seed, id, projectIds: [] });
    },
    publishProject(filterIds, seed = {}) {
      for (const id of asList(filterIds)) world.filters.getOrThrow(id);
      const project = world.projects.put(
        makeProject(world.random, world.projects.nextId(), world.clock.now(), seed),
      );
      findAgain(world, project.id, asList(filterIds));
      return { ...project, filterIds: [...asList(filterIds)] };
    },
    addToFilters: (projectId, filterIds) => findAgain(world, projectId, asList(filterIds)),
    setVerdict(projectId, given, filterIds) {
      const verdict = verdictFrom(world, given);
      const finders = filterIds ?? findersOf(world, projectId);
      for (const id of finders) {
        if (world.filters.getOrThrow(id).qualifier) world.verdicts.set(verdictKey(id, projectId), verdict);
      }
    },
    addResult(seed) {
      const { projectIds } = world.filters.getOrThrow(seed.filterId);
      const id = seed.id ?? world.results.nextId();
      return world.results.put({ createdAt: world.clock.now(), projectIds: [...projectIds], ...seed, id });
    },
  };
}

function seedTeam(
  world: MarketplaceState,
): Pick<
  MarketplaceSeeder,
  'addProfile' | 'addOrganization' | 'addProposal' | 'updateProposal' | 'addInvitation' | 'updateInvitation'
> {
  const contractor = (id: number, position: number): SimulatedOrganization['contractors'][number] => ({
    uid: String(id * 1_000 + position),
    name: `${pickRandom(world.random, FIRST_NAMES)} ${pickRandom(world.random, LAST_NAMES)}`,
  });
  return {
    addProfile(seed = {}) {
      const id = seed.id ?? world.profiles.nextId();
      return world.profiles.put({ label: `Profile ${id}`, type: 'freelancer', ...seed, id });
    },
    addOrganization(seed = {}) {
      const id = seed.id ?? world.organizations.nextId();
      const type = seed.type ?? 'agency';
      const count = type === 'agency' ? randomInteger(world.random, 2, 4) : 0;
      const contractors = Array.from({ length: count }, (_, position) => contractor(id, position + 1));
      return world.organizations.put({ label: `Organization ${id}`, contractors, ...seed, type, id });
    },
    addProposal(seed) {
      world.profiles.getOrThrow(seed.profileId);
      return world.proposals.put(
        makeProposal(world.random, seed.id ?? world.proposals.nextId(), world.clock.now(), seed),
      );
    },
    updateProposal: (id, change) => changed(world.proposals, id, change),
    addInvitation(seed) {
      world.profiles.getOrThrow(seed.profileId);
      return world.invitations.put(
        makeInvitation(world.random, seed.id ?? world.invitations.nextId(), world.clock.now(), seed),
      );
    },
    updateInvitation: (id, change) =>
      changed(world.invitations, id, { updatedAt: world.clock.now(), ...change }),
  };
}

function seedBidding(
  world: MarketplaceState,
): Pick<MarketplaceSeeder, 'addSetup' | 'updateSetup' | 'addTemplate' | 'addJob' | 'updateJob'> {
  return {
    addSetup: (seed = {}) =>
      world.setups.put(makeSetup(seed.id ?? world.setups.nextId(), world.clock.now(), seed)),
    updateSetup: (id, change) => changed(world.setups, id, { updatedAt: world.clock.now(), ...change }),
    addTemplate: (seed = {}) =>
      world.templates.put(makeTemplate(seed.id ?? world.templates.nextId(), world.clock.now(), seed)),
    addJob: (seed) =>
      world.jobs.put(
        makeJob(
          seed.id ?? world.jobs.nextId(),
          world.clock.now(),
          world.projects.getOrThrow(seed.projectId),
          seed,
        ),
      ),
    updateJob(id, change) {
      const { status: before, setupId } = world.jobs.getOrThrow(id);
      const setup = world.setups.get(setupId);
      if (setup && change.status === 'completed' && before !== 'completed')
        world.setups.put(incrementProposalsSent(setup, world.clock.now()));
      const processed =
        change.status !== undefined && SETTLED.has(change.status) ? { processedAt: world.clock.now() } : {};
      return changed(world.jobs, id, { ...processed, ...change });
    },
  };
}

/** Looks everything up in `world` at each call, since a reset replaces its contents. */
export function createSeeder(world: MarketplaceState): MarketplaceSeeder {
  const team = seedTeam(world);
  const bidding = seedBidding(world);
  return {
    ...seedProjects(world),
    ...team,
    ...bidding,
    turnJobIntoProposal(id) {
      const profileId = world.profiles.all()[0]?.id ?? team.addProfile().id;
      const proposal = team.addProposal({
        profileId,
        ...proposalFieldsFromJob(world, world.jobs.getOrThrow(id)),
      });
      bidding.updateJob(id, { status: 'completed', applicationUid: proposal.applicationUid });
      return proposal;
    },
  };
}
