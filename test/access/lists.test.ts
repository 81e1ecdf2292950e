import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AccessList, AccessScope } from '../../src/access/access.ts';
import { auditOf } from '../audit/entries.ts';
import { AccessWorld, ana, ben, boss, C1, C2, grantees, inNoGroup, team, user } from './world.ts';

let world: AccessWorld;
beforeEach(() => {
  world = new AccessWorld();
});

describe('a list', () => {
  it('names nobody at first', async () => {
    expect(await world.access.readAccessList(C1)).toEqual({
      team,
      scope: C1,
      bidder: grantees(),
      admin: grantees(),
      revision: 0,
    });
  });

  it('is replaced as a whole, and the audit log tells who was added and removed', async () => {
    await world.set(C1, { bidder: grantees([ana, ana, ben], ['S1']) });
    const { kind, list } = await world.set(C1, {
      bidder: grantees([ben], ['S2']),
      admin: grantees([ana]),
    });
    expect(kind).toBe('changed');
    expect(list).toMatchObject({ revision: 2, by: boss, at: world.clock.now() });
    expect(await world.access.readAccessList(C1)).toEqual(list);
    const here = { by: boss, channel: C1, kind: 'access-changed' };
    expect(await world.acts()).toEqual([
      { ...here, role: 'bidder', added: grantees([ana, ben], ['S1']), removed: grantees() },
      { ...here, role: 'bidder', added: grantees([], ['S2']), removed: grantees([ana], ['S1']) },
      { ...here, role: 'admin', added: grantees([ana]), removed: grantees() },
    ]);
  });

  it('of everywhere stands in the log without a channel', async () => {
    await world.set('everywhere', { admin: grantees([ana]) });
    expect(await world.acts()).toEqual([
      {
        by: boss,
        channel: undefined,
        kind: 'access-changed',
        role: 'admin',
        added: grantees([ana]),
        removed: grantees(),
      },
    ]);
  });

  it('stays as it is for whoever has not seen the newest', async () => {
    await world.set(C1, { bidder: grantees([ana]) }, ben);
    const late = await world.access.changeAccessList({
      scope: C1,
      bidder: grantees(),
      admin: grantees([boss]),
      by: boss,
      seenRevision: 0,
    });
    expect(late).toMatchObject({ kind: 'stale', list: { by: ben, bidder: { users: [ana] } } });
    expect(await world.access.readAccessList(C1)).toMatchObject({ admin: grantees(), revision: 1 });
    expect(await world.acts()).toHaveLength(1);
  });

  it('that is the same in another order is not changed', async () => {
    await world.set(C1, { bidder: grantees([ana, ben], ['S1', 'S2']) });
    const again = await world.set(C1, { bidder: grantees([ben, ana], ['S2', 'S1']) });
    expect(again).toMatchObject({ kind: 'same', list: { revision: 1 } });
    expect(await world.acts()).toHaveLength(1);
  });

  it('is what the audit log, replayed, says: no change is without its entry', async () => {
    const some = fc.record({
      users: fc.uniqueArray(fc.constantFrom(...['U1', 'U2', 'U3'].map(user))),
      groups: fc.uniqueArray(fc.constantFrom('S1', 'S2')),
    });
    const change = fc.record({
      scope: fc.constantFrom<AccessScope>('everywhere', C1, C2),
      bidder: some,
      admin: some,
      behind: fc.nat(1),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const it = new AccessWorld();
        for (const { scope, behind, ...lists } of changes) {
          const { revision } = await it.access.readAccessList(scope);
          await it.access.changeAccessList({ scope, ...lists, by: boss, seenRevision: revision - behind });
        }
        for (const scope of ['everywhere', C1, C2] as const)
          expect(namesOf(await it.access.readAccessList(scope))).toEqual(await replay(it, scope));
      }),
      { numRuns: 60 },
    );
  });
});

function namesOf({ bidder, admin }: Pick<AccessList, 'bidder' | 'admin'>): readonly string[] {
  const name = (role: string, each: AccessList['bidder']) =>
    [...each.users, ...each.groups].map((id) => `${role} ${id}`);
  return [...name('bidder', bidder), ...name('admin', admin)].toSorted();
}

async function replay(it: AccessWorld, scope: AccessScope): Promise<readonly string[]> {
  const names = new Set<string>();
  for (const { channel, act } of await auditOf(it.store, team)) {
    if (act.kind !== 'access-changed' || (channel ?? 'everywhere') !== scope) continue;
    for (const id of [...act.removed.users, ...act.removed.groups])
      expect(names.delete(`${act.role} ${id}`)).toBe(true);
    for (const id of [...act.added.users, ...act.added.groups]) names.add(`${act.role} ${id}`);
  }
  return [...names].toSorted();
}

describe('what was granted to somebody', () => {
  it('is the highest of the channel and of everywhere', async () => {
    await world.set('everywhere', { bidder: grantees([ana]) });
    await world.set(C1, { admin: grantees([ana]) });
    const roleIn = async (channel?: typeof C1) =>
      (await world.access.findGrantedRole(ana, channel, inNoGroup)).role;
    expect(await roleIn(C1)).toBe('admin');
    expect(await roleIn(C2)).toBe('bidder');
    expect(await roleIn()).toBe('bidder');
    expect((await world.access.findGrantedRole(ben, C1, inNoGroup)).role).toBe('viewer');
  });

  it('asks a group only where it can raise the role', async () => {
    const asked: string[] = [];
    const isMember = async (group: string) => {
      asked.push(group);
      return true;
    };
    await world.set(C1, { bidder: grantees([ana], ['S1']), admin: grantees([], ['S2']) });
    await world.set('everywhere', { admin: grantees([ben], ['S2', 'S3']) });
    expect(await world.access.findGrantedRole(ben, C1, isMember)).toEqual({
      role: 'admin',
      isUncertain: false,
    });
    expect(asked).toEqual([]);
    expect((await world.access.findGrantedRole(ana, C1, isMember)).role).toBe('admin');
    expect(asked).toEqual(['S2', 'S3']);
  });

  it.each([
    [
      { S1: true, S2: undefined },
      { role: 'bidder', isUncertain: true },
    ],
    [
      { S1: undefined, S2: true },
      { role: 'admin', isUncertain: false },
    ],
    [
      { S1: undefined, S2: false },
      { role: 'viewer', isUncertain: true },
    ],
    [
      { S1: false, S2: false },
      { role: 'viewer', isUncertain: false },
    ],
  ])('with groups that answer %j is %j', async (answers: Record<string, boolean | undefined>, grant) => {
    await world.set(C1, { bidder: grantees([], ['S1']), admin: grantees([], ['S2']) });
    expect(await world.access.findGrantedRole(ana, C1, async (group) => answers[group])).toEqual(grant);
  });
});
