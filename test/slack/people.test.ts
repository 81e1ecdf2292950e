import { beforeEach, describe, expect, it } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/clock.ts';
import { TeamId, UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { createPeople, type People } from '../../src/slack/people.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';

const user = UserId.parse('U1');
const boss = UserId.parse('UBOSS');

let clock: ManualClock;
let asked: number;
let answer: (id: UserId) => Promise<unknown>;
let people: People;

function says(fields: object) {
  answer = async (id) => ({ ok: true, user: { id, team_id: 'T1', tz: 'Europe/Berlin', ...fields } });
}

beforeEach(() => {
  clock = new ManualClock();
  asked = 0;
  says({});
  people = createPeople({
    info: (id) => {
      asked++;
      return answer(id);
    },
    team: TeamId.parse('T1'),
    admins: new Set([boss]),
    clock,
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
    expect((await people.person(user)).role).toBe(role);
  });

  it('of a configured admin is admin, unless a guest', async () => {
    expect(await people.person(boss)).toEqual({ user: boss, role: 'admin', timezone: 'Europe/Berlin' });
    clock.moveBy(6 * MINUTE);
    says({ is_restricted: true });
    expect((await people.person(boss)).role).toBe('outsider');
  });

  it('is outsider, and said to be unsure, while Slack fails or answers something else; then it is asked again', async () => {
    answer = () => Promise.reject(new Error('down'));
    expect(await people.person(boss)).toEqual({ user: boss, role: 'outsider', unsure: true });
    answer = async () => ({ ok: true });
    expect(await people.person(boss)).toEqual({ user: boss, role: 'outsider', unsure: true });
    says({});
    expect(await people.person(boss)).toEqual({ user: boss, role: 'admin', timezone: 'Europe/Berlin' });
  });

  it('waits for a slow answer about somebody new rather than refuse them, though not for ever', async () => {
    let reply: (() => void) | undefined;
    answer = (id) =>
      new Promise((resolve) => {
        reply = () => resolve({ ok: true, user: { id, team_id: 'T1' } });
      });
    const slow = people.person(user);
    await Promise.resolve();
    clock.moveBy(5 * SECOND);
    reply?.();
    expect(await slow).toEqual({ user, role: 'viewer' });
    const silent = people.person(boss);
    await Promise.resolve();
    clock.moveBy(10 * SECOND);
    expect(await silent).toEqual({ user: boss, role: 'outsider', unsure: true });
  });

  it('is remembered for 5 minutes', async () => {
    await Promise.all([people.person(boss), people.person(boss)]);
    answer = () => Promise.reject(new Error('down'));
    clock.moveBy(4 * MINUTE);
    expect((await people.person(boss)).role).toBe('admin');
    expect(asked).toBe(1);
  });

  it('outlives an outage of Slack for a day, but without the rights of an admin', async () => {
    await people.person(user);
    await people.person(boss);
    answer = () => Promise.reject(new Error('down'));
    clock.moveBy(6 * MINUTE);
    expect(await people.person(user)).toMatchObject({ role: 'viewer', unsure: true });
    expect(await people.person(boss)).toMatchObject({ role: 'viewer', unsure: true });
    clock.moveBy(DAY);
    expect((await people.person(user)).role).toBe('outsider');
  });

  it('of somebody known keeps no modal waiting when Slack is slow', async () => {
    await people.person(user);
    clock.moveBy(6 * MINUTE);
    answer = () => new Promise(() => undefined);
    const person = people.person(user);
    await Promise.resolve();
    clock.moveBy(2 * SECOND);
    expect((await person).role).toBe('viewer');
  });

  it('of a guest stays a guest during an outage', async () => {
    says({ is_restricted: true });
    await people.person(user);
    answer = () => Promise.reject(new Error('down'));
    clock.moveBy(6 * MINUTE);
    expect((await people.person(user)).role).toBe('outsider');
  });
});
