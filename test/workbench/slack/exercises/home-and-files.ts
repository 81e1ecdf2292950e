/** App Homes that are opened and pressed, and files in messages. */
import type { App, ViewStateValue } from '@slack/bolt';
import { expect } from 'vitest';
import { renderMessageText } from '../../../../src/workbench/slack/text.ts';
import { refusalOf, startInSocketMode } from '../app.ts';
import { type Exercise, opened, plain, posted, section } from './exercise.ts';

export const HOME_AND_FILES = {
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
} satisfies Readonly<Record<string, Exercise>>;
