/** Every method that the simulated Slack answers; it refuses all others. */
import { expect, it } from 'vitest';
import { WEB_API_METHODS } from '../../../src/workbench/slack/methods/all-methods.ts';
import { CALLS_PER_MINUTE_BY_METHOD } from '../../../src/workbench/slack/web/rate-limits.ts';
import {
  clientOf,
  covers,
  type Exercise,
  exchange,
  modal,
  opened,
  posted,
  refusalOf,
  section,
  triggerFor,
} from './stage.ts';

const METHODS: Readonly<Record<keyof typeof WEB_API_METHODS, Exercise>> = {
  'apps.connections.open': async ({ slack }) => {
    const answer = await clientOf(slack, slack.appToken).apps.connections.open({});
    expect(answer.url).toMatch(/^ws:\/\/127\.0\.0\.1:/);
  },
  'auth.test': async ({ client, slack }) => {
    const answer = await client.auth.test();
    expect(answer).toMatchObject({
      user_id: slack.bot.userId,
      bot_id: slack.bot.botId,
      team_id: slack.team.id,
    });
    expect(answer.response_metadata?.scopes).toContain('chat:write');
  },
  'blocks.validate': async ({ client }) => {
    const blocks = [{ type: 'divider' }];
    expect(await client.blocks.validate({ blocks })).toMatchObject({ ok: true });
    expect(await client.blocks.validate({ message: { blocks } })).toMatchObject({ ok: true });
    expect(await client.blocks.validate({ view: modal() })).toMatchObject({ ok: true });
    expect(await refusalOf(client.blocks.validate({}))).toBe('invalid_arguments');
    const wrong = client.blocks.validate({ blocks: [{ type: 'hologram' }] });
    await expect(wrong).rejects.toMatchObject({
      data: {
        error: 'invalid_blocks',
        errors: [{ code: 'failed_constraint', pointer: '/0', message: 'unsupported type: hologram' }],
      },
    });
  },
  'bots.info': async ({ client, slack }) => {
    expect(await client.bots.info({ bot: slack.bot.botId })).toMatchObject({
      bot: { app_id: slack.bot.appId },
    });
  },
  'chat.delete': async (stage) => {
    await stage.client.chat.delete({ channel: 'C1', ts: await posted(stage) });
    expect(stage.slack.messages('C1')).toEqual([]);
  },
  'chat.getPermalink': async (stage) => {
    const ts = await posted(stage);
    const { permalink } = await stage.client.chat.getPermalink({ channel: 'C1', message_ts: ts });
    expect(permalink).toBe(`https://bright-agency.slack.com/archives/C1/p${ts.replace('.', '')}`);
  },
  'chat.postEphemeral': async ({ client, slack }) => {
    await client.chat.postEphemeral({ channel: 'C1', user: 'U1', text: 'psst' });
    expect(slack.ephemerals('ada').map((each) => each.text)).toEqual(['psst']);
    expect(slack.messages('C1')).toEqual([]);
  },
  'chat.postMessage': async (stage) => {
    const metadata = { event_type: 'card', event_payload: { id: 'c1' } };
    const ts = await posted(stage, { blocks: [section('Hi')], metadata });
    await posted(stage, { thread_ts: ts, text: 'a reply' });
    await stage.client.chat.postMessage({ channel: 'U1', text: 'for you' });
    const { slack } = stage;
    expect(slack.messages('C1')).toMatchObject([
      { text: 'A message', metadata, blocks: [{ type: 'section' }] },
    ]);
    expect(slack.thread('C1', ts).map((each) => each.text)).toEqual(['A message', 'a reply']);
    expect(slack.directMessages('ada').map((each) => each.text)).toEqual(['for you']);
  },
  'chat.unfurl': async ({ client, slack }) => {
    const url = 'https://example.com/a?b=1';
    const { message } = await slack.postLinks({ user: 'ada', channel: 'C1', urls: [url] });
    await client.chat.unfurl({
      channel: 'C1',
      ts: message.ts,
      unfurls: { [url]: { blocks: [section('What it is')] } },
    });
    expect(slack.unfurls()).toMatchObject([{ url, unfurl: { blocks: [{ type: 'section' }] } }]);
  },
  'chat.update': async (stage) => {
    const metadata = { event_type: 'card', event_payload: {} };
    const ts = await posted(stage, { blocks: [section('before')], metadata });
    await stage.client.chat.update({ channel: 'C1', ts, text: 'A new text' });
    expect(stage.slack.message('C1', ts)).toMatchObject({ text: 'A new text', edited: true, metadata });
    expect(stage.slack.message('C1', ts)?.blocks).toHaveLength(1);
    await stage.client.chat.update({ channel: 'C1', ts, text: 'Words alone', blocks: [] });
    expect(stage.slack.message('C1', ts)?.blocks).toEqual([]);
  },
  'conversations.history': async (stage) => {
    const times: string[] = [];
    for (const id of ['a', 'b', 'c', 'd'])
      times.push(await posted(stage, { text: id, metadata: { event_type: 'card', event_payload: { id } } }));
    const read = async (args: object) => {
      const { messages = [] } = await stage.client.conversations.history({ channel: 'C1', ...args });
      return messages.map((each) => each.text).join('');
    };
    const [a, , c] = times;
    expect(await read({})).toBe('dcba');
    expect(await read({ oldest: a, latest: c })).toBe('b');
    expect(await read({ oldest: a, latest: c, inclusive: true })).toBe('cba');
    expect(await read({ limit: 2 })).toBe('dc');
    const first = await stage.client.conversations.history({ channel: 'C1', limit: 3 });
    expect(first.has_more).toBe(true);
    expect(await read({ limit: 3, cursor: first.response_metadata?.next_cursor })).toBe('a');
    expect(first.messages?.[0]).not.toHaveProperty('metadata');
    const full = await stage.client.conversations.history({ channel: 'C1', include_all_metadata: true });
    expect(full.messages?.[0]).toMatchObject({ metadata: { event_payload: { id: 'd' } } });
  },
  'conversations.info': async ({ client }) => {
    const { channel } = await client.conversations.info({ channel: 'C1', include_num_members: true });
    expect(channel).toMatchObject({ name: 'projects', is_member: true, is_private: false, num_members: 3 });
  },
  'conversations.join': async ({ client, slack }) => {
    slack.addChannel({ id: 'C2', name: 'open', withBot: false });
    await client.conversations.join({ channel: 'C2' });
    expect(slack.channel('C2').members).toContain(slack.bot.userId);
  },
  'conversations.list': async ({ client, slack }) => {
    slack.addChannel({ id: 'C2', name: 'secret', private: true });
    slack.addChannel({ id: 'C3', name: 'hidden', private: true, withBot: false });
    slack.addChannel({ id: 'C4', name: 'old' });
    slack.archive('old');
    const types = 'public_channel,private_channel';
    const { channels } = await client.conversations.list({ types, exclude_archived: true });
    expect(channels?.map((each) => each.id)).toEqual(['C1', 'C2']);
    const page = await client.conversations.list({ types, limit: 2 });
    expect(page.channels).toHaveLength(2);
    expect(page.response_metadata?.next_cursor).not.toBe('');
  },
  'conversations.members': async ({ client, slack }) => {
    const { members } = await client.conversations.members({ channel: 'C1' });
    expect(members).toEqual(['U1', 'U2', slack.bot.userId]);
  },
  'conversations.open': async ({ client, slack }) => {
    const { channel } = await client.conversations.open({ users: 'U1' });
    expect(slack.channel(channel?.id ?? '').kind).toBe('im');
    expect(await client.conversations.open({ users: 'U1' })).toMatchObject({ channel });
  },
  'conversations.replies': async (stage) => {
    const ts = await posted(stage);
    await posted(stage, { thread_ts: ts, text: 'one' });
    await posted(stage, { thread_ts: ts, text: 'two' });
    const { messages } = await stage.client.conversations.replies({ channel: 'C1', ts });
    expect(messages?.map((each) => each.text)).toEqual(['A message', 'one', 'two']);
    expect(messages?.[0]).toMatchObject({ reply_count: 2, thread_ts: ts });
  },
  'files.completeUploadExternal': async ({ client, slack }) => {
    await client.filesUploadV2({
      channel_id: 'C1',
      file: Buffer.from('a picture'),
      filename: 'chart.png',
      title: 'Chart',
      alt_text: 'Bids a week',
      initial_comment: 'Here it is',
    });
    const [message] = slack.messages('C1');
    expect(slack.files()).toMatchObject([
      { name: 'chart.png', title: 'Chart', altText: 'Bids a week', channel: 'C1', messageTs: message?.ts },
    ]);
    expect(slack.files()[0]?.bytes.toString()).toBe('a picture');
    expect(message?.text).toBe('Here it is');
  },
  'files.getUploadURLExternal': async ({ client }) => {
    const answer = await client.files.getUploadURLExternal({ filename: 'a.txt', length: 3 });
    const sent = await globalThis.fetch(answer.upload_url ?? '', { method: 'POST', body: 'abc' });
    expect(sent.status).toBe(200);
    const short = await globalThis.fetch(answer.upload_url ?? '', { method: 'POST', body: 'ab' });
    expect(short.status).toBe(400);
  },
  'oauth.v2.access': async (stage) => {
    expect(await exchange(stage)).toMatchObject({
      access_token: stage.slack.botToken,
      scope: 'chat:write,commands',
      bot_user_id: stage.slack.bot.userId,
      team: { id: stage.slack.team.id },
      enterprise: null,
      authed_user: { id: 'U1' },
      is_enterprise_install: false,
    });
  },
  'reactions.add': async (stage) => {
    const timestamp = await posted(stage);
    await stage.client.reactions.add({ channel: 'C1', timestamp, name: 'eyes' });
    expect(stage.slack.message('C1', timestamp)?.reactions).toMatchObject([{ name: 'eyes' }]);
  },
  'team.info': async ({ client, slack }) => {
    expect(await client.team.info()).toMatchObject({ team: { id: slack.team.id, domain: 'bright-agency' } });
  },
  'usergroups.list': async ({ client, slack }) => {
    slack.addUserGroup({ id: 'S1', handle: 'bidders', users: ['ada'] });
    const { usergroups } = await client.usergroups.list({ include_users: true });
    expect(usergroups).toMatchObject([{ handle: 'bidders', users: ['U1'] }]);
  },
  'usergroups.users.list': async ({ client, slack }) => {
    slack.addUserGroup({ id: 'S1', handle: 'bidders', users: ['ada', 'bob'] });
    expect(await client.usergroups.users.list({ usergroup: 'S1' })).toMatchObject({ users: ['U1', 'U2'] });
  },
  'users.conversations': async ({ client, slack }) => {
    slack.addChannel({ id: 'C2', name: 'secret', private: true, members: ['ada'] });
    slack.addChannel({ id: 'C3', name: 'hidden', private: true, members: ['ada'], withBot: false });
    slack.addChannel({ id: 'C4', name: 'open', members: ['bob'], withBot: false });
    slack.addChannel({ id: 'C5', name: 'old' });
    slack.archive('old');
    const types = 'public_channel,private_channel';
    const of = async (args: object) => {
      const { channels } = await client.users.conversations({ types, exclude_archived: true, ...args });
      return channels?.map((each) => each.id);
    };
    expect(await of({ user: 'U1' })).toEqual(['C1', 'C2']);
    expect(await of({ user: 'U2' })).toEqual(['C1', 'C4']);
    expect(await of({ user: 'U1', types: 'public_channel' })).toEqual(['C1']);
    expect(await of({})).toEqual(['C1', 'C2']);
    const first = await client.users.conversations({ user: 'U2', types, limit: 2 });
    expect(first.channels?.[0]).not.toHaveProperty('is_member');
    const cursor = first.response_metadata?.next_cursor;
    expect(await of({ user: 'U2', exclude_archived: false, limit: 2, cursor })).toEqual(['C5']);
    slack.grantScopes(['channels:read']);
    expect(await refusalOf(of({ user: 'U1' }))).toBe('missing_scope');
    expect(await of({ user: 'U1', types: 'public_channel' })).toEqual(['C1']);
    slack.grantScopes('all');
    expect(await refusalOf(of({ user: 'U999' }))).toBe('user_not_found');
  },
  'users.info': async ({ client, slack }) => {
    slack.addUser({ id: 'U3', name: 'guest', guest: 'single', tz: 'Europe/Berlin' });
    slack.addUser({ id: 'U4', name: 'partner', stranger: true });
    expect((await client.users.info({ user: 'U1' })).user).toMatchObject({ is_admin: true, is_owner: false });
    const guest = { is_restricted: true, is_ultra_restricted: true, tz: 'Europe/Berlin' };
    expect((await client.users.info({ user: 'U3' })).user).toMatchObject(guest);
    const { user } = await client.users.info({ user: 'U4' });
    expect(user).toMatchObject({ is_stranger: true });
    expect(user?.team_id).not.toBe(slack.team.id);
  },
  'users.list': async ({ client, slack }) => {
    slack.addUser({ name: 'partner', stranger: true });
    const { members } = await client.users.list({});
    expect(members?.map((each) => each.name)).toEqual(['gigdesk', 'ada', 'bob']);
  },
  'views.open': async (stage) => {
    const view = await opened(stage, { private_metadata: 'kept' });
    expect(stage.slack.view('ada')).toMatchObject({ id: view?.id, title: 'Modal', privateMetadata: 'kept' });
  },
  'views.publish': async ({ client, slack }) => {
    await client.views.publish({ user_id: 'U1', view: { type: 'home', blocks: [section('Home')] } });
    expect(slack.home('ada')?.blocks).toHaveLength(1);
  },
  'views.push': async (stage) => {
    const root = await opened(stage);
    const { view } = await stage.client.views.push({ trigger_id: await triggerFor(stage), view: modal() });
    expect(view).toMatchObject({ previous_view_id: root?.id, root_view_id: root?.id });
    expect(stage.slack.viewStack('ada')).toHaveLength(2);
  },
  'views.update': async (stage) => {
    const view = await opened(stage, { external_id: 'mine' });
    const changed = modal({ blocks: [section('One'), section('Two')] });
    await stage.client.views.update({ view_id: view?.id ?? '', hash: view?.hash ?? '', view: changed });
    await stage.client.views
      .update({ external_id: 'mine', view: { ...changed, external_id: 'mine' } })
      .catch(() => undefined);
    expect(stage.slack.view('ada')?.blocks).toHaveLength(2);
    expect(stage.slack.view('ada')?.id).toBe(view?.id);
  },
};

covers(METHODS);

it('limits the calls of each method', () => {
  expect(Object.keys(CALLS_PER_MINUTE_BY_METHOD).sort()).toEqual(Object.keys(WEB_API_METHODS).sort());
});
