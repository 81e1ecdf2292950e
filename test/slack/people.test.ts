import { beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
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
    ['a guest, whatever else is set', { is_admin: true, is_restricted: true }, 'viewer'],
    ['a guest of one channel', { is_admin: true, is_ultra_restricted: true }, 'viewer'],
    ['a stranger', { is_admin: true, is_stranger: true }, 'viewer'],
    ['somebody of another workspace', { is_admin: true, team_id: 'T2' }, 'viewer'],
    ['somebody who has left', { is_admin: true, deleted: true }, 'viewer'],
    ['an answer about somebody else', { is_admin: true, id: 'U2' }, 'viewer'],
  ])('%s', async (_, fields, role) => {
    says(fields);
    expect((await people.person(user)).role).toBe(role);
  });

  it('of a configured admin is admin, unless a guest', async () => {
    expect(await people.person(boss)).toEqual({ user: boss, role: 'admin', timezone: 'Europe/Berlin' });
    clock.moveBy(6 * MINUTE);
    says({ is_restricted: true });
    expect((await people.person(boss)).role).toBe('viewer');
  });

  it('is viewer when Slack fails or answers something else, and is asked again next time', async () => {
    answer = () => Promise.reject(new Error('down'));
    expect((await people.person(boss)).role).toBe('viewer');
    answer = async () => ({ ok: true });
    expect((await people.person(boss)).role).toBe('viewer');
    says({});
    expect((await people.person(boss)).role).toBe('admin');
  });

  it('is viewer when Slack takes too long for a modal to open', async () => {
    answer = () => new Promise(() => undefined);
    const person = people.person(boss);
    await Promise.resolve();
    clock.moveBy(2 * SECOND);
    expect((await person).role).toBe('viewer');
  });

  it('is remembered for 5 minutes, also while Slack fails', async () => {
    await Promise.all([people.person(boss), people.person(boss)]);
    answer = () => Promise.reject(new Error('down'));
    clock.moveBy(4 * MINUTE);
    expect((await people.person(boss)).role).toBe('admin');
    expect(asked).toBe(1);
    clock.moveBy(2 * MINUTE);
    expect((await people.person(boss)).role).toBe('viewer');
  });
});
