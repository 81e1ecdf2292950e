/** Every error code that the simulated Slack gives. */
import { expect } from 'vitest';
import { MINUTE } from '../../../src/clock.ts';
import {
  clientOf,
  codeFor,
  covers,
  exchange,
  modal,
  opened,
  posted,
  postJson,
  postRaw,
  refusalOf,
  refused,
  responseUrlFor,
  type Stage,
  section,
  triggerFor,
} from './stage.ts';

const post = ({ client }: Stage, extra: object) =>
  client.chat.postMessage({ channel: 'C1', text: 'x', ...extra });
const raw = ({ client }: Stage, method: string, args: Record<string, unknown>) =>
  client.apiCall(method, args);

async function visits(stage: Stage, url: string, times = 1): Promise<string> {
  let said = '';
  for (let visit = 0; visit < times; visit += 1) said = await (await postJson(url, { text: 'x' })).text();
  expect(stage.slack.failedCalls().at(-1)?.error).toBe(said);
  return said;
}

covers({
  already_reacted: refused('already_reacted', async (stage) => {
    const reaction = { channel: 'C1', timestamp: await posted(stage), name: 'eyes' };
    await stage.client.reactions.add(reaction);
    await stage.client.reactions.add(reaction);
  }),
  bad_client_secret: refused('bad_client_secret', (stage) => exchange(stage, { client_secret: 'wrong' })),
  bad_redirect_uri: async (stage) => {
    const code = codeFor(stage);
    const wrong = exchange(stage, { code, redirect_uri: 'https://evil.example' });
    expect(await refusalOf(wrong)).toBe('bad_redirect_uri');
    expect(await refusalOf(exchange(stage, { code, redirect_uri: undefined }))).toBe('bad_redirect_uri');
    expect(await refusalOf(exchange(stage, { code }))).toBe('ok');
  },
  bot_not_found: refused('bot_not_found', ({ client }) => client.bots.info({ bot: 'B9' })),
  cannot_find_message: refused('cannot_find_message', ({ client }) =>
    client.chat.unfurl({ channel: 'C1', ts: '1.0', unfurls: { 'https://a.b': {} } }),
  ),
  cannot_unfurl_url: refused('cannot_unfurl_url', async (stage) =>
    stage.client.chat.unfurl({ channel: 'C1', ts: await posted(stage), unfurls: { 'https://a.b': {} } }),
  ),
  cant_delete_message: refused('cant_delete_message', ({ client, slack }) =>
    client.chat.delete({
      channel: 'C1',
      ts: slack.postAsUser({ user: 'ada', channel: 'C1', text: 'mine' }).ts,
    }),
  ),
  cant_update_message: refused('cant_update_message', ({ client, slack }) =>
    client.chat.update({
      channel: 'C1',
      ts: slack.postAsUser({ user: 'ada', channel: 'C1', text: 'mine' }).ts,
      text: 'y',
    }),
  ),
  channel_not_found: async (stage) => {
    stage.slack.addChannel({ id: 'C2', name: 'secret', private: true, withBot: false });
    expect(await refusalOf(post(stage, { channel: 'C9' }))).toBe('channel_not_found');
    expect(await refusalOf(post(stage, { channel: 'C2' }))).toBe('channel_not_found');
  },
  duplicate_external_id: refused('duplicate_external_id', async (stage) => {
    await opened(stage, { external_id: 'one' });
    await opened(stage, { external_id: 'one' });
  }),
  exchanged_trigger_id: refused('exchanged_trigger_id', async (stage) => {
    const trigger_id = await triggerFor(stage);
    await stage.client.views.open({ trigger_id, view: modal() });
    await stage.client.views.open({ trigger_id, view: modal() });
  }),
  expired_trigger_id: refused('expired_trigger_id', async (stage) => {
    const trigger_id = await triggerFor(stage);
    stage.clock.moveBy(3001);
    await stage.client.views.open({ trigger_id, view: modal() });
  }),
  expired_url: async (stage) => {
    const url = await responseUrlFor(stage);
    stage.clock.moveBy(30 * MINUTE + 1);
    expect(await visits(stage, url)).toBe('expired_url');
  },
  file_not_found: refused('file_not_found', async ({ client }) => {
    const { file_id: id = '' } = await client.files.getUploadURLExternal({ filename: 'a', length: 1 });
    await client.files.completeUploadExternal({ files: [{ id }] });
  }),
  hash_conflict: refused('hash_conflict', async (stage) => {
    const view = await opened(stage);
    const update = { view_id: view?.id ?? '', hash: view?.hash ?? '', view: modal() };
    await stage.client.views.update(update);
    await stage.client.views.update(update);
  }),
  invalid_arguments: async (stage) => {
    const view = modal({ blocks: [{ type: 'section' }] });
    expect(await refusalOf(stage.client.views.open({ trigger_id: await triggerFor(stage), view }))).toBe(
      'invalid_arguments',
    );
    expect(await refusalOf(raw(stage, 'chat.update', { channel: 'C1' }))).toBe('invalid_arguments');
    expect(stage.slack.failedCalls().map((each) => each.messages)).toEqual([
      ['must define either `text` or `fields` [json-pointer:/view/blocks/0]'],
      ['missing required field: ts'],
    ]);
  },
  invalid_attachments: refused('invalid_attachments', (stage) => post(stage, { attachments: 'x' })),
  invalid_auth: refused('invalid_auth', ({ slack }) => clientOf(slack, 'xoxb-other').auth.test()),
  invalid_blocks: async (stage) => {
    const blocks = [section('fine'), { type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } }];
    expect(await refusalOf(post(stage, { blocks }))).toBe('invalid_blocks');
    const [refusal] = stage.slack.failedCalls();
    expect(refusal?.messages).toEqual([
      'must be less than 151 characters [json-pointer:/blocks/1/text/text]',
    ]);
  },
  invalid_blocks_format: refused('invalid_blocks_format', (stage) => post(stage, { blocks: '{' })),
  invalid_client_id: refused('invalid_client_id', (stage) => exchange(stage, { client_id: '7.7' })),
  invalid_code: async (stage) => {
    const [used, old] = [codeFor(stage), codeFor(stage)];
    expect(await refusalOf(exchange(stage, { code: used }))).toBe('ok');
    stage.clock.moveBy(10 * MINUTE);
    for (const code of [used, old, 'made up', ''])
      expect(await refusalOf(exchange(stage, { code }))).toBe('invalid_code');
  },
  invalid_cursor: refused('invalid_cursor', ({ client }) => client.users.list({ cursor: 'x' })),
  invalid_message: refused('invalid_message', ({ client }) =>
    client.blocks.validate({ message: { blocks: [{ type: 'hologram' }] } }),
  ),
  invalid_view: refused('invalid_view', ({ client }) =>
    client.blocks.validate({ view: modal({ blocks: [{ type: 'hologram' }] as never }) }),
  ),
  invalid_metadata_format: refused('invalid_metadata_format', (stage) => post(stage, { metadata: '[]' })),
  invalid_metadata_schema: refused('invalid_metadata_schema', (stage) =>
    post(stage, { metadata: { event_type: 'card' } }),
  ),
  invalid_name: refused('invalid_name', async (stage) =>
    stage.client.reactions.add({ channel: 'C1', timestamp: await posted(stage), name: 'no name' }),
  ),
  invalid_post_type: async ({ slack }) => {
    const headers = { authorization: `Bearer ${slack.botToken}`, 'content-type': 'text/plain' };
    const answer = await postRaw(`${slack.apiUrl}auth.test`, 'x', headers);
    expect(await answer.json()).toMatchObject({ ok: false, error: 'invalid_post_type' });
  },
  invalid_trigger_id: refused('invalid_trigger_id', ({ client }) =>
    client.views.open({ trigger_id: 'never', view: modal() }),
  ),
  invalid_types: refused('invalid_types', ({ client }) => client.conversations.list({ types: 'caves' })),
  is_archived: refused('is_archived', (stage) => {
    stage.slack.archive('C1');
    return post(stage, {});
  }),
  message_not_found: refused('message_not_found', ({ client }) =>
    client.chat.update({ channel: 'C1', ts: '1.0', text: 'x' }),
  ),
  metadata_too_large: refused('metadata_too_large', (stage) =>
    post(stage, { metadata: { event_type: 'card', event_payload: { long: 'x'.repeat(16_000) } } }),
  ),
  method_not_supported_for_channel_type: refused(
    'method_not_supported_for_channel_type',
    ({ client, slack }) => {
      slack.addChannel({ id: 'C2', name: 'secret', private: true });
      return client.conversations.join({ channel: 'C2' });
    },
  ),
  missing_scope: async ({ client, slack }) => {
    slack.grantScopes(['users:read', 'commands']);
    const refusal: unknown = await client.chat
      .postMessage({ channel: 'C1', text: 'x' })
      .catch((thrown) => thrown);
    const data = { error: 'missing_scope', needed: 'chat:write', provided: 'users:read,commands' };
    expect(refusal).toMatchObject({
      data: { ...data, response_metadata: { scopes: ['users:read', 'commands'] } },
    });
  },
  msg_blocks_too_long: refused('msg_blocks_too_long', (stage) =>
    post(stage, { blocks: Array.from({ length: 5 }, () => section('x'.repeat(2900))) }),
  ),
  msg_too_long: refused('msg_too_long', (stage) => post(stage, { text: 'x'.repeat(40_001) })),
  no_such_subteam: refused('no_such_subteam', ({ client }) =>
    client.usergroups.users.list({ usergroup: 'S9' }),
  ),
  no_text: refused('no_text', (stage) => post(stage, { text: '' })),
  no_url: async (stage) => {
    const url = new URL('/response/never', stage.slack.apiUrl).href;
    expect(await visits(stage, url)).toBe('no_url');
  },
  not_allowed_token_type: refused('not_allowed_token_type', ({ slack }) =>
    clientOf(slack, slack.appToken).auth.test(),
  ),
  not_authed: async ({ slack }) => {
    const answer = await postJson(`${slack.apiUrl}auth.test`, {});
    expect(await answer.json()).toEqual({ ok: false, error: 'not_authed' });
  },
  not_found: refused('not_found', ({ client }) => client.views.update({ view_id: 'V9', view: modal() })),
  not_in_channel: refused('not_in_channel', (stage) => {
    stage.slack.removeBot('C1');
    return post(stage, {});
  }),
  push_limit_reached: refused('push_limit_reached', async (stage) => {
    await opened(stage);
    for (let pushed = 0; pushed < 3; pushed += 1)
      await stage.client.views.push({ trigger_id: await triggerFor(stage), view: modal() });
  }),
  ratelimited: async ({ client, slack }) => {
    slack.setRateLimits('on');
    for (let call = 0; call < 20; call += 1) await client.users.list({});
    expect(await refusalOf(client.users.list({}))).toBe('WebAPIRateLimitedError');
    expect(slack.failedCalls()).toMatchObject([{ method: 'users.list', error: 'ratelimited' }]);
  },
  thread_not_found: refused('thread_not_found', (stage) => post(stage, { thread_ts: '1.0' })),
  token_revoked: refused('token_revoked', ({ client, slack }) => {
    slack.refuseToken('token_revoked');
    return client.auth.test();
  }),
  too_many_attachments: refused('too_many_attachments', (stage) =>
    post(stage, { attachments: Array.from({ length: 101 }, () => ({ text: 'x' })) }),
  ),
  unknown_method: refused('unknown_method', (stage) => raw(stage, 'admin.everything', {})),
  used_url: async (stage) => expect(await visits(stage, await responseUrlFor(stage), 6)).toBe('used_url'),
  user_disabled: refused('user_disabled', ({ client, slack }) => {
    slack.addUser({ id: 'U3', name: 'gone', deleted: true });
    return client.conversations.open({ users: 'U3' });
  }),
  user_not_found: refused('user_not_found', ({ client }) => client.users.info({ user: 'U9' })),
  user_not_in_channel: refused('user_not_in_channel', ({ client, slack }) => {
    slack.remove('C1', 'ada');
    return client.chat.postEphemeral({ channel: 'C1', user: 'U1', text: 'x' });
  }),
  view_too_large: refused('view_too_large', async (stage) =>
    opened(stage, { blocks: Array.from({ length: 90 }, () => section('x'.repeat(3000))) }),
  ),
});
