import { beforeEach, describe, expect, it } from 'vitest';
import type { AccessList, AccessScope, Grantees } from '../../../src/access/access.ts';
import { type AccessService, createAccessService } from '../../../src/access/create-access.ts';
import { DAY, MINUTE, SECOND } from '../../../src/clock.ts';
import { ChannelId, TeamId, UserId } from '../../../src/ids.ts';
import { silentLog } from '../../../src/log.ts';
import { createPersonResolver, type PersonResolver } from '../../../src/slack/core/person-resolver.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import { createMemoryStore } from '../../memory-store.ts';

const user = UserId.parse('U1');
const boss = UserId.parse('UBOSS');

let clock: ManualClock;
let asked: number;
let answer: (id: UserId) => Promise<unknown>;
let people: PersonResolver;
let access: AccessService;
let asksOfGroups: string[];
/** How far the directory's clock was set back. */
let setBackBy: number;
let groupAnswer: (group: string) => Promise<unknown>;

const C1 = ChannelId.parse('C1');
const C2 = ChannelId.parse('C2');

/** Runs everything that isn't waiting for a timer. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Replaces the stored list. */
async function grant(scope: AccessScope, lists: { bidder?: Partial<Grantees>; admin?: Partial<Grantees> }) {
  const whole = (some: Partial<Grantees> = {}): Grantees => ({ users: [], groups: [], ...some });
  const { revision }: AccessList = await access.readAccessList(scope);
  const { bidder, admin } = lists;
  await access.changeAccessList({
    scope,
    bidder: whole(bidder),
    admin: whole(admin),
    by: boss,
    seenRevision: revision,
  });
}

function says(fields: object) {
  answer = async (id) => ({ ok: true, user: { id, team_id: 'T1', tz: 'Europe/Berlin', ...fields } });
}

beforeEach(() => {
  clock = new ManualClock();
  setBackBy = 0;
  asked = 0;
  asksOfGroups = [];
  groupAnswer = async () => ({ ok: true, users: [user] });
  says({});
  const team = TeamId.parse('T1');
  const admins = new Set([boss]);
  access = createAccessService({ store: createMemoryStore(), clock, random: () => 0.5, admins });
  people = createPersonResolver({
    access,
    members: (group) => {
      asksOfGroups.push(group);
      return groupAnswer(group);
    },
    info: (id) => {
      asked++;
      return answer(id);
    },
    team,
    admins,
    clock: {
      now: () => clock.now() - setBackBy,
      monotonicNow: () => clock.monotonicNow(),
      runAfter: clock.runAfter.bind(clock),
      sleep: clock.sleep,
    },
    log: silentLog,
  });
});

