import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import {
  createNameDirectory,
  directoryEntries,
  type LearnedEntityName,
  type NameDirectory,
  namesInInvitation,
  namesInProposal,
} from '../../src/directory/directory.ts';
import { FilterId, OrganizationId, ProfileId, SetupId, TemplateId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import type { NamedEntity, NamedEntityKind } from '../../src/marketplace/client.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../../src/marketplace/errors.ts';
import type { BiddingSetup } from '../../src/marketplace/schema.ts';
import { createSetupService } from '../../src/setups/setups.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';
import { createMemoryStore } from '../memory-store.ts';
import { plainProposal } from '../plain-proposal.ts';

class DirectoryWorld {
  readonly clock = new ManualClock();
  readonly store = createMemoryStore();
  lists: Partial<Record<NamedEntityKind, readonly NamedEntity[] | MarketplaceErrorCode>> = {};
  told: readonly BiddingSetup[] = [];
  readonly #fake = fakeMarketplace({
    fetchBiddingSetups: async () => this.told,
    fetchNamedEntities: async (kind) => {
      const list = this.lists[kind] ?? 'not-found';
      if (typeof list === 'string') throw new MarketplaceError(list, 'none', list);
      return list;
    },
  });
  readonly #parts = {
    store: this.store,
    marketplace: this.#fake.marketplace,
    clock: this.clock,
    log: silentLog,
  };
  readonly setups = createSetupService(this.#parts);
  directory: NameDirectory = createNameDirectory({ ...this.#parts, setups: this.setups });

  /** Another process on the same store. */
  restart(clock = this.clock): void {
    const parts = { ...this.#parts, clock };
    this.directory = createNameDirectory({ ...parts, setups: createSetupService(parts) });
  }

  learn(...learned: LearnedEntityName[]): Promise<void> {
    return this.store.transact((tx) => this.directory.recordNames(tx, learned, this.clock.now()));
  }

  async known(kind: LearnedEntityName['kind']): Promise<string[]> {
    return (await this.directory.listEntries(kind, 100)).map(({ id, name }) => `${id} ${name}`);
  }

  /** The requests so far. */
  get asked(): readonly unknown[] {
    return this.#fake.calls
      .filter(({ name }) => name === 'fetchNamedEntities')
      .map(({ parameters }) => parameters[0]);
  }

  get lanes(): readonly unknown[] {
    return this.#fake.calls.map(({ parameters }) => parameters.at(-1));
  }
}

let world: DirectoryWorld;
beforeEach(() => {
  world = new DirectoryWorld();
});

const profile = (id: number, name?: string, type?: string): LearnedEntityName => ({
  kind: 'profile',
  id,
  name,
  type,
});

describe('the directory', () => {
  it('learns filters and templates with the list of setups', async () => {
    world.told = [
      {
        id: SetupId.parse(1),
        name: 'Night shift',
        status: 'active',
        filter: { id: FilterId.parse(101), name: 'React work' },
        template: { id: TemplateId.parse(601), name: 'Warm' },
      },
    ];
    await world.setups.refreshIfOlderThan(MINUTE, 'person');
    expect(await world.known('filter')).toEqual(['101 React work']);
    expect(await world.known('template')).toEqual(['601 Warm']);
  });

  it('learns profiles, organizations and templates of proposals and invitations', async () => {
    const places = {
      profile: { id: ProfileId.parse(301), label: 'Ana', type: 'agency' },
      organization: { id: OrganizationId.parse(401), label: 'Web team' },
    };
    const proposal = plainProposal(1, { ...places, template: { id: 601, name: 'Warm' } });
    await world.learn(...namesInProposal(proposal));
    await world.learn(...namesInInvitation({ uid: '1', title: '', letter: '', ...places }));
    expect(await world.directory.listEntries('profile', 1)).toMatchObject([
      { id: 301, name: 'Ana', type: 'agency' },
    ]);
    expect(await world.known('organization')).toEqual(['401 Web team']);
    expect(await world.known('template')).toEqual(['601 Warm']);
  });

  it('keeps a name that is not told again, takes a new one, and forgets no type', async () => {
    await world.learn(profile(301, 'Ana', 'agency'), profile(301), profile(302), profile(0, 'Nobody'));
    await world.learn(profile(301), profile(301, '  '));
    expect(await world.known('profile')).toEqual(['301 Ana']);
    await world.learn(profile(301, 'Ana & Co'));
    expect(await world.directory.listEntries('profile', 9)).toMatchObject([
      { name: 'Ana & Co', type: 'agency' },
    ]);
  });

  it('writes only what is new or has changed', async () => {
    await world.learn(profile(301, 'Ana', 'agency'));
    const before = await world.directory.listEntries('profile', 9);
    world.clock.moveBy(HOUR);
    await world.learn(profile(301, 'Ana', 'agency'), profile(301, 'Ana'));
    expect(await world.directory.listEntries('profile', 9)).toEqual(before);
  });

  it('lists by name, no more than asked for, and names ids', async () => {
    await world.learn(profile(1, 'zoe'), profile(2, 'Ána'), profile(3, 'Bo'));
    expect((await world.directory.listEntries('profile', 2)).map(({ id }) => id)).toEqual([2, 3]);
    expect([...(await world.directory.readEntryNames('profile', [3, 1, 77]))]).toEqual([
      [3, 'Bo'],
      [1, 'zoe'],
    ]);
    expect(await world.directory.findEntry('profile', 'ana')).toMatchObject({ kind: 'found', id: 2 });
    expect(await world.directory.findEntry('organization', 'ana')).toMatchObject({ kind: 'none' });
  });
});

describe('the lists that are not documented', () => {
  it('are read where they are there, in the background and at most once an hour', async () => {
    world.lists = {
      profile: [{ id: 301, name: 'Ana', type: 'agency' }, { id: 302 }],
      organization: [{ id: 401, name: 'Web team' }],
      filter: [{ id: 101, name: 'React work' }],
    };
    await Promise.all([
      world.directory.refreshNames(),
      world.directory.refreshNames(),
      world.directory.refreshNames(),
    ]);
    expect(world.asked).toEqual(['profile', 'organization', 'filter']);
    expect(world.lanes).toEqual([{ lane: 'sync' }, { lane: 'sync' }, { lane: 'sync' }]);
    expect(await world.known('profile')).toEqual(['301 Ana']);
    expect(await world.known('organization')).toEqual(['401 Web team']);
    expect(await world.known('filter')).toEqual(['101 React work']);
    world.clock.moveBy(HOUR - 1);
    await world.directory.refreshNames();
    expect(world.asked).toHaveLength(3);
    world.clock.moveBy(1);
    await world.directory.refreshNames(['filter']);
    expect(world.asked.slice(3)).toEqual(['filter']);
  });

  it.each([
    ['not-found', DAY],
    ['forbidden', DAY],
    ['bad-request', DAY],
    ['server', HOUR],
    ['network', HOUR],
    ['unauthorised', HOUR],
  ] as const)('that answer %s are let be for a while, also over a restart', async (code, pauseMs) => {
    world.lists = { profile: code, organization: [{ id: 401, name: 'Web team' }] };
    await world.directory.refreshNames(['profile', 'organization']);
    world.restart();
    world.clock.moveBy(pauseMs - 1);
    await world.directory.refreshNames(['profile']);
    expect(world.asked).toEqual(['profile', 'organization']);
    expect(await world.known('organization')).toEqual(['401 Web team']);
    world.clock.moveBy(1);
    await world.directory.refreshNames(['profile']);
    expect(world.asked).toEqual(['profile', 'organization', 'profile']);
  });

  it('asked for at a time to come are asked for again: the clock was wrong then', async () => {
    world.lists = { profile: 'not-found' };
    await world.directory.refreshNames(['profile']);
    world.restart(new ManualClock(world.clock.now() - HOUR));
    await world.directory.refreshNames(['profile']);
    expect(world.asked).toHaveLength(2);
  });

  it('whose names can’t be stored fail nobody', async () => {
    world.lists = { profile: [{ id: 301, name: 'Ana' }] };
    world.store.failNext();
    await world.directory.refreshNames(['profile']);
    expect(await world.known('profile')).toEqual([]);
    await world.directory.refreshNames(['profile']);
    expect(await world.known('profile')).toEqual(['301 Ana']);
    const entries = await world.store.read((tx) => tx.list(directoryEntries, { limit: 9 }));
    expect(entries.map(({ key }) => key)).toEqual([['profile', 301]]);
  });
});
