/** The mirror beside a marketplace's list: whatever happens there, and whatever the mirror suffers. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../src/clock.ts';
import { ChannelId, ProfileId, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import type { MarketplaceClient, ProfileRecordsQuery, RecordPage } from '../../src/marketplace/client.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../../src/marketplace/errors.ts';
import { DEFAULT_PAGE_SIZE } from '../../src/marketplace/list-limits.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import { profileSyncKey, profileSyncs } from '../../src/profiles/records.ts';
import {
  createProposalMirror,
  type ProposalChange,
  type ProposalMirror,
} from '../../src/proposals/mirror.ts';
import type { ItemCache, ShelvedItem } from '../../src/storage/shelves/item-cache.ts';
import { StorageError, type Store } from '../../src/storage/store.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';
import { createMemoryStore } from '../memory-store.ts';
import { passTime } from '../pass-time.ts';
import { plainProposal } from '../plain-proposal.ts';

const profile = ProfileId.parse(7);
const FEED = {
  channel: ChannelId.parse('C1'),
  kind: 'outcomes' as const,
  profile,
  by: UserId.parse('U1'),
  createdAt: 0,
  startsAt: 0,
};
const ANSWER_MS = 500;
const PAGE = 10;
const never = new Promise<never>(() => {});

/** How the marketplace lists. `refused`: it rejects a limit, and the client leaves it out. */
interface Habits {
  readonly order: 'asked' | 'ascending';
  readonly limit: number | 'refused';
  readonly paging: 'full' | 'total' | 'none';
}
const PLAIN: Habits = { order: 'asked', limit: PAGE, paging: 'full' };

type Commit = 'news' | 'files' | 'records';
const TROUBLES = ['dies before', 'dies after', 'news', 'files', 'records'] as const;

interface Life {
  readonly mirror: ProposalMirror;
  isDead: boolean;
}

class World {
  readonly clock = new ManualClock();
  readonly store = createMemoryStore();
  readonly listed = new Map<number, Proposal>();
  /** What the files keep, by shelf and ID. */
  readonly kept = new Map<string, ShelvedItem<Proposal>>();
  /** Changes handed over, by all processes. */
  readonly handed: ProposalChange[] = [];
  /** The marketplace's next answers fail. */
  failures: MarketplaceErrorCode[] = [];
  /** After `left` more commits the process dies at one, or those of this kind fail. */
  trouble: { readonly kind: (typeof TROUBLES)[number]; left: number } | undefined;
  /** When the first copy was complete. */
  copied:
    | { readonly at: number; readonly requests: number; readonly held: Map<number, Proposal> }
    | undefined;
  /** What allows the mirror more requests until then than there are pages. */
  readonly excuses = { arrivals: 0, arrived: 0, failures: 0 };
  readonly #habits: Habits;
  #requests = 0;
  #life: Life;

  constructor(seeded: number, habits = PLAIN) {
    this.#habits = habits;
    const start = this.clock.now() - seeded * HOUR - DAY;
    for (let n = 0; n < seeded; n++) this.#add(start + n * HOUR);
    this.#life = this.#start();
  }

  get mirror(): ProposalMirror {
    return this.#life.mirror;
  }

  pass(ms: number): Promise<void> {
    return passTime(this.clock, ms);
  }

  /** Kills the process, and starts another. */
  restart(): void {
    this.#life.isDead = true;
    this.#life = this.#start();
  }

  /** Proposals submitted at the moment of completion count as past. */
  arrive(count: number): void {
    this.clock.moveBy(1);
    for (let n = 0; n < count; n++) this.#add(this.clock.now());
    this.clock.moveBy(1);
    if (this.copied) return;
    this.excuses.arrivals += 1;
    this.excuses.arrived += count;
  }

  /** Adds one far down in the list. */
  backfill(): void {
    this.#add(this.clock.now() - 400 * DAY);
  }

  one(which: number): Proposal | undefined {
    return [...this.listed.values()][which % Math.max(1, this.listed.size)];
  }

  change(which: number): void {
    const one = this.one(which);
    if (one) this.listed.set(one.id, { ...one, viewed: true, connects: (one.connects ?? 0) + 1 });
  }

  fail(code: MarketplaceErrorCode): void {
    this.failures.push(code);
    this.excuses.failures += 1;
  }

  async suffer(kind: (typeof TROUBLES)[number], left: number): Promise<void> {
    this.trouble = { kind, left };
    await this.pass(4 * MINUTE);
    this.trouble = undefined;
    if (this.#life.isDead) this.restart();
  }

  /** What the mirror has, by ID. */
  mirrored(): Map<number, Proposal> {
    const all = [...this.mirror.listNewestFirst()].flatMap(({ id }) => this.mirror.get(id) ?? []);
    return new Map(all.map((each) => [each.id, each] as const).sort(([a], [b]) => a - b));
  }

  #add(submittedAt: number): void {
    const id = this.listed.size + 1;
    // `connects` counts the changes.
    const known = { applicationUid: `uid-${id}`, coverLetter: `Letter ${id}`, connects: 0 };
    this.listed.set(id, plainProposal(id, { ...known, profile: { id: profile }, submittedAt }));
  }