describe('the role of a person', () => {
  it.each([
    ['a member', {}, 'viewer'],
    ['an admin of the workspace', { is_admin: true }, 'admin'],
    ['an owner', { is_owner: true }, 'admin'],
    ['a guest, whatever else is set', { is_admin: true, is_restricted: true }, 'outsider'],
    ['a guest of one channel', { is_admin: true, is_ultra_restricted: true }, 'outsider'],
    ['a stranger', { is_admin: true, is_stranger: true }, 'outsider'],
    ['somebody of another workspace', { is_admin: true, team_id: 'T2' }, 'outsider'],
    ['somebody who has left', { is_admin: true, deleted: true }, 'outsider'],
    ['an answer about somebody else', { is_admin: true, id: 'U2' }, 'outsider'],
  ])('%s', async (_, fields, role) => {
    says(fields);
    expect((await people.resolvePerson(user)).role).toBe(role);
  });

  it('of a configured admin is admin, unless a guest', async () => {
    expect(await people.resolvePerson(boss)).toEqual({
      user: boss,
      role: 'admin',
      timezone: 'Europe/Berlin',
    });
    clock.moveBy(6 * MINUTE);
    says({ is_restricted: true });
    expect((await people.resolvePerson(boss)).role).toBe('outsider');
  });

  it('is outsider, marked unsure, while Slack fails or answers oddly, and is then rechecked', async () => {
    answer = () => Promise.reject(new Error('down'));
    expect(await people.resolvePerson(boss)).toEqual({ user: boss, role: 'outsider', unsure: true });
    answer = async () => ({ ok: true });
    expect(await people.resolvePerson(boss)).toEqual({ user: boss, role: 'outsider', unsure: true });
    says({});
    expect(await people.resolvePerson(boss)).toEqual({
      user: boss,
      role: 'admin',
      timezone: 'Europe/Berlin',
    });
  });

  it('waits for a slow answer about somebody new rather than refuse them, though not for ever', async () => {
    let reply: (() => void) | undefined;
    answer = (id) =>
      new Promise((resolve) => {
        reply = () => resolve({ ok: true, user: { id, team_id: 'T1' } });
      });
    const slow = people.resolvePerson(user);
    await Promise.resolve();
    clock.moveBy(5 * SECOND);
    reply?.();
    expect(await slow).toEqual({ user, role: 'viewer' });
    const silent = people.resolvePerson(boss);
    await Promise.resolve();
    clock.moveBy(10 * SECOND);
    expect(await silent).toEqual({ user: boss, role: 'outsider', unsure: true });
  });

  it('is remembered for 5 minutes', async () => {
    await Promise.all([people.resolvePerson(boss), people.resolvePerson(boss)]);
    answer = () => Promise.reject(new Error('down'));
    clock.moveBy(4 * MINUTE);
    expect((await people.resolvePerson(boss)).role).toBe('admin');
    expect(asked).toBe(1);
  });

  it('is asked for again when the clock was set back, since nobody knows how old it is', async () => {
    expect((await people.resolvePerson(boss)).role).toBe('admin');
    setBackBy = DAY;
    says({ is_restricted: true });
    expect((await people.resolvePerson(boss)).role).toBe('outsider');
  });

  it('outlives an outage of Slack for a day, but without the rights of an admin', async () => {
    await people.resolvePerson(user);
    await people.resolvePerson(boss);
    answer = () => Promise.reject(new Error('down'));
    clock.moveBy(6 * MINUTE);
    expect(await people.resolvePerson(user)).toMatchObject({ role: 'viewer', unsure: true });
    expect(await people.resolvePerson(boss)).toMatchObject({ role: 'viewer', unsure: true });
    clock.moveBy(DAY);
    expect((await people.resolvePerson(user)).role).toBe('outsider');
  });

  it('of somebody known keeps no modal waiting when Slack is slow', async () => {
    await people.resolvePerson(user);
    clock.moveBy(6 * MINUTE);
    answer = () => new Promise(() => undefined);
    const person = people.resolvePerson(user);
    await Promise.resolve();
    clock.moveBy(2 * SECOND);
    expect((await person).role).toBe('viewer');
  });

  it('of a guest stays a guest during an outage', async () => {
    says({ is_restricted: true });
    await people.resolvePerson(user);
    answer = () => Promise.reject(new Error('down'));
    clock.moveBy(6 * MINUTE);
    expect((await people.resolvePerson(user)).role).toBe('outsider');
  });
});

