import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../src/clock.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import { type Habits, PLAIN } from './mirror-server.ts';
import { byId, MirrorWorld } from './mirror-world.ts';

const PAGE = 10;

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('answer' as const), count: fc.integer({ min: 1, max: 8 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('arrive' as const), count: fc.integer({ min: 1, max: 35 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('change' as const), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 5 * MINUTE }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('calm' as const), ms: fc.integer({ min: 1, max: 3 * HOUR }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('take' as const), which: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('fail' as const),
      code: fc.constantFrom('server', 'rate-limited', 'network', 'unauthorised', 'not-found', 'unreadable'),
    }),
  },
);
const trouble = fc.oneof(
  fc.record({ kind: fc.constant('crash' as const), after: fc.nat(12) }),
  fc.record({
    kind: fc.constant('crash-at-commit' as const),
    left: fc.nat(3),
    when: fc.constantFrom('before', 'after'),
  }),
  fc.record({ kind: fc.constant('full-disk' as const) }),
  fc.record({ kind: fc.constant('full-store' as const) }),
  fc.record({ kind: fc.constant('refused-hand-over' as const) }),
);
type Calm = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Trouble = typeof trouble extends fc.Arbitrary<infer T> ? T : never;

/** Events of the run that allow the mirror more requests than there are pages. */
interface Excuses {
  arrivals: number;
  /** New proposals, over all of them. */
  arrived: number;
  failures: number;
  crashes: number;
}

class Run {
  readonly world = new MirrorWorld();
  readonly excuses: Excuses = { arrivals: 0, arrived: 0, failures: 0, crashes: 0 };

  constructor(seeded: number, habits: Habits) {
    this.world.server.habits = habits;
    this.world.server.seed(seeded);
    this.world.start();
  }

  async take(each: Calm | Trouble): Promise<void> {
    const { world } = this;
    if ('kind' in each && isTrouble(each)) return this.#suffer(each);
    if (each.kind === 'answer') for (let n = 0; n < each.count; n++) await world.answer();
    else if (each.kind === 'arrive') this.#arrive(each.count);
    else if (each.kind === 'change') this.#change(each.which);
    else if (each.kind === 'pass') world.clock.moveBy(each.ms);
    else if (each.kind === 'calm') await world.calm(each.ms);
    else if (each.kind === 'take') await this.#takeOne(each.which);
    else this.#fail(each.code);
    await world.settle();
  }

  /** A minute later: proposals submitted at the moment of completion count as past. */
  #arrive(count: number): void {
    this.world.clock.moveBy(1);
    this.world.server.arrive(count);
    this.world.clock.moveBy(1);
    if (this.world.copiedThen) return;
    this.excuses.arrivals += 1;
    this.excuses.arrived += count;
  }

  #fail(code: Extract<Calm, { kind: 'fail' }>['code']): void {
    this.world.server.failures.push(code);
    this.excuses.failures += 1;
  }

  #one(which: number): Proposal | undefined {
    const all = this.world.server.all();
    return all[which % Math.max(1, all.length)];
  }

  #change(which: number): void {
    const one = this.#one(which);
    if (one) this.world.server.change(one.id);
  }

  async #takeOne(which: number): Promise<void> {
    const one = this.#one(which);
    if (one) await this.world.mirror.addFetchedProposal(one);
  }

  async #suffer(each: Trouble): Promise<void> {
    const { world } = this;
    if (each.kind === 'crash') world.disk.crashAt = world.disk.steps + 1 + each.after;
    if (each.kind === 'crash-at-commit') world.crashAtCommit = { left: each.left, when: each.when };
    if (each.kind === 'full-disk')
      world.disk.fault = (operation) => (operation === 'write' ? 'ENOSPC' : undefined);
    if (each.kind === 'full-store') world.store.failNext();
    if (each.kind === 'refused-hand-over') world.failsHandOver = true;
    for (let n = 0; n < 4; n++) {
      await world.answer();
      world.clock.moveBy(MINUTE);
    }
    world.disk.fault = () => undefined;
    world.failsHandOver = false;
    this.excuses.crashes += 4;
    if (each.kind === 'crash' || each.kind === 'crash-at-commit') await world.restart();
  }
}

function isTrouble(each: Calm | Trouble): each is Trouble {
  return ['crash', 'crash-at-commit', 'full-disk', 'full-store', 'refused-hand-over'].includes(each.kind);
}