  #start(): Life {
    const life = { isDead: false };
    const mirror = createProposalMirror({
      store: this.#mortalStore(life),
      shelves: this.#mortalFiles(life),
      profiles: { listAllProfileFeeds: async () => [{ feed: FEED }] },
      marketplace: this.#marketplace(life),
      gate: { status: () => ({ limitPerMinute: 30, used: 0, waiting: 0 }) },
      clock: this.clock,
      random: () => 0.5,
      log: silentLog,
      onChanges: (changes) => this.#commit(life, 'news', async () => void this.handed.push(...changes)),
    });
    void mirror.run(new AbortController().signal);
    return Object.assign(life, { mirror });
  }

  #marketplace(life: { isDead: boolean }): Pick<MarketplaceClient, 'fetchProposals'> {
    return {
      fetchProposals: async (query) => {
        this.#requests += 1;
        await this.clock.sleep(ANSWER_MS);
        if (life.isDead) return never;
        const code = this.failures.shift();
        if (code) throw new MarketplaceError(code, 'none', 'refused');
        return this.#page(query);
      },
    };
  }

  #page({ page = 1, limit: asked = DEFAULT_PAGE_SIZE, order }: ProfileRecordsQuery): RecordPage<Proposal> {
    const { order: own, limit: most, paging } = this.#habits;
    const limit = most === 'refused' ? DEFAULT_PAGE_SIZE : Math.min(asked, most);
    const direction = own === 'ascending' || order === 'ASC' ? 1 : -1;
    const list = [...this.listed.values()].sort(
      (a, b) => direction * ((a.submittedAt ?? 0) - (b.submittedAt ?? 0) || a.id - b.id),
    );
    const from = (page - 1) * limit;
    const total = list.length;
    const full = { total, page, limit, pages: Math.ceil(total / limit) };
    const assumed = most === 'refused' ? { limit } : {};
    const told = { full, total: { total }, none: {} }[paging];
    return { items: list.slice(from, from + limit), unreadable: 0, paging: { ...assumed, ...told } };
  }

  #mortalStore(life: { isDead: boolean }): Store {
    const { store } = this;
    return {
      ...store,
      transact: async (work) => {
        const result = await this.#commit(life, 'records', () => store.transact(work));
        await this.#noticeCopied();
        return result;
      },
      read: (work) => (life.isDead ? never : store.read(work)),
    };
  }

  /** A put that fails stores a part. */
  #mortalFiles(life: { isDead: boolean }): ItemCache<Proposal> {
    const keep = (items: readonly ShelvedItem<Proposal>[]) => {
      for (const item of items) this.kept.set(`${item.shelf}/${item.key}`, item);
    };
    return {
      load: async (take) => {
        for (const item of this.kept.values()) take(item.shelf, [item]);
        return 0;
      },
      put: (items) =>
        this.#commit(life, 'files', async (isWhole) => keep(isWhole ? items : items.slice(items.length / 2))),
      dropShelves: async () => {},
      waitUntilIdle: async () => {},
    };
  }

  async #commit<T>(
    life: { isDead: boolean },
    what: Commit,
    work: (isWhole: boolean) => Promise<T>,
  ): Promise<T> {
    if (life.isDead) return never;
    const { trouble } = this;
    if (!trouble || trouble.left-- > 0) return work(true);
    const { kind } = trouble;
    const isDying = kind === 'dies before' || kind === 'dies after';
    if (!isDying && kind !== what) return work(true);
    if (what === 'files') await work(false);
    if (kind === 'news') throw new Error('the hand-over failed');
    if (!isDying) throw new StorageError('full', 'no room');
    life.isDead = true;
    if (kind === 'dies after') await work(true);
    return never;
  }

  async #noticeCopied(): Promise<void> {
    const key = profileSyncKey({ of: 'proposals', profile });
    const at = (await this.store.read((tx) => tx.get(profileSyncs, key)))?.copy?.copiedAt;
    if (at !== undefined) this.copied ??= { at, requests: this.#requests, held: this.mirrored() };
  }
}

const CODES = ['server', 'rate-limited', 'network', 'unauthorised', 'not-found', 'unreadable'] as const;

