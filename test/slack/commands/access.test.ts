import { beforeEach, describe, expect, it } from 'vitest';
import { UserId } from '../../../src/ids.ts';
import { access } from '../../../src/slack/commands/access.ts';
import { SlackCallError } from '../../../src/slack/errors.ts';
import { type AccessDesk, BOSS, DM, startAccessDesk } from '../access-desk.ts';
import { expectHarmless } from '../harmless.ts';
import { ANA, CHANNEL } from '../samples.ts';

const EVE = UserId.parse('U0EVE');
let desk: AccessDesk;
beforeEach(() => {
  desk = startAccessDesk();
  desk.give(ANA, 'admin', CHANNEL);
});

const open = (channel = CHANNEL) => access.run(desk.command('', ANA, 'admin', channel));
const shown = () => JSON.stringify(desk.views.at(-1));
const listOf = (scope: typeof CHANNEL | 'everywhere' = CHANNEL) => desk.services.access.list(scope);

describe('/gig access', () => {
  it('opens at once from what is stored, and offers the user groups as soon as Slack has told them', async () => {
    await desk.set(CHANNEL, { bidder: { users: [EVE], groups: ['S9'] } });
    let tell: (groups: { id: string; name: string; handle: string }[]) => void = () => undefined;
    desk.state.groups = () => new Promise((resolve) => (tell = resolve));
    const run = open();
    await new Promise((resolve) => setImmediate(resolve));
    expect(desk.views).toHaveLength(1);
    expect(shown()).toContain('"initial_users":["U0EVE"]');
    expect(shown()).toContain('Group S9');
    expect(shown()).toContain('Reading the user groups');
    tell([{ id: 'S2', name: 'Build', handle: 'build' }]);
    await run;
    expect(desk.views).toHaveLength(2);
    expect(shown()).toContain('@build Build');
    expect(shown()).toContain('Group S9');
    expect(shown()).not.toContain('Reading the user groups');
  });

  it('says who is an admin in any case, and that guests never rise', async () => {
    await open();
    expect(shown()).toContain('admins and owners of this workspace');
    expect(shown()).toContain('ADMIN_USER_IDS');
    expect(shown()).toContain('Guests and people of other workspaces never rise');
  });

  it.each([
    ['missing_scope', 'lacks the permission `usergroups:read`'],
    ['ratelimited', 'just now'],
  ])('works without user groups that can not be read (%s), and says why', async (code, words) => {
    await desk.set(CHANNEL, { admin: { users: [], groups: ['S9'] } });
    desk.state.groups = () => Promise.reject(new SlackCallError(code, 'refused'));
    await open();
    expect(shown()).toContain(words);
    await desk.submit(desk.pressed({ bidders: [EVE] }));
    expect(await listOf()).toMatchObject({ bidder: { users: [EVE] }, admin: { groups: ['S9'] } });
  });

  it('shows no menu of groups where the workspace has none', async () => {
    desk.state.groups = async () => [];
    await open();
    expect(shown()).not.toContain('user groups');
  });

  it('offers a hundred groups at the most, and those that hold a role in any case', async () => {
    await desk.set(CHANNEL, { bidder: { users: [], groups: ['S250'] } });
    desk.state.groups = async () =>
      Array.from({ length: 300 }, (_, each) => ({
        id: `S${each}`,
        name: 'x'.repeat(300),
        handle: `g${each}`,
      }));
    await open();
    expect(shown()).toContain('"value":"S250"');
    expect(shown()).toContain('the first 100 are offered');
  });

  it('offers the list of everywhere only to admins of everywhere', async () => {
    await open();
    expect(shown()).not.toContain('"Everywhere"');
    desk.give(ANA, 'admin');
    await open();
    expect(shown()).toContain('"Everywhere"');
  });

  it('in a direct message is about everywhere', async () => {
    await desk.set('everywhere', { bidder: { users: [EVE], groups: [] } });
    await open(DM);
    expect(shown()).toContain('Roles everywhere');
    expect(shown()).toContain('"initial_users":["U0EVE"]');
  });

  it('that was closed before the groups came is no failure', async () => {
    desk.state.updateFails = new SlackCallError('not_found', 'refused');
    await open();
    expect(desk.shown).toEqual([]);
  });

  it('takes no words', async () => {
    await access.run(desk.command('@ana', ANA, 'admin'));
    expect(desk.views).toEqual([]);
    expect(desk.last().text).toContain('takes no words');
  });
});

