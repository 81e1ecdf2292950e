import { beforeEach, describe, expect, it } from 'vitest';
import { accessRequests } from '../../src/access/access.ts';
import { DAY } from '../../src/clock.ts';
import { AccessWorld, ana, ben, boss, C1, C2, DM, grantees, inNoGroup, team, user } from './world.ts';

let world: AccessWorld;
beforeEach(() => {
  world = new AccessWorld();
});

const asBidder = { user: ana, channel: C1, role: 'bidder' } as const;

async function places(): Promise<readonly string[]> {
  return (await world.posts()).map(({ channel }) => channel).toSorted();
}

async function roleOf(who = ana, channel = C1) {
  return (await world.access.findGrantedRole(who, channel, inNoGroup)).role;
}

describe('asking for a role', () => {
  it('is told in the channel and to each admin who is known by name', async () => {
    await world.set(C1, { admin: grantees([ben], ['S1']) });
    await world.set('everywhere', { admin: grantees([user('UEVE'), boss]) });
    await world.set(C2, { admin: grantees([user('UOTHER')]) });
    const { request, isNew, notifiedCount } = await world.access.requestRole(asBidder);
    expect({ isNew, told: notifiedCount }).toEqual({ isNew: true, told: 4 });
    expect(await places()).toEqual(['C1', 'UBEN', 'UBOSS', 'UEVE']);
    for (const { content } of await world.posts())
      expect(content).toEqual({ kind: 'access-request', request: request.id });
    expect((await world.acts()).at(-1)).toEqual({
      by: ana,
      channel: C1,
      kind: 'access-asked',
      role: 'bidder',
    });
    expect(await roleOf()).toBe('viewer');
  });

  it('again, or many at once, is the same request', async () => {
    const all = await Promise.all([1, 2, 3].map(() => world.access.requestRole(asBidder)));
    expect(new Set(all.map(({ request }) => request.id)).size).toBe(1);
    expect(all.map(({ isNew, notifiedCount }) => `${isNew} ${notifiedCount}`)).toEqual([
      'true 2',
      'false 2',
      'false 2',
    ]);
    expect(await places()).toEqual(['C1', 'UBOSS']);
    expect((await world.acts()).map(({ kind }) => kind)).toEqual(['access-asked']);
  });

  it('for another role, in another channel or by somebody else is another request', async () => {
    const asks = [
      asBidder,
      { ...asBidder, role: 'admin' as const },
      { ...asBidder, channel: C2 },
      { ...asBidder, user: ben },
    ];
    const ids = [];
    for (const each of asks) ids.push((await world.access.requestRole(each)).request.id);
    expect(new Set(ids).size).toBe(4);
  });

  it('in a direct message is told to admins of everywhere alone, and says when there is none', async () => {
    await world.set(C1, { admin: grantees([ben]) });
    expect(await world.access.requestRole({ ...asBidder, channel: DM })).toMatchObject({ notifiedCount: 1 });
    expect(await places()).toEqual(['UBOSS']);
    const alone = new AccessWorld([ana]);
    expect(await alone.access.requestRole({ ...asBidder, channel: DM })).toMatchObject({ notifiedCount: 0 });
    expect(await alone.posts()).toEqual([]);
  });

  it('writes to ten admins at the most, those of the channel first', async () => {
    const many = Array.from({ length: 30 }, (_, each) => user(`UE${each}`));
    await world.set('everywhere', { admin: grantees(many) });
    await world.set(C1, { admin: grantees([ben]) });
    const { request, notifiedCount } = await world.access.requestRole(asBidder);
    expect(notifiedCount).toBe(11);
    expect(await places()).toContain('UBEN');
    await world.access.decideAccessRequest({ request: request.id, by: ben, grant: true });
    const shown = (await world.posts()).filter(({ revision }) => revision === 1);
    expect(shown).toHaveLength(11);
  });
});

