import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/clock.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import { listNewOutcomes, postedOutcomes } from '../../src/proposals/outcomes.ts';
import type { Store } from '../../src/storage/store.ts';
import { START, team } from '../bidding/follow-world.ts';
import { plainProposal } from '../plain-proposal.ts';
import { HOME, OutcomesWorld, sent } from './outcomes-world.ts';

describe('an outcome', () => {
  it('is told to every channel that follows the profile, with what matters', async () => {
    const world = new OutcomesWorld();
    await world.follow('C1');
    await world.follow('C2');
    await world.follow('C3', { profile: 2 });
    const before = sent(17, {
      freelancer: { id: 3, name: 'Ana Silva' },
      template: { id: 9, name: 'Shops' },
      variant: 'B',
      connects: 16,
      boost: 10,
      position: 3,
    });
    await world.turn(before, { hired: true });
    expect(await world.messages('C1')).toEqual([
      {
        proposal: 17,
        outcomes: ['hired'],
        title: 'Job 17',
        freelancer: 'Ana Silva',
        profile: 'Acme Agency',
        template: 'Shops',
        variant: 'B',
        connects: 16,
        boost: 10,
        position: 3,
        submittedAt: START + 3_600_000,
      },
    ]);
    expect(await world.told('C2')).toEqual(['17: hired']);
    expect(await world.posts('C3')).toEqual([]);
  });

  it('that comes with others of the same proposal is one message', async () => {
    const world = new OutcomesWorld();
    await world.follow('C1');
    await world.turn(sent(17), { viewed: true, interviewed: true });
    expect(await world.told('C1')).toEqual(['17: viewed, interviewed']);
  });

  it('that goes and comes again is told once', async () => {
    const world = new OutcomesWorld();
    await world.follow('C1');
    let now = await world.turn(sent(17), { viewed: true, boostOutbid: true });
    now = await world.turn(now, { viewed: false, boostOutbid: false });
    now = await world.turn(now, { viewed: true });
    now = await world.turn(now, { interviewed: true });
    now = await world.turn(now, { boostOutbid: true });
    expect(await world.told('C1')).toEqual(['17: viewed, outbid', '17: interviewed']);
  });

  it('that was true in the past is not told when it comes again', async () => {
    const world = new OutcomesWorld();
    await world.follow('C1');
    const past = sent(17, { viewed: true, submittedAt: START - DAY });
    await world.tell({ now: past });
    const now = await world.turn(past, { viewed: false });
    await world.turn(now, { viewed: true });
    expect(await world.told('C1')).toEqual([]);
  });

  it('of a first copy is the past, but for what was sent since the channel follows', async () => {
    const world = new OutcomesWorld();
    await world.follow('C1');
    await world.follow('C2', { startsAt: START + 5_400_000 });
    await world.tell(
      ...Array.from({ length: 60 }, (_, place) => ({
        now: sent(place + 100, { viewed: true, hired: true, submittedAt: START - DAY }),
      })),
      { now: sent(17, { viewed: true }) },
    );
    expect(await world.told('C1')).toEqual(['17: viewed']);
    expect(await world.told('C2')).toEqual([]);
  });

  it('is told once, although a copy had to be made anew', async () => {
    const world = new OutcomesWorld();
    await world.follow('C1', { startsAt: START - 300 * DAY });
    const old = sent(16, { hired: true, submittedAt: START - 100 * DAY });
    const fresh = await world.turn(sent(17), { viewed: true });
    await world.tell({ now: old }, { now: fresh });
    expect(await world.told('C1')).toEqual(['17: viewed']);
  });

  it('of a proposal without a profile is told to nobody', async () => {
    const world = new OutcomesWorld();
    await world.follow('C1');
    const { profile: _, ...nobody } = sent(17);
    await world.turn(nobody, { viewed: true });
    expect(await world.posts('C1')).toEqual([]);
  });
});

describe('a flood of outcomes', () => {
  it('is ten messages and one line a channel', async () => {
    const world = new OutcomesWorld();
    await world.follow('C1');
    const all = Array.from({ length: 200 }, (_, place) => sent(place + 1));
    const changes = all.map((before) => ({
      before,
      now: { ...before, viewed: true, hired: before.id === 7 },
    }));
    await world.tell(...changes);
    await world.tell(...changes);
    const told = await world.told('C1');
    expect(told).toHaveLength(10);
    expect(told).toContain('7: viewed, hired');
    expect(await world.rests('C1')).toEqual([
      { proposals: 190, counts: [{ outcome: 'viewed', count: 190 }] },
    ]);
    expect((await world.posts('C1')).at(-1)?.content.kind).toBe('outcomes-rest');
  });
});

