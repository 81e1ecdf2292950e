import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { ProfileId, ProposalId } from '../../src/ids.ts';
import { profile, proposal } from './mirror-server.ts';
import { byId, MirrorWorld } from './mirror-world.ts';

const id = (n: number) => ProposalId.parse(n);
const other = ProfileId.parse(8);

async function copied(seeded: number): Promise<MirrorWorld> {
  const made = new MirrorWorld();
  made.server.seed(seeded);
  made.start();
  await made.copied();
  return made;
}

function expectSame(made: MirrorWorld): void {
  expect(byId(made.wholes())).toEqual(byId(made.server.all()));
}

describe('trouble', () => {
  it('of one disconnected profile holds up no other, and is retried every six hours', async () => {
    const made = new MirrorWorld();
    made.followed.add(other);
    made.server.seed(120);
    made.server.seed(120, other);
    made.server.gone.add(other);
    made.start();
    await made.calm(HOUR);
    expect(made.mirror.estimateProgress()).toMatchObject([
      { profile, state: 'complete', held: 120 },
      { profile: other, state: 'waiting', held: 0, trouble: { code: 'not-found' } },
    ]);
    expect(made.server.answered.filter((query) => query.profile === other)).toHaveLength(1);
    await made.calm(DAY);
    expect(made.server.answered.filter((query) => query.profile === other)).toHaveLength(4);
    made.server.gone.clear();
    await made.calm(7 * HOUR);
    expectSame(made);
    expect(made.mirror.estimateProgress().map(({ trouble }) => trouble)).toEqual([undefined, undefined]);
  });

  it('of one profile backs off to ten-minute retries, so outcomes come soon after an outage', async () => {
    const made = await copied(10);
    const before = made.server.answered.length;
    made.server.failures = Array.from({ length: 1_000 }, () => 'server' as const);
    await made.calm(HOUR);
    // 30 s, 1, 2, 4, 8 minutes, then every ten.
    expect(made.server.answered.length - before).toBeLessThanOrEqual(11);
    await made.calm(DAY);
    expect(made.server.answered.length - before).toBeLessThanOrEqual(156);
    made.server.failures = [];
    made.server.arrive(1);
    await made.calm(15 * MINUTE);
    expectSame(made);
  });

  it('of the account lets all profiles rest', async () => {
    const made = new MirrorWorld();
    made.followed.add(other);
    made.server.seed(10);
    made.server.seed(10, other);
    made.start();
    made.server.failures = ['unauthorised'];
    await made.answer();
    expect(made.server.pending).toEqual([]);
    made.clock.moveBy(MINUTE);
    await made.settle();
    expect(made.server.pending).toEqual([]);
    await made.calm(10 * MINUTE);
    expectSame(made);
  });

  it('gives each of several profiles its turn', async () => {
    const made = new MirrorWorld();
    made.followed.add(other);
    made.server.seed(1_000);
    made.server.seed(1_000, other);
    made.start();
    for (let n = 0; n < 10; n++) await made.answer();
    expect(made.mirror.estimateProgress().map(({ held }) => held)).toEqual([500, 500]);
  });
});

describe('files that lost something', () => {
  it('are made whole again from the first page on, and nothing of the past is told', async () => {
    const made = await copied(350);
    const path = made.disk.paths().find((name) => name.includes('/7-'));
    if (path === undefined) throw new Error('nothing is kept');
    made.disk.overwrite(path, made.disk.text(path).replaceAll('Letter', 'Lettre'));
    await made.restart();
    await made.calm(30 * MINUTE);
    expectSame(made);
    expect(made.handed).toEqual([]);
  });

  it('that are gone altogether are copied again', async () => {
    const made = await copied(350);
    for (const path of made.disk.paths()) made.disk.forget(path);
    await made.restart();
    await made.calm(30 * MINUTE);
    expectSame(made);
    expect(made.handed).toEqual([]);
  });
});

describe('a profile that nobody follows any more', () => {
  it('is read no more, and forgotten with its files after 30 days', async () => {
    const made = await copied(120);
    made.followed.clear();
    made.mirror.wake();
    await made.calm(29 * DAY);
    const { length } = made.server.answered;
    expect(made.mirror.size).toBe(120);
    await made.restart();
    expect(made.mirror.size).toBe(120);
    await made.calm(2 * DAY);
    expect(made.mirror.size).toBe(0);
    expect([...made.mirror.listNewestFirst()]).toEqual([]);
    expect(made.forgotten).toHaveLength(120);
    expect(made.disk.paths()).toEqual([]);
    expect(made.server.answered).toHaveLength(length);
    expect(await made.sync()).toBeUndefined();
  });

  it('and is followed again is copied anew: what happened meanwhile is the past', async () => {
    const made = await copied(120);
    made.followed.clear();
    made.mirror.wake();
    await made.calm(HOUR);
    made.server.change(id(100));
    made.server.arrive(5);
    made.followed.add(profile);
    made.mirror.wake();
    await made.calm(MINUTE);
    expectSame(made);
    expect(made.handed).toEqual([]);
    made.server.change(id(100));
    await made.calm(3 * MINUTE);
    expect(made.handed.map(({ now }) => now.id)).toEqual([100]);
  });
});

describe('a proposal that was read elsewhere', () => {
  it('is kept and handed over like one of a page', async () => {
    const made = await copied(10);
    made.clock.moveBy(SECOND);
    made.server.arrive(1);
    const [fresh] = made.server.all().filter((each) => each.id === 11);
    if (!fresh) throw new Error('nothing has arrived');
    await made.mirror.addFetchedProposal(fresh);
    await made.mirror.addFetchedProposal({ ...proposal(3, made.server.all()[2]?.submittedAt), hired: true });
    expect(made.handed.map(({ now, before }) => [now.id, now.hired, before?.hired])).toEqual([
      [11, false, undefined],
      [3, true, false],
    ]);
    await made.restart();
    expect(made.mirror.get(id(3))?.hired).toBe(true);
  });

  it('of a profile that nobody follows is left alone', async () => {
    const made = await copied(10);
    await made.mirror.addFetchedProposal(proposal(900, made.clock.now(), ProfileId.parse(8)));
    expect(made.mirror.get(id(900))).toBeUndefined();
  });

  it('is not undone by a page that was asked for earlier', async () => {
    const made = await copied(10);
    made.clock.moveBy(2 * MINUTE);
    await made.settle();
    expect(made.server.pending).toHaveLength(1);
    const old = made.server.all()[9];
    if (!old) throw new Error('nothing there');
    made.clock.moveBy(SECOND);
    await made.mirror.addFetchedProposal({ ...old, hired: true });
    await made.answer();
    expect(made.mirror.get(old.id)?.hired).toBe(true);
    expect(made.handed).toHaveLength(1);
  });
});
