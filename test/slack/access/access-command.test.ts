import { beforeEach, describe, expect, it } from 'vitest';
import { UserId } from '../../../src/ids.ts';
import {
  ACCESS_OUT_OF_DATE,
  accessListChangedText,
  accessSameMessage,
  accessStaleMessage,
} from '../../../src/slack/access/access.ts';
import { accessCommand } from '../../../src/slack/access/access-command.ts';
import { accessModalMetadataCodec, accessScopeChoices } from '../../../src/slack/access/access-modal.ts';
import { SlackCallError } from '../../../src/slack/core/errors.ts';
import { userGroupsBlocks } from '../../../src/slack/core/user-groups.ts';
import { expectHarmless } from '../harmless.ts';
import { textOf } from '../kit/as-text.ts';
import { viewWords } from '../kit/harmless-view.ts';
import { ANA, CHANNEL } from '../samples.ts';
import { type AccessDesk, BOSS, DM, startAccessDesk } from './access-desk.ts';

const EVE = UserId.parse('U0EVE');
let desk: AccessDesk;
beforeEach(() => {
  desk = startAccessDesk();
  desk.give(ANA, 'admin', CHANNEL);
});

const open = (channel = CHANNEL) => accessCommand.run(desk.command('', ANA, 'admin', channel));
const shown = () => JSON.stringify(desk.views.at(-1));
const words = () => viewWords(desk.views.at(-1) ?? expect.fail('no view was opened'));
const READING =
  textOf(
    userGroupsBlocks({ kind: 'loading' }, '').flatMap((it) => (it.type === 'context' ? it.elements : []))[0],
  ) || expect.fail('no words for groups that are read');
const EVERYWHERE = `"value":"${accessScopeChoices.everywhere}"`;
const listOf = (scope: typeof CHANNEL | 'everywhere' = CHANNEL) => desk.services.access.readAccessList(scope);

describe('/gig access', () => {
  it('opens at once from stored data, and offers user groups once Slack lists them', async () => {
    await desk.set(CHANNEL, { bidder: { users: [EVE], groups: ['S9'] } });
    let tell: (groups: { id: string; name: string; handle: string }[]) => void = () => undefined;
    desk.state.groups = () => new Promise((resolve) => (tell = resolve));
    const run = open();
    await new Promise((resolve) => setImmediate(resolve));
    expect(desk.views).toHaveLength(1);
    expect(shown()).toContain('"initial_users":["U0EVE"]');
    expect(shown()).toContain('"value":"S9"');
    expect(words()).toContain(READING);
    tell([{ id: 'S2', name: 'Build', handle: 'build' }]);
    await run;
    expect(desk.views).toHaveLength(2);
    expect(shown()).toContain('@build Build');
    expect(shown()).toContain('"value":"S9"');
    expect(words()).not.toContain(READING);
    expect(words()).toMatchSnapshot();
  });

  it('says who is an admin in any case, and that guests never rise', async () => {
    await open();
    expect(words()).toContain('`ADMIN_USER_IDS`');
    expect(words()).toMatchSnapshot();
  });

  it.each([
    ['missing_scope', '`usergroups:read`'],
    ['ratelimited', '`ratelimited`'],
  ])('works without user groups that can not be read (%s), and says why', async (code, why) => {
    await desk.set(CHANNEL, { admin: { users: [], groups: ['S9'] } });
    desk.state.groups = () => Promise.reject(new SlackCallError(code, 'refused'));
    await open();
    expect(words()).toContain(why);
    expect(words()).toMatchSnapshot();
    await desk.submit(desk.pressed({ bidders: [EVE] }));
    expect(await listOf()).toMatchObject({ bidder: { users: [EVE] }, admin: { groups: ['S9'] } });
  });

  it('shows no menu of groups where the workspace has none', async () => {
    desk.state.groups = async () => [];
    await open();
    expect(shown()).toContain('"block_id":"bidders:');
    expect(shown()).not.toMatch(/"block_id":"(?:bidder|admin)-groups:/u);
  });

  it('offers a hundred groups at the most, and those that hold a role in any case', async () => {
    await desk.set(CHANNEL, { bidder: { users: [], groups: ['S250'] } });
    const groups = Array.from({ length: 300 }, (_, each) => ({
      id: `S${each}`,
      name: 'x'.repeat(300),
      handle: `g${each}`,
    }));
    desk.state.groups = async () => groups;
    await open();
    expect(shown()).toContain('"value":"S250"');
    expect(words()).toMatch(/first 100 user groups/u);
  });

  it('offers the list of everywhere only to admins of everywhere', async () => {
    await open();
    expect(shown()).not.toContain(EVERYWHERE);
    desk.give(ANA, 'admin');
    await open();
    expect(shown()).toContain(EVERYWHERE);
  });

  it('in a direct message is about everywhere', async () => {
    await desk.set('everywhere', { bidder: { users: [EVE], groups: [] } });
    await open(DM);
    expect(accessModalMetadataCodec.read(desk.pressed({}).privateMetadata)?.scope).toBe('everywhere');
    expect(shown()).toContain('"initial_users":["U0EVE"]');
  });

  it('that was closed before the groups came is no failure', async () => {
    desk.state.updateFails = new SlackCallError('not_found', 'refused');
    await open();
    expect(desk.shown).toEqual([]);
  });

  it('takes no words', async () => {
    await accessCommand.run(desk.command('@ana', ANA, 'admin'));
    expect(desk.views).toEqual([]);
    expect(desk.last().text).toContain('`/gig access`');
    expect(desk.last().text).toMatchSnapshot();
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
    for (const named of ['<#C0WEB>', '<@U0BEN>', '<@U0EVE>', '@design'])
      expect(desk.last().text).toContain(named);
    expect(desk.last().text).toMatchSnapshot();
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
    expect(desk.last()).toEqual(accessSameMessage());
    expect(await listOf()).toMatchObject({ revision: 0 });
  });

  it('over someone else’s change shows the newest list and its author, and saves nothing', async () => {
    await open();
    await desk.set(CHANNEL, { admin: { users: [EVE], groups: [] } });
    const answer = await desk.submit(desk.pressed({ bidders: [BOSS] }));
    expect(answer.kind).toBe('update');
    expect(JSON.stringify(answer)).not.toContain('U0EVE');
    expect(words()).toContain(accessListChangedText(await listOf()));
    expect(words()).toContain('<@U0BEN>');
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
    const change = book.changeAccessList.bind(book);
    book.changeAccessList = async (order) => {
      book.changeAccessList = change;
      await desk.set(CHANNEL, { admin: { users: [EVE], groups: [] } });
      return change(order);
    };
    await desk.submit(view);
    expect(desk.last()).toEqual(accessStaleMessage(await listOf()));
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
    const refusal = desk.last().text;
    expect(refusal).toMatchSnapshot();
    expect(desk.last().blocks).toBeUndefined();
    const before = desk.views.length;
    await desk.submit(forged(0));
    expect(JSON.stringify(desk.views.slice(before))).not.toContain('U0EVE');
    expect(words()).toContain(refusal);
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
    expect(JSON.stringify(answer)).toContain(ACCESS_OUT_OF_DATE);
    expect(await desk.services.access.readAccessList(CHANNEL)).toMatchObject({ revision: 0 });
  });

  it('a group that is none changes nothing', async () => {
    await open();
    const view = desk.pressed({ bidders: [ANA] });
    const values = new Map([...view.values, ['bidder-groups:C0WEB:0', { options: ['<!channel>'] }]]);
    expect(JSON.stringify(await desk.submit({ ...view, values }))).toContain(ACCESS_OUT_OF_DATE);
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