describe('the answer', () => {
  it('grants the role where it was requested, shows in all posts, and informs the requester', async () => {
    const { request } = await world.access.requestRole(asBidder);
    const at = world.clock.now() + DAY;
    world.clock.moveTo(at);
    const outcome = await world.access.decideAccessRequest({ request: request.id, by: ben, grant: true });
    expect(outcome).toMatchObject({ kind: 'decided', request: { decided: { by: ben, at, granted: true } } });
    expect(await world.access.readAccessRequest(request.id)).toEqual(outcome?.request);
    expect([await roleOf(), await roleOf(ana, C2)]).toEqual(['bidder', 'viewer']);
    expect(await world.access.readAccessList(C1)).toMatchObject({ revision: 1, by: ben });
    const posts = await world.posts();
    expect(posts.map(({ channel, revision }) => `${channel} ${revision}`).toSorted()).toEqual([
      'C1 1',
      'UANA 0',
      'UBOSS 1',
    ]);
    expect((await world.acts()).at(-1)).toEqual({
      by: ben,
      channel: C1,
      kind: 'access-decided',
      role: 'bidder',
      user: ana,
      granted: true,
    });
  });

  it('to what was asked in a direct message holds everywhere', async () => {
    const { request } = await world.access.requestRole({
      user: ana,
      channel: DM,
      role: 'admin',
    });
    await world.access.decideAccessRequest({ request: request.id, by: boss, grant: true });
    expect([await roleOf(ana, C1), await roleOf(ana, C2)]).toEqual(['admin', 'admin']);
    expect((await world.acts()).at(-1)).toMatchObject({ kind: 'access-decided', channel: undefined });
  });

  it('is given once, however many press', async () => {
    const { request } = await world.access.requestRole(asBidder);
    const presses = [ben, boss].map((by, each) =>
      world.access.decideAccessRequest({ request: request.id, by, grant: each === 0 }),
    );
    const [first, second] = await Promise.all(presses);
    expect(first?.kind).toBe('decided');
    expect(second).toMatchObject({ kind: 'taken', request: { decided: { by: ben, granted: true } } });
    expect(await roleOf()).toBe('bidder');
    expect((await world.acts()).filter(({ kind }) => kind === 'access-decided')).toHaveLength(1);
  });

  it('that declines changes no list, and lets the person ask again', async () => {
    const { request } = await world.access.requestRole(asBidder);
    await world.access.decideAccessRequest({ request: request.id, by: boss, grant: false });
    expect(await roleOf()).toBe('viewer');
    expect(await world.access.readAccessList(C1)).toMatchObject({ revision: 0 });
    const again = await world.access.requestRole(asBidder);
    expect(again.isNew).toBe(true);
    expect(again.request.id).not.toBe(request.id);
  });

  it('to somebody who has the role by now keeps the list as it is', async () => {
    const { request } = await world.access.requestRole(asBidder);
    await world.set(C1, { bidder: grantees([ana]) });
    await world.access.decideAccessRequest({ request: request.id, by: boss, grant: true });
    expect(await world.access.readAccessList(C1)).toMatchObject({ bidder: grantees([ana]), revision: 1 });
  });

  it('makes an older view of the list stale, so saving it doesn’t silently remove the role', async () => {
    const { request } = await world.access.requestRole(asBidder);
    const { revision: seen } = await world.access.readAccessList(C1);
    await world.access.decideAccessRequest({ request: request.id, by: ben, grant: true });
    const saved = await world.access.changeAccessList({
      scope: C1,
      bidder: grantees([ben]),
      admin: grantees(),
      by: boss,
      seenRevision: seen,
    });
    expect(saved.kind).toBe('stale');
    expect(await roleOf()).toBe('bidder');
  });

  it.each(['', 'nope', 'x'.repeat(2_000)])('to no request (%j) is none', async (id) => {
    expect(await world.access.decideAccessRequest({ request: id, by: boss, grant: true })).toBeUndefined();
    expect(await world.acts()).toEqual([]);
  });
});

it('requests older than 90 days are cleared out a few at a time, and an open one is asked anew', async () => {
  for (let each = 0; each < 12; each++) {
    await world.access.requestRole({ ...asBidder, user: user(`U${each}`) });
    world.clock.moveBy(1);
  }
  const { request } = await world.access.requestRole(asBidder);
  world.clock.moveBy(91 * DAY);
  const count = async () =>
    (await world.store.read((tx) => tx.list(accessRequests, { prefix: [team], limit: 100 }))).length;
  const again = await world.access.requestRole(asBidder);
  expect(again.isNew).toBe(true);
  expect(again.request.id).not.toBe(request.id);
  expect(await count()).toBe(8);
  for (let each = 0; each < 3; each++)
    await world.access.requestRole({ ...asBidder, channel: C2, user: user(`U${each}`) });
  expect(await count()).toBe(4);
});