/** No news about past proposals, and the last status of every later change. */
function expectTold({ handed, server, copiedThen }: MirrorWorld): void {
  const then = copiedThen ?? { at: 0, held: new Map<number, Proposal>() };
  for (const { before, now } of handed) {
    if (!before) expect(now.submittedAt).toBeGreaterThan(then.at);
  }
  for (const each of server.all()) {
    const held = then.held.get(each.id);
    const isNew = !held && (each.submittedAt ?? 0) > then.at;
    const last = handed.findLast(({ now }) => now.id === each.id)?.now;
    if (isNew || last || (held && each.connects !== held.connects)) expect(last).toEqual(each);
  }
}

/** Each change once; each begins with the status where the previous one ended. */
function expectToldOnce({ handed, copiedThen }: MirrorWorld): void {
  const known = new Map(copiedThen?.held);
  for (const { before, now } of handed) {
    if (known.has(now.id)) expect(before).toEqual(known.get(now.id));
    expect(now).not.toEqual(known.get(now.id));
    known.set(now.id, now);
  }
}

async function expectEverything(run: Run): Promise<void> {
  const { world } = run;
  world.server.failures = [];
  // A day for the sweep, plus the longest pause after a failure.
  await world.calm(32 * HOUR);
  expect(byId(world.wholes())).toEqual(byId(world.server.all()));
  expect(world.mirror.estimateProgress()).toMatchObject([
    { state: 'complete', held: world.server.all().length },
  ]);
  expect(world.copiedThen).toBeDefined();
  expectTold(world);
}

const habits = fc.constantFrom<Habits>(
  { ...PLAIN, limit: PAGE },
  { ...PLAIN, limit: PAGE, paging: 'total' },
  { ...PLAIN, limit: PAGE, paging: 'none' },
  { ...PLAIN, limit: PAGE, order: 'ascending' },
  { ...PLAIN, limit: 'refused' },
);

it('after any events, the mirror equals the server; all news is posted, and no history', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(130),
      habits,
      fc.array(fc.oneof({ weight: 5, arbitrary: step }, { weight: 1, arbitrary: trouble }), {
        maxLength: 30,
      }),
      async (seeded, habit, steps) => {
        const run = new Run(seeded, habit);
        for (const each of steps) await run.take(each);
        await expectEverything(run);
      },
    ),
    { numRuns: 8 },
  );
});

it('without crashes or disk faults, each change is posted once, with no unneeded requests', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(130), fc.array(step, { maxLength: 30 }), async (seeded, steps) => {
      const run = new Run(seeded, { ...PLAIN, limit: PAGE });
      for (const each of steps) await run.take(each);
      await expectEverything(run);
      expectToldOnce(run.world);
      const { requests = 0, held = new Map() } = run.world.copiedThen ?? {};
      const pages = Math.max(1, Math.ceil(held.size / PAGE));
      const { arrivals, arrived, failures } = run.excuses;
      // For each arrival of proposals: the newest page again, and one partly known page; and for each of
      // these pages, one more that shifted while another was read.
      const pushed = Math.floor(arrived / PAGE);
      expect(requests).toBeLessThanOrEqual(pages * 1.02 + 2 * arrivals + pushed + failures);
    }),
    { numRuns: 8 },
  );
});

async function copied(count: number): Promise<MirrorWorld> {
  const world = new MirrorWorld();
  world.server.seed(count);
  world.start();
  await world.calm(10 * MINUTE);
  expect(byId(world.wholes())).toEqual(byId(world.server.all()));
  return world;
}

it('files that lost something are copied again, and nothing of the past is told', async () => {
  const world = await copied(350);
  const path = world.disk.paths().find((name) => name.includes('/7-')) ?? expect.fail('nothing is kept');
  world.disk.overwrite(path, world.disk.text(path).replaceAll('Letter', 'Lettre'));
  await world.restart();
  await world.calm(30 * MINUTE);
  expect(byId(world.wholes())).toEqual(byId(world.server.all()));
  expect(world.handed).toEqual([]);
});

it('a full disk delays news, and is no trouble of the profile', async () => {
  const world = await copied(50);
  world.server.arrive(1);
  world.disk.fault = (operation) => (operation === 'write' ? 'ENOSPC' : undefined);
  await world.calm(4 * MINUTE);
  expect(world.wholes()).toHaveLength(50);
  expect(world.mirror.estimateProgress()).not.toMatchObject([{ trouble: expect.anything() }]);
  world.disk.fault = () => undefined;
  await world.calm(2 * MINUTE);
  expect(world.wholes()).toHaveLength(51);
});

it('old proposals that are imported later are found by the next sweeps, silently', async () => {
  const world = await copied(350);
  for (let n = 0; n < 40; n++) world.server.backfill();
  await world.calm(50 * HOUR);
  expect(byId(world.wholes())).toEqual(byId(world.server.all()));
  expect(world.handed).toEqual([]);
});