describe('a granted role', () => {
  it('holds where it was granted, from the next call on, until it is withdrawn', async () => {
    expect((await people.resolvePerson(user, C1)).role).toBe('viewer');
    await grant(C1, { bidder: { users: [user] } });
    expect((await people.resolvePerson(user, C1)).role).toBe('bidder');
    expect((await people.resolvePerson(user, C2)).role).toBe('viewer');
    expect((await people.resolvePerson(user)).role).toBe('viewer');
    await grant('everywhere', { admin: { users: [user] } });
    expect((await people.resolvePerson(user, C2)).role).toBe('admin');
    expect((await people.resolvePerson(user)).role).toBe('admin');
    await grant('everywhere', {});
    await grant(C1, {});
    expect((await people.resolvePerson(user, C1)).role).toBe('viewer');
    expect(asked).toBe(1);
  });

  it.each([
    ['guests', { is_restricted: true }],
    ['strangers', { is_stranger: true }],
    ['people of other workspaces', { team_id: 'T2' }],
  ])('raises no %s', async (_, fields) => {
    says(fields);
    await grant('everywhere', { bidder: { groups: ['S1'] }, admin: { users: [user] } });
    expect(await people.resolvePerson(user, C1)).toMatchObject({ role: 'outsider' });
  });

  it('comes through a user group, too, whose members are asked for once in 5 minutes', async () => {
    await grant(C1, { bidder: { groups: ['S1'] } });
    const both = await Promise.all([people.resolvePerson(user, C1), people.resolvePerson(boss, C1)]);
    expect(both.map((it) => it.role)).toEqual(['bidder', 'admin']);
    expect((await people.resolvePerson(UserId.parse('U2'), C1)).role).toBe('viewer');
    expect(asksOfGroups).toEqual(['S1']);
    clock.moveBy(6 * MINUTE);
    groupAnswer = async () => ({ ok: true, users: [] });
    expect((await people.resolvePerson(user, C1)).role).toBe('viewer');
  });

  it('is not guessed where a group can not be asked', async () => {
    await grant(C1, { bidder: { groups: ['S1'] } });
    groupAnswer = () => Promise.reject(new Error('missing_scope'));
    expect(await people.resolvePerson(user, C1)).toMatchObject({ role: 'viewer', unsure: true });
    expect((await people.resolvePerson(user, C2)).unsure).toBeUndefined();
    await people.resolvePerson(user, C1);
    expect(asksOfGroups).toEqual(['S1']);
    clock.moveBy(MINUTE);
    groupAnswer = async () => ({ ok: true, users: [user] });
    expect(await people.resolvePerson(user, C1)).toEqual({ user, role: 'bidder', timezone: 'Europe/Berlin' });
  });

  it.each(['nonsense', { ok: true }, { ok: true, users: 'U1' }])(
    'does not follow from %j',
    async (answer) => {
      await grant(C1, { admin: { groups: ['S1'] } });
      groupAnswer = async () => answer;
      expect(await people.resolvePerson(user, C1)).toMatchObject({ role: 'viewer', unsure: true });
    },
  );

  it('of a group outlives an outage for a day, for bidders alone', async () => {
    await grant(C1, { bidder: { groups: ['S1'] } });
    await grant(C2, { admin: { groups: ['S1'] } });
    expect((await people.resolvePerson(user, C2)).role).toBe('admin');
    groupAnswer = () => Promise.reject(new Error('down'));
    clock.moveBy(6 * MINUTE);
    expect((await people.resolvePerson(user, C1)).role).toBe('bidder');
    expect(await people.resolvePerson(user, C2)).toMatchObject({ role: 'viewer', unsure: true });
    clock.moveBy(DAY);
    expect(await people.resolvePerson(user, C1)).toMatchObject({ role: 'viewer', unsure: true });
  });

  it('makes an admin a bidder while Slack can’t identify people, and gives strangers nothing', async () => {
    await grant(C1, { admin: { users: [user] } });
    await people.resolvePerson(user, C1);
    answer = () => Promise.reject(new Error('down'));
    expect((await people.resolvePerson(user, C1)).role).toBe('admin');
    clock.moveBy(6 * MINUTE);
    expect(await people.resolvePerson(user, C1)).toMatchObject({ role: 'bidder', unsure: true });
    await grant(C1, { admin: { users: [UserId.parse('U3')] } });
    expect((await people.resolvePerson(UserId.parse('U3'), C1)).role).toBe('outsider');
  });

  it('of a group that could not be asked is asked for again when the clock was set back', async () => {
    await grant(C1, { bidder: { groups: ['S1'] } });
    groupAnswer = () => Promise.reject(new Error('down'));
    expect((await people.resolvePerson(user, C1)).role).toBe('viewer');
    setBackBy = DAY;
    groupAnswer = async () => ({ ok: true, users: [user] });
    expect((await people.resolvePerson(user, C1)).role).toBe('bidder');
  });

  it('keeps no modal waiting for a group that Slack is slow about', async () => {
    await grant(C1, { bidder: { groups: ['S1'] }, admin: { groups: ['S2'] } });
    groupAnswer = () => new Promise(() => undefined);
    const person = people.resolvePerson(user, C1);
    await turn();
    expect(asksOfGroups).toEqual(['S2', 'S1']);
    clock.moveBy(2 * SECOND);
    expect(await person).toMatchObject({ role: 'viewer', unsure: true });
    // Later callers don't wait a second time for the same answer.
    const next = people.resolvePerson(UserId.parse('U2'), C1);
    await turn();
    clock.moveBy(1);
    expect(await next).toMatchObject({ role: 'viewer', unsure: true });
  });

  it('is none while the store can not be read', async () => {
    const broken = { findGrantedRole: () => Promise.reject(new Error('closed')) };
    const clockless = {
      info: answer,
      members: groupAnswer,
      team: TeamId.parse('T1'),
      admins: new Set<UserId>(),
    };
    const lost = createPersonResolver({ ...clockless, access: broken, clock, log: silentLog });
    expect(await lost.resolvePerson(user, C1)).toMatchObject({ role: 'viewer', unsure: true });
  });
});
