import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { SetupId, TemplateId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import { type BiddingSetup, ProposalTemplate } from '../../src/marketplace/schema.ts';
import { parseProposalTemplate } from '../../src/marketplace/wire/proposals.ts';
import type { SetupService } from '../../src/setups/setups.ts';
import { createSetupService } from '../../src/setups/setups.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { fakeMarketplace } from '../fake-marketplace.ts';
import { createMemoryStore } from '../memory-store.ts';

function setup(id: number, change: Partial<BiddingSetup> = {}): BiddingSetup {
  return { id: SetupId.parse(id), name: `Setup ${id}`, status: 'active', ...change };
}

function template(id: TemplateId): ProposalTemplate {
  return ProposalTemplate.parse(parseProposalTemplate({ id }));
}

class SetupsWorld {
  readonly clock = new ManualClock();
  readonly disk = createMemoryStore();
  told: readonly BiddingSetup[] | MarketplaceError = [setup(1), setup(2)];
  templateFails: MarketplaceError | undefined;
  /** Delays answers. */
  held: Promise<void> | undefined;
  readonly fake = fakeMarketplace({
    fetchBiddingSetups: async () => {
      await this.held;
      if (this.told instanceof MarketplaceError) throw this.told;
      return this.told;
    },
    fetchProposalTemplate: async (id) => {
      await this.held;
      if (this.templateFails) throw this.templateFails;
      return template(id);
    },
  });
  setups: SetupService = this.open();

  open(clock = this.clock): SetupService {
    const { marketplace } = this.fake;
    return createSetupService({ store: this.disk, marketplace, clock, log: silentLog });
  }

  fresh(maxAgeMs = 5 * MINUTE) {
    return this.setups.refreshIfOlderThan(maxAgeMs, 'person');
  }

  get requests(): number {
    return this.fake.calls.length;
  }
}

let world: SetupsWorld;
beforeEach(() => {
  world = new SetupsWorld();
});

const failed = (code: 'server' | 'not-found') => new MarketplaceError(code, 'none', code);

describe('the list of setups', () => {
  it('is empty, and of no time, before the marketplace told it', async () => {
    expect(await world.setups.readStoredSetups()).toEqual({ setups: [] });
    expect(world.requests).toBe(0);
  });

  it('is kept, in the order of ids, and outlives the process', async () => {
    world.told = [setup(10), setup(9), setup(100)];
    const list = { setups: [setup(9), setup(10), setup(100)], readAt: world.clock.now() };
    expect(await world.fresh()).toEqual(list);
    world.setups = world.open();
    expect(await world.setups.readStoredSetups()).toEqual(list);
    expect(await world.fresh()).toEqual(list);
    expect(world.requests).toBe(1);
  });

  it('is asked for in the lane of whoever needs it, once it is too old for them', async () => {
    await world.fresh();
    world.clock.moveBy(2 * MINUTE);
    await world.setups.refreshIfOlderThan(5 * MINUTE, 'person');
    expect(world.requests).toBe(1);
    const { readAt } = await world.setups.refreshIfOlderThan(MINUTE, 'sync');
    expect(readAt).toBe(world.clock.now());
    expect(world.fake.calls.map(({ parameters }) => parameters)).toEqual([
      [{ lane: 'person' }],
      [{ lane: 'sync' }],
    ]);
  });

  it('told at a time to come is not believed: the clock was wrong then', async () => {
    await world.fresh();
    const wrong = new ManualClock(world.clock.now() - 60 * MINUTE);
    await world.open(wrong).refreshIfOlderThan(5 * MINUTE, 'person');
    expect(world.requests).toBe(2);
  });

  it('is asked for once, whoever waits for it', async () => {
    let answer = () => {};
    world.held = new Promise((resolve) => {
      answer = resolve;
    });
    const waiting = [world.fresh(), world.fresh(), world.fresh(0)];
    await world.setups.readStoredSetups();
    waiting.push(world.fresh(0));
    answer();
    const lists = await Promise.all(waiting);
    expect(world.requests).toBe(1);
    for (const list of lists) expect(list.setups).toHaveLength(2);
  });

  it('is replaced as a whole: what vanished is gone', async () => {
    await world.fresh();
    world.told = [setup(3), setup(2, { sentToday: 4 })];
    await world.fresh(0);
    const { setups } = await world.open().readStoredSetups();
    expect(setups).toEqual([setup(2, { sentToday: 4 }), setup(3)]);
    world.told = [];
    expect((await world.fresh(0)).setups).toEqual([]);
    expect((await world.open().readStoredSetups()).setups).toEqual([]);
  });

  it('that can’t be read is said to all who wait, and what is stored stays', async () => {
    const before = await world.fresh();
    world.told = failed('server');
    const both = await Promise.allSettled([world.fresh(0), world.fresh(0)]);
    expect(both).toMatchObject([{ reason: { code: 'server' } }, { reason: { code: 'server' } }]);
    expect(await world.setups.readStoredSetups()).toEqual(before);
    world.told = [setup(1)];
    expect((await world.fresh(0)).setups).toHaveLength(1);
  });

  it('reaches whoever asked also when the disk is full, and is asked for again', async () => {
    world.disk.failNext();
    expect((await world.fresh()).setups).toHaveLength(2);
    expect(await world.setups.readStoredSetups()).toEqual({ setups: [] });
    await world.fresh();
    expect((await world.open().readStoredSetups()).setups).toHaveLength(2);
  });
});

describe('a template', () => {
  const one = TemplateId.parse(1);

  it('is asked for once in five minutes, whoever waits for it', async () => {
    await Promise.all([world.setups.fetchTemplate(one), world.setups.fetchTemplate(one)]);
    world.clock.moveBy(5 * MINUTE - 1);
    expect(await world.setups.fetchTemplate(one)).toEqual(template(one));
    expect(world.requests).toBe(1);
    world.clock.moveBy(1);
    await world.setups.fetchTemplate(one);
    expect(world.requests).toBe(2);
  });

  it('that couldn’t be read is requested again; a definite no is kept for five minutes', async () => {
    world.templateFails = failed('server');
    await expect(world.setups.fetchTemplate(one)).rejects.toMatchObject({ code: 'server' });
    world.templateFails = failed('not-found');
    await expect(world.setups.fetchTemplate(one)).rejects.toMatchObject({ code: 'not-found' });
    world.templateFails = undefined;
    await expect(world.setups.fetchTemplate(one)).rejects.toMatchObject({ code: 'not-found' });
    expect(world.requests).toBe(2);
    world.clock.moveBy(5 * MINUTE);
    expect(await world.setups.fetchTemplate(one)).toEqual(template(one));
  });

  it('is not remembered for ever: the oldest of more than fifty is forgotten', async () => {
    for (let id = 1; id <= 51; id++) await world.setups.fetchTemplate(TemplateId.parse(id));
    await world.setups.fetchTemplate(TemplateId.parse(51));
    expect(world.requests).toBe(51);
    await world.setups.fetchTemplate(one);
    expect(world.requests).toBe(52);
  });
});