describe('saving', () => {
  it('replaces the list and tells the person who was added and removed', async () => {
    await desk.set(CHANNEL, { bidder: { users: [EVE], groups: [] } });
    await open();
    const answer = await desk.submit(desk.pressed({ bidders: [BOSS], 'admin-groups': ['S1'] }));
    expect(answer.kind).toBe('close');
    expect(await listOf()).toMatchObject({
      bidder: { users: [BOSS], groups: [] },
      admin: { users: [], groups: ['S1'] },
      by: ANA,
    });
    expect(desk.shown.map(({ to }) => to)).toEqual(['person']);
    expect(desk.last().text.split('\n')).toEqual([
      'Saved. It counts from the next press on.',
      '• bidders in <#C0WEB> now: <@U0BEN>',
      '• no longer bidders in <#C0WEB>: <@U0EVE>',
      '• admins in <#C0WEB> now: the group @design',
    ]);
  });

  it('can empty the list', async () => {
    await desk.set(CHANNEL, { bidder: { users: [EVE], groups: ['S2'] } });
    await open();
    await desk.submit(desk.pressed({ bidders: [], 'bidder-groups': [] }));
    expect(await listOf()).toMatchObject({ bidder: { users: [], groups: [] } });
  });

  it('what is the same says so', async () => {
    await open();
    await desk.submit(desk.pressed({}));
    expect(desk.last().text).toContain('nothing was changed');
    expect(await listOf()).toMatchObject({ revision: 0 });
  });

  it('over what somebody changed meanwhile shows the newest and who that was, and saves nothing', async () => {
    await open();
    await desk.set(CHANNEL, { admin: { users: [EVE], groups: [] } });
    const answer = await desk.submit(desk.pressed({ bidders: [BOSS] }));
    expect(answer.kind).toBe('update');
    expect(JSON.stringify(answer)).not.toContain('U0EVE');
    expect(shown()).toContain('<@U0BEN> changed this list');
    expect(shown()).toContain('"initial_users":["U0EVE"]');
    expect(shown()).not.toContain('"initial_users":["U0BEN"]');
    expect(await listOf()).toMatchObject({ bidder: { users: [] } });
    await desk.submit(desk.pressed({ bidders: [BOSS] }));
    expect(await listOf()).toMatchObject({ bidder: { users: [BOSS] }, admin: { users: [EVE] } });
  });

  it('in the same moment as somebody else saves nothing, and says so', async () => {
    await open();
    const view = desk.pressed({ bidders: [BOSS] });
    const book = desk.services.access;
    const change = book.change.bind(book);
    book.change = async (order) => {
      book.change = change;
      await desk.set(CHANNEL, { admin: { users: [EVE], groups: [] } });
      return change(order);
    };
    await desk.submit(view);
    expect(desk.last().text).toContain('nothing of yours was saved');
    expect(await listOf()).toMatchObject({ bidder: { users: [] } });
  });

  it('more people than a list takes is an error at that field', async () => {
    await open();
    const many = Array.from({ length: 201 }, (_, each) => `U${each}`);
    const answer = await desk.submit(desk.pressed({ admins: many }));
    expect(answer).toMatchObject({ kind: 'errors', errors: { 'admins:C0WEB:0': expect.any(String) } });
  });

  it('the list of everywhere is refused to whoever is an admin of one channel alone', async () => {
    desk.give(ANA, 'admin');
    await open();
    await desk.set('everywhere', { bidder: { users: [EVE], groups: [] } });
    const forged = (revision: number) => ({
      ...desk.pressed({}),
      values: new Map([[`admins:everywhere:${revision}`, { users: [ANA] }]]),
      privateMetadata: JSON.stringify({ channel: CHANNEL, scope: 'everywhere', revision }),
    });
    desk.give(ANA, 'viewer');
    await desk.submit(forged(1));
    expect(desk.last().text).toContain('This is for admins');
    expect(desk.last().blocks).toBeUndefined();
    const before = desk.views.length;
    await desk.submit(forged(0));
    expect(JSON.stringify(desk.views.slice(before))).not.toContain('U0EVE');
    expect(shown()).toContain('This is for admins');
    expect(await listOf('everywhere')).toMatchObject({ revision: 1, admin: { users: [] } });
    desk.give(ANA, 'admin');
    await desk.submit(forged(1));
    expect(await listOf('everywhere')).toMatchObject({ admin: { users: [ANA] } });
  });

  it.each([
    '',
    '{}',
    'null',
    '[',
    JSON.stringify({ channel: CHANNEL, scope: 'C0OTHER', revision: 0 }),
    JSON.stringify({ channel: 'D0ANA', scope: 'D0ANA', revision: 0 }),
    JSON.stringify({ channel: CHANNEL, scope: CHANNEL, revision: -1 }),
    JSON.stringify({ channel: '<!channel>', scope: 'everywhere', revision: 0 }),
  ])('a window that says %j changes nothing', async (privateMetadata) => {
    await open();
    const answer = await desk.submit({ ...desk.pressed({ bidders: [ANA] }), privateMetadata });
    expect(answer).toMatchObject({ kind: 'update' });
    expect(JSON.stringify(answer)).toContain('out of date');
    expect(await desk.services.access.list(CHANNEL)).toMatchObject({ revision: 0 });
  });

  it('a group that is none changes nothing', async () => {
    await open();
    const view = desk.pressed({ bidders: [ANA] });
    const values = new Map([...view.values, ['bidder-groups:C0WEB:0', { options: ['<!channel>'] }]]);
    expect(JSON.stringify(await desk.submit({ ...view, values }))).toContain('out of date');
    expect(await listOf()).toMatchObject({ revision: 0 });
  });

  it('names groups harmlessly', async () => {
    desk.state.groups = async () => [
      { id: 'S1', name: 'x', handle: '<!channel>\u202E<https://evil.example|x>' },
    ];
    await open();
    await desk.submit(desk.pressed({ 'bidder-groups': ['S1'] }));
    expectHarmless(desk.last());
  });
});