describe('a proposal of a job of ours', () => {
  it('shows on its card and is told in its thread, and by nothing else in that channel', async () => {
    const world = new OutcomesWorld();
    await world.follow('C1');
    await world.follow('C2');
    await world.keepJob('A17', { proposal: linkedOf(sent(17)) });
    await world.turn(sent(17), { viewed: true, position: 4 });
    expect(await world.thread()).toEqual([
      { about: 'proposal-outcome', job: 12, proposal: 17, outcomes: ['viewed'] },
    ]);
    expect(await world.job()).toMatchObject({ proposal: { viewed: true, position: 4 }, told: 1 });
    expect((await world.posts('C1')).find(({ id }) => id === HOME)).toMatchObject({ revision: 1 });
    expect(await world.told('C1')).toEqual([]);
    expect(await world.told('C2')).toEqual(['17: viewed']);
  });

  it('is told in its thread also where nobody follows outcomes', async () => {
    const world = new OutcomesWorld();
    await world.keepJob('A17', { proposal: linkedOf(sent(17)) });
    const now = await world.turn(sent(17), { interviewed: true });
    await world.turn(now, { interviewed: false });
    await world.turn({ ...now, interviewed: false }, { interviewed: true });
    expect(await world.thread()).toEqual([
      { about: 'proposal-outcome', job: 12, proposal: 17, outcomes: ['interviewed'] },
    ]);
  });

  it('that was not linked yet is linked, and its job followed no more', async () => {
    const world = new OutcomesWorld();
    await world.follow('C2', { kind: 'invitations' });
    const follow = { state: 'following', since: START, step: 1, dueAt: START } as const;
    await world.keepJob('A17', { follow });
    await world.tell({ now: sent(17, { viewed: true, connects: 16 }) });
    expect(await world.thread()).toEqual([
      { about: 'proposal-found', job: 12, proposal: 17, connects: 16 },
      { about: 'proposal-outcome', job: 12, proposal: 17, outcomes: ['viewed'] },
    ]);
    expect(await world.job()).toMatchObject({ follow: { state: 'settled' }, proposal: { id: 17 } });
    expect(await world.posts('C2')).toEqual([]);
  });

  it('that a first copy finds in the past shows on the card, and nothing is said', async () => {
    const world = new OutcomesWorld();
    await world.follow('C1');
    await world.keepJob('A17', { knownAt: START - 2 * DAY, proposal: linkedOf(sent(17)) });
    await world.tell({ now: sent(17, { viewed: true, submittedAt: START - DAY }) });
    expect(await world.job()).toMatchObject({ proposal: { viewed: true }, told: 0 });
    expect((await world.posts('C1')).map(({ id, revision }) => ({ id, revision }))).toEqual([
      { id: HOME, revision: 1 },
    ]);
  });

  it('does not tell what stood on its card since it was linked', async () => {
    const world = new OutcomesWorld();
    await world.follow('C1');
    await world.keepJob('A17', { proposal: linkedOf(sent(17, { viewed: true })) });
    await world.tell({ now: sent(17, { viewed: true }) });
    expect(await world.thread()).toEqual([]);
    expect(await world.told('C1')).toEqual([]);
  });
});

describe('whatever happens to a proposal', () => {
  it('cut off before or after its commit and told again, each outcome is told once', async () => {
    const fate = fc.record({
      viewed: fc.boolean(),
      interviewed: fc.boolean(),
      hired: fc.boolean(),
      boostOutbid: fc.boolean(),
    });
    const states = fc.array(fc.record({ fate, cut: fc.constantFrom('no', 'before', 'after') }), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(states, fc.boolean(), async (given, isOurs) => {
        const world = new OutcomesWorld();
        await world.follow('C1');
        await world.follow('C2');
        if (isOurs) await world.keepJob('A17', { proposal: linkedOf(sent(17)) });
        let before = sent(17);
        for (const state of given) before = await passThrough(world, before, state);
        const ever = outcomesEver(given.map((each) => each.fate));
        const thread = (await world.thread()).flatMap((each) => ('outcomes' in each ? each.outcomes : []));
        const messages = (await world.messages('C1')).flatMap((each) => each.outcomes);
        const others = (await world.messages('C2')).flatMap((each) => each.outcomes);
        expect((isOurs ? thread : messages).sort()).toEqual(ever);
        // A hire is always a message of its own.
        expect(isOurs ? messages : thread).toEqual(isOurs ? ever.filter((each) => each === 'hired') : []);
        expect(others.sort()).toEqual(ever);
      }),
      { numRuns: 150 },
    );
  });

  it('what is remembered of it is cleared out after half a year', async () => {
    const world = new OutcomesWorld();
    await world.follow('C1');
    await world.turn(sent(17), { viewed: true });
    world.clock.moveBy(181 * DAY);
    await world.turn(sent(18, { submittedAt: world.clock.now() }), { hired: true });
    const left = await world.disk.read((tx) => tx.list(postedOutcomes, { prefix: [team], limit: 10 }));
    expect(left.map(({ value }) => value.proposal)).toEqual([18]);
  });
});

type Fate = Partial<Proposal>;

/** Changes the proposal's status; if the process dies while posting it, another one posts it again. */
async function passThrough(
  world: OutcomesWorld,
  before: Proposal,
  { fate, cut }: { readonly fate: Fate; readonly cut: string },
): Promise<Proposal> {
  const now = { ...before, ...fate };
  if (cut !== 'no') {
    world.wrap = (disk) => failing(disk, cut);
    await expect(world.tell({ before, now })).rejects.toThrow('cut off');
    world.wrap = (disk) => disk;
  }
  return world.turn(before, fate);
}

function outcomesEver(fates: readonly Fate[]): string[] {
  const ever = new Set(
    fates.flatMap((fate) => listNewOutcomes({ before: plainProposal(1), now: plainProposal(1, fate) }, 0)),
  );
  return [...ever].sort();
}

function failing(disk: Store, cut: string): Store {
  return {
    ...disk,
    transact: async (work) => {
      if (cut === 'after') await disk.transact(work);
      throw new Error('cut off');
    },
  };
}

function linkedOf(of: Proposal) {
  const { id, submittedAt = 0, viewed, interviewed, hired, withdrawn, boostOutbid } = of;
  return { id, submittedAt, viewed, interviewed, hired, withdrawn, boostOutbid };
}
