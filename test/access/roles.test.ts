import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRole, hasRoleAtLeast, ROLES } from '../../src/access/access.ts';
import { compareAccessLists } from '../../src/access/create-access.ts';
import { TeamId, UserId } from '../../src/ids.ts';

const home = TeamId.parse('T1');
const away = TeamId.parse('T2');
const ana = UserId.parse('UANA');
const flag = fc.boolean();

describe('the role of a person', () => {
  it('is outsider for guests, strangers and people of other workspaces, whatever a list says', () => {
    const outside = fc
      .record({ isGuest: flag, isExternal: flag, foreign: flag, isWorkspaceAdmin: flag })
      .filter(({ isGuest, isExternal, foreign }) => isGuest || isExternal || foreign);
    fc.assert(
      fc.property(outside, flag, fc.constantFrom(...ROLES), ({ foreign, ...facts }, named, granted) => {
        const person = { ids: [ana], team: foreign ? away : home, teams: [], ...facts };
        expect(decideRole(person, home, new Set(named ? [ana] : []), granted)).toBe('outsider');
      }),
    );
  });

  it('is the granted one for members, and always admin for workspace and configured admins', () => {
    const flags = { isGuest: false, isExternal: false, isWorkspaceAdmin: false };
    const member = { ids: [ana], team: home, teams: [], ...flags };
    expect(decideRole(member, home, new Set())).toBe('viewer');
    expect(decideRole(member, home, new Set(), 'bidder')).toBe('bidder');
    expect(decideRole({ ...member, isWorkspaceAdmin: true }, home, new Set(), 'bidder')).toBe('admin');
    expect(decideRole(member, home, new Set([ana]), 'viewer')).toBe('admin');
  });
});

it('each role may do what those before it may, and no more', () => {
  for (const [has, one] of ROLES.entries())
    for (const [needs, other] of ROLES.entries()) expect(hasRoleAtLeast(one, other)).toBe(has >= needs);
});

it('two lists differ by who was added and removed, role by role', () => {
  const grantees = (users: readonly string[], groups: readonly string[] = []) => ({
    users: users.map((it) => UserId.parse(it)),
    groups: [...groups],
  });
  const before = { bidder: grantees(['UANA', 'UBEN'], ['S1']), admin: grantees(['UANA']) };
  const after = { bidder: grantees(['UBEN'], ['S2', 'S1']), admin: grantees(['UANA']) };
  expect(compareAccessLists(before, after)).toEqual([
    { role: 'bidder', added: grantees([], ['S2']), removed: grantees(['UANA']) },
  ]);
  expect(compareAccessLists(after, { ...after, bidder: grantees(['UBEN'], ['S1', 'S2']) })).toEqual([]);
});
