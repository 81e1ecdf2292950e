/** Homes, files, faults, limits and people in the simulated Slack. */
import type { App, ViewStateValue } from '@slack/bolt';
import { expect } from 'vitest';
import { MINUTE } from '../../../src/clock.ts';
import { renderMessageText } from '../../../src/workbench/slack/text.ts';
import {
  authorizeUrlOf,
  covers,
  exchange,
  furnish,
  modal,
  opened,
  plain,
  posted,
  REDIRECT_URI,
  refusalOf,
  section,
  startInSocketMode,
} from './stage.ts';

covers({
  'home: opened, pressed, and opened again': async (stage) => {
    const { slack, client } = stage;
    const heard: Record<string, unknown>[] = [];
    const listen = (app: App) => {
      app.event('app_home_opened', async ({ event }) => void heard.push({ ...event }));
      app.action('go', async ({ ack, body }) => {
        heard.push({ ...body });
        await ack();
      });
    };
    const button = { type: 'button' as const, action_id: 'go', text: plain('Go'), value: '1' };
    const blocks = [section('Home'), { type: 'actions' as const, elements: [button] }];
    const running = await startInSocketMode(slack, listen);
    expect(await slack.openHome({ user: 'ada' })).toEqual({ acked: true });
    expect(heard[0]).toMatchObject({ user: 'U1', tab: 'home' });
    expect(heard[0]).not.toHaveProperty('view');
    const first = await client.views.publish({ user_id: 'U1', view: { type: 'home', blocks } });
    const again = { user_id: 'U1', view: { type: 'home' as const, blocks } };
    await client.views.publish({ ...again, hash: first.view?.hash ?? '' });
    const late = client.views.publish({ ...again, hash: first.view?.hash ?? '' });
    expect(await refusalOf(late)).toBe('hash_conflict');
    const view = slack.home('ada') ?? expect.fail('no Home');
    expect(view.id).toBe(first.view?.id);
    expect(await slack.press({ user: 'ada', view, actionId: 'go' })).toMatchObject({
      acked: true,
      responseUrl: undefined,
    });
    expect(heard[1]).toMatchObject({ view: { type: 'home', id: view.id, hash: view.hash } });
    expect(heard[1]).not.toHaveProperty('channel');
    await slack.openHome({ user: 'ada' });
    expect(heard[2]).toMatchObject({ view: { id: view.id, hash: view.hash } });
    await slack.openHome({ user: 'bob', tab: 'messages' });
    expect(heard[3]).toMatchObject({ user: 'U2', tab: 'messages' });
    await running.stop();
  },
  'files: in history, threads, and on screens': async (stage) => {
    const { slack, client } = stage;
    const ts = await posted(stage);
    const picture = { file: Buffer.from('a picture'), filename: 'burn.png', alt_text: 'Half is spent' };
    const file = { channel_id: 'C1', title: 'Credits', ...picture };
    await client.filesUploadV2({ ...file, initial_comment: 'On its own' });
    await client.filesUploadV2({ ...file, thread_ts: ts });
    const shown = { name: 'burn.png', title: 'Credits', mimetype: 'image/png', alt_txt: 'Half is spent' };
    const history = await client.conversations.history({ channel: 'C1' });
    expect(history.messages?.[0]).toMatchObject({ text: 'On its own', files: [shown] });
    const thread = await client.conversations.replies({ channel: 'C1', ts });
    expect(thread.messages?.[1]).toMatchObject({ files: [shown] });
    const reply = slack.thread('C1', ts)[1] ?? expect.fail('no reply');
    const [carried, ...more] = slack.files(reply);
    expect(more).toEqual([]);
    expect(carried).toMatchObject({ altText: 'Half is spent', threadTs: ts, messageTs: reply.ts });
    expect(carried?.bytes.toString()).toBe('a picture');
    const fileOf = (id: string) => slack.files().find((each) => each.id === id);
    expect(renderMessageText(reply, { fileOf })).toBe('(file: Credits: Half is spent)');
    expect(renderMessageText(reply)).toBe('(1 file)');
  },
  'files: in a modal': async (stage) => {
    const { slack } = stage;
    const element = { type: 'file_input' as const, action_id: 'list', filetypes: ['CSV'], max_files: 2 };
    const block = { type: 'input' as const, block_id: 'files', label: plain('Files'), element };
    await opened(stage, { callback_id: 'import', submit: plain('Import'), blocks: [block] });
    const upload = (name: string, user = 'ada') =>
      slack.uploadFile({ user, name, bytes: Buffer.from(`of ${name}`) }).id;
    const refusalFor = async (...ids: readonly string[]) =>
      (await slack.submitView({ user: 'ada', values: { list: ids } })).errors['files'];
    expect(await refusalFor()).toBe('Please complete this required field.');
    expect(await refusalFor(upload('plan.pdf'))).toBe('Please choose only files of type csv.');
    const [one, two, three] = [upload('one.csv'), upload('Two.CSV'), upload('three.csv')];
    expect(await refusalFor(one, two, three)).toBe('Please choose no more than 2 files.');
    await expect(refusalFor(upload('four.csv', 'bob'))).rejects.toThrow(/\bF\w*\d/u);

    let files: NonNullable<ViewStateValue['files']> = [];
    const running = await startInSocketMode(slack, (app) => {
      app.view('import', async ({ ack, view }) => {
        files = view.state.values['files']?.['list']?.files ?? [];
        await ack();
      });
    });
    const sent = await slack.submitView({ user: 'ada', values: { list: [one, two] } });
    expect(sent).toMatchObject({ action: 'close', errors: {} });
    expect(files).toMatchObject([
      {
        id: one,
        name: 'one.csv',
        title: 'one.csv',
        filetype: 'csv',
        mimetype: 'text/csv',
        user: 'U1',
        size: 10,
      },
      { id: two, name: 'Two.CSV', mode: 'hosted', is_external: false },
    ]);

    const read = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await globalThis.fetch(files[0]?.url_private ?? '', { headers })).text();
    };
    expect(await read(slack.botToken)).toBe('of one.csv');
    // As in Slack, this isn't an error but a page for people.
    expect(await read('xoxb-another')).toContain('Sign in');
    slack.grantScopes(['chat:write']);
    expect(await read(slack.botToken)).toContain('Sign in');
    await running.stop();
  },

  'faults: before and after the effect': async (stage) => {
    const { slack } = stage;
    const kinds = [
      { kind: 'status', status: 503 },
      { kind: 'drop' },
      { kind: 'broken-json' },
      { kind: 'error', error: 'internal_error' },
    ] as const;
    const outcomes: string[] = [];
    for (const when of ['before', 'after'] as const)
      for (const fault of kinds) {
        slack.injectFault('chat.*', { ...fault, when });
        outcomes.push(await refusalOf(posted(stage, { text: `${fault.kind} ${when}` })));
      }
    const said = ['WebAPIHTTPError', 'WebAPIRequestError', expect.anything(), 'internal_error'];
    expect(outcomes).toEqual([...said, ...said]);
    expect(slack.messages('C1').map((each) => each.text)).toEqual(kinds.map(({ kind }) => `${kind} after`));
    expect(slack.failedCalls()).toEqual([]);
    expect(slack.apiCalls('chat.postMessage').every((call) => !call.ok && call.ordered)).toBe(true);
    expect(await refusalOf(posted(stage))).toBe('ok');
  },
  'faults: rate limits': async ({ client, slack }) => {
    const fault = slack.injectFault('auth.test', { kind: 'ratelimited', retryAfterS: 7 });
    const refusal: unknown = await client.auth.test().catch((thrown) => thrown);
    expect(refusal).toMatchObject({ retryAfter: 7 });
    expect(fault.used).toBe(1);
  },
  'faults: delayed responses': async (stage) => {
    const { slack, clock } = stage;
    const held = slack.injectFault('chat.postMessage', { kind: 'hold' });
    const first = posted(stage);
    await slack.waitForCondition(() => slack.messages('C1').length === 1);
    expect(held.held).toBe(1);
    held.release();
    await first;
    const later = slack.injectFault('chat.postMessage', { kind: 'hold', ms: 5000, when: 'before' });
    const second = posted(stage);
    while (later.held === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(slack.messages('C1')).toHaveLength(1);
    clock.moveBy(5000);
    await second;
    expect(slack.messages('C1')).toHaveLength(2);
  },
  'limits: posting': async (stage) => {
    const { slack, clock } = stage;
    slack.setRateLimits('on');
    slack.addChannel({ id: 'C2', name: 'other' });
    for (let burst = 0; burst < 3; burst += 1) await posted(stage);
    const refusal: unknown = await posted(stage).catch((thrown) => thrown);
    expect(refusal).toMatchObject({ retryAfter: 1 });
    await posted(stage, { channel: 'C2' });
    clock.moveBy(1000);
    await posted(stage);
    expect(await refusalOf(posted(stage))).toBe('WebAPIRateLimitedError');
  },
  'limits: methods': async ({ client, slack, clock }) => {
    slack.setRateLimits('on');
    for (let call = 0; call < 50; call += 1) await client.conversations.history({ channel: 'C1' });
    clock.moveBy(MINUTE / 2);
    const refusal: unknown = await client.conversations.history({ channel: 'C1' }).catch((thrown) => thrown);
    expect(refusal).toMatchObject({ retryAfter: 30 });
    clock.moveBy(MINUTE / 2);
    await client.conversations.history({ channel: 'C1' });
  },
  'limits: history': async (stage) => {
    const { client, slack, clock } = stage;
    for (let count = 0; count < 20; count += 1)
      slack.postAsUser({ user: 'bob', channel: 'C1', text: 'words' });
    const read = () => client.conversations.history({ channel: 'C1', limit: 200 });
    expect((await read()).messages).toHaveLength(20);
    slack.setHistoryLimit('strict');
    clock.moveBy(MINUTE);
    const page = await read();
    expect(page.messages).toHaveLength(15);
    expect(page.response_metadata?.next_cursor).not.toBe('');
    clock.moveBy(MINUTE / 4);
    expect(await read().catch((thrown: unknown) => thrown)).toMatchObject({ retryAfter: 45 });
    slack.setHistoryLimit('usual');
    await read();
  },
  'blocks: refused by an older Slack': async ({ slack, client }) => {
    const table = {
      type: 'data_table',
      caption: 'Rows',
      rows: [[{ type: 'raw_text', text: 'a' }], [{ type: 'raw_text', text: 'b' }]],
    };
    const post = () => client.chat.postMessage({ channel: 'C1', text: 'x', blocks: [table] });
    slack.refuseBlocks(['data_table']);
    expect(await refusalOf(post())).toBe('invalid_blocks');
    expect(slack.failedCalls()[0]?.messages.join()).toContain('unsupported type: data_table');
    slack.refuseBlocks(['data_table'], 'unnamed');
    expect(await refusalOf(post())).toBe('invalid_blocks');
    expect(slack.failedCalls()[1]?.messages).toEqual([]);
    expect(slack.messages('C1')).toEqual([]);
    slack.refuseBlocks([]);
    await post();
    expect(slack.messages('C1')).toHaveLength(1);
  },
  'installing: allowed': async (stage) => {
    const { slack } = stage;
    const authorizeUrl = authorizeUrlOf(stage);
    const back = new URL(slack.allowInstall({ user: 'U1', authorizeUrl }));
    expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([REDIRECT_URI, 'st']);
    const team = { id: 'T2', name: 'Second Agency' };
    const other = { user: 'U9', authorizeUrl, team, botToken: 'xoxb-second', enterprise: 'E1' };
    const codeOf = (url: string) => new URL(url).searchParams.get('code');
    expect(await exchange(stage, { code: codeOf(slack.allowInstall(other)) })).toMatchObject({
      access_token: 'xoxb-second',
      team,
      enterprise: { id: 'E1' },
      is_enterprise_install: false,
    });
    const forAll = slack.allowInstall({ ...other, orgWide: true });
    const granted = await exchange(stage, { code: codeOf(forAll) });
    expect(granted).toMatchObject({ team: null, is_enterprise_install: true });
    const wrongApp = authorizeUrl.replace(slack.clientId, '7.7');
    for (const wrong of [wrongApp, authorizeUrl.replace('redirect_uri', 'x'), slack.apiUrl])
      expect(() => slack.allowInstall({ user: 'U1', authorizeUrl: wrong })).toThrow();
  },
  'installing: canceled': async (stage) => {
    const back = new URL(stage.slack.cancelInstall(authorizeUrlOf(stage)));
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 'st' });
  },
  'people: forged presses': async (stage) => {
    await posted(stage);
    const [message] = stage.slack.messages('C1');
    if (!message) throw new Error('no message');
    const press = { user: 'ada', message, actionId: 'approve', value: 'job-9' };
    await expect(stage.slack.press(press)).rejects.toThrow(/"approve"/);
    await stage.slack.press({ ...press, force: true });
    const [sent] = stage.slack.sentRequests();
    expect(sent?.payload['actions']).toMatchObject([
      { type: 'button', action_id: 'approve', value: 'job-9' },
    ]);
  },
  'people: state': async (stage) => {
    const { slack } = stage;
    const field = {
      type: 'input' as const,
      block_id: 'name',
      label: plain('Name'),
      element: { type: 'plain_text_input' as const, action_id: 'name' },
    };
    const more = {
      type: 'actions' as const,
      elements: [{ type: 'button' as const, action_id: 'more', text: plain('More') }],
    };
    await opened(stage, { blocks: [field, more], submit: plain('Send') });
    const before = slack.view('ada');
    if (!before) throw new Error('no view');
    await slack.press({ user: 'ada', view: before, actionId: 'more', values: { name: 'Typed' } });
    const wider = modal({ blocks: [field, section('Wider'), more], submit: plain('Send') });
    await stage.client.views.update({ view_id: before.id, view: wider });
    await slack.submitView({ user: 'ada' });
    const submitted = slack.sentRequests().at(-1)?.payload;
    expect(submitted).toMatchObject({
      type: 'view_submission',
      view: { state: { values: { name: { name: { type: 'plain_text_input', value: 'Typed' } } } } },
    });
    await expect(slack.submitView({ user: 'ada', values: { nmae: 'x' } })).rejects.toThrow(/\bnmae\b/);
  },
  'people: unfurled buttons': async ({ client, slack }) => {
    const url = 'https://example.com/~01';
    const { message } = await slack.postLinks({ user: 'ada', channel: 'C1', urls: [url] });
    const button = { type: 'button' as const, action_id: 'bid', text: plain('Bid') };
    const unfurls = { [url]: { blocks: [{ type: 'actions' as const, elements: [button] }] } };
    await client.chat.unfurl({ channel: 'C1', ts: message.ts, unfurls });
    await slack.press({ user: 'bob', message, unfurl: url, actionId: 'bid' });
    const container = { type: 'message_attachment', is_app_unfurl: true, app_unfurl_url: url };
    expect(slack.sentRequests().at(-1)?.payload).toMatchObject({
      container,
      actions: [{ action_id: 'bid' }],
    });
  },
  'world: reset': async (stage) => {
    const { slack } = stage;
    await posted(stage);
    slack.injectFault('auth.test', { kind: 'error', error: 'fatal_error' });
    slack.reset();
    furnish(slack);
    expect(slack.messages('C1')).toEqual([]);
    expect(slack.apiCalls()).toEqual([]);
    expect(await refusalOf(stage.client.auth.test())).toBe('ok');
  },
});