/** What may happen, with a number that says how much or which. */
const STEPS: Readonly<Record<string, (world: World, n: number) => unknown>> = {
  answers: (world, n) => world.pass(n % (8 * ANSWER_MS)),
  minutes: (world, n) => world.pass(n % (5 * MINUTE)),
  hours: (world, n) => world.pass(n % (3 * HOUR)),
  arrive: (world, n) => world.arrive(1 + (n % 35)),
  change: (world, n) => world.change(n),
  take: (world, n) => {
    const one = world.one(n);
    return one && world.mirror.addFetchedProposal(one);
  },
  fail: (world, n) => world.fail(CODES[n % CODES.length] ?? 'server'),
  suffer: (world, n) => world.suffer(TROUBLES[n % TROUBLES.length] ?? 'files', n % 7),
};
const CALM = 'answers answers answers answers minutes arrive arrive change change hours take fail'.split(' ');
const calm = fc.tuple(fc.constantFrom(...CALM), fc.nat());
const any = fc.oneof({ weight: 5, arbitrary: calm }, fc.tuple(fc.constant('suffer'), fc.nat()));

async function play(world: World, steps: readonly (readonly [string, number])[]): Promise<void> {
  for (const [what, n] of steps) await STEPS[what]?.(world, n);
  world.failures = [];
  // A day for the sweep, plus the longest pause after a failure.
  await world.pass(32 * HOUR);
  expect(world.mirrored()).toEqual(world.listed);
  const { size: held } = world.listed;
  expect(world.mirror.estimateProgress()).toMatchObject([{ state: 'complete', held }]);
  expectTold(world);
}

/** No news about past proposals, and the last status of every later change. */
function expectTold({ handed, listed, copied }: World): void {
  const { at, held } = copied ?? expect.fail('not copied');
  for (const { before, now } of handed) if (!before) expect(now.submittedAt).toBeGreaterThan(at);
  for (const each of listed.values()) {
    const then = held.get(each.id);
    const isNew = !then && (each.submittedAt ?? 0) > at;
    const last = handed.findLast(({ now }) => now.id === each.id)?.now;
    if (isNew || last || (then && each.connects !== then.connects)) expect(last).toEqual(each);
  }
}

/** Each change once; each begins with the status where the previous one ended. */
function expectToldOnce({ handed, copied }: World): void {
  const known = new Map(copied?.held);
  for (const { before, now } of handed) {
    if (known.has(now.id)) expect(before).toEqual(known.get(now.id));
    expect(now).not.toEqual(known.get(now.id));
    known.set(now.id, now);
  }
}

const habits = fc.constantFrom<Habits>(
  PLAIN,
  { ...PLAIN, paging: 'total' },
  { ...PLAIN, paging: 'none' },
  { ...PLAIN, order: 'ascending' },
  { ...PLAIN, limit: 'refused' },
);

it('after any events, the mirror equals the server; all news is posted, and no history', async () => {
  const runs = fc.asyncProperty(
    fc.nat(130),
    habits,
    fc.array(any, { maxLength: 30 }),
    (seeded, habit, steps) => play(new World(seeded, habit), steps),
  );
  await fc.assert(runs, { numRuns: 8 });
});

it('without crashes or disk faults, each change is posted once, with no unneeded requests', async () => {
  const runs = fc.asyncProperty(fc.nat(130), fc.array(calm, { maxLength: 30 }), async (seeded, steps) => {
    const world = new World(seeded);
    await play(world, steps);
    expectToldOnce(world);
    const { requests, held } = world.copied ?? expect.fail('not copied');
    const pages = Math.max(1, Math.ceil(held.size / PAGE));
    const { arrivals, arrived, failures } = world.excuses;
    // For each arrival of proposals: the newest page again, and one partly known page; and for each of
    // these pages, one more that shifted while another was read.
    const pushed = Math.floor(arrived / PAGE);
    expect(requests).toBeLessThanOrEqual(pages * 1.02 + 2 * arrivals + pushed + failures);
  });
  await fc.assert(runs, { numRuns: 8 });
});

async function copied(count: number): Promise<World> {
  const world = new World(count);
  await world.pass(10 * MINUTE);
  expect(world.mirrored()).toEqual(world.listed);
  return world;
}

it('files that lost something are copied again, and nothing of the past is told', async () => {
  const world = await copied(350);
  for (const place of [...world.kept.keys()].slice(-3)) world.kept.delete(place);
  world.restart();
  await world.pass(30 * MINUTE);
  expect(world.mirrored()).toEqual(world.listed);
  expect(world.handed).toEqual([]);
});

it('a full disk delays news, and is no trouble of the profile', async () => {
  const world = await copied(50);
  world.arrive(1);
  await world.suffer('files', 0);
  expect(world.mirrored().size).toBe(50);
  expect(world.mirror.estimateProgress()).not.toMatchObject([{ trouble: expect.anything() }]);
  await world.pass(2 * MINUTE);
  expect(world.mirrored().size).toBe(51);
});

it('old proposals that are imported later are found by the next sweeps, silently', async () => {
  const world = await copied(350);
  for (let n = 0; n < 40; n++) world.backfill();
  await world.pass(50 * HOUR);
  expect(world.mirrored()).toEqual(world.listed);
  expect(world.handed).toEqual([]);
});
