import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineClock, machineRandom } from '../../src/clock.ts';
import { UserId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { Secret } from '../../src/secret.ts';
import { createSlackClients } from '../../src/slack/core/clients.ts';
import { SlackCallError } from '../../src/slack/core/errors.ts';
import {
  notAllowedMessage,
  submissionFailedText,
  unknownViewMessage,
} from '../../src/slack/core/request-errors.ts';
import type { CommandCall, RouteTable, SlackCalls, ViewInteraction } from '../../src/slack/core/routes.ts';
import { createSlackCalls } from '../../src/slack/core/slack-calls.ts';
import { loadingView, noticeView, plainTextObject } from '../../src/slack/kit/block-builders.ts';
import { dateTimeInput, selectInput, textInput, usersInput } from '../../src/slack/kit/inputs.ts';
import type { SimulatedSlack } from '../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../src/workbench/slack/start-slack.ts';
import { type Connected, connect } from './connected.ts';

const words = { topic: 'about', usage: [], summary: '', examples: [] } as const;
const choices = [
  { label: 'One', value: '1' },
  { label: 'Two', value: '2' },
];

function form(id: string) {
  return {
    type: 'modal',
    callback_id: id,
    private_metadata: 'draft',
    notify_on_close: true,
    title: plainTextObject('Form'),
    submit: plainTextObject('Send'),
    blocks: [
      textInput({ id: 'letter', label: 'Letter', multiline: true, optional: true }),
      selectInput({ id: 'setup', label: 'Setup', choices, optional: true, dispatch: 'choose_setup' }),
      usersInput({ id: 'who', label: 'Who', optional: true }),
      dateTimeInput({ id: 'when', label: 'When', optional: true }),
    ],
  } as const;
}

let slack: SimulatedSlack;
let connected: Connected | undefined;
let submitted: ViewInteraction[];
let closed: ViewInteraction[];
let pressed: unknown[];

async function openForm(call: CommandCall): Promise<void> {
  const { blocks, ...view } = form(call.args);
  await call.services.slack.openView(call.triggerId, { ...view, blocks: [...blocks] });
}

const table: RouteTable = {
  commands: [{ ...words, word: 'form', needs: 'viewer', run: openForm }],
  actions: [
    {
      id: 'choose_setup',
      needs: 'viewer',
      run: async ({ value, view, services }) => {
        pressed.push([value, view?.values.get('letter'), view?.values.get('setup')]);
        if (view)
          await services.slack.updateView(
            view.id,
            { ...form('close'), blocks: [...form('close').blocks] },
            view.hash,
          );
      },
    },
  ],
  views: [
    {
      id: 'errors',
      needs: 'viewer',
      submit: async () => ({ kind: 'errors', errors: { letter: 'Too short.', elsewhere: 'Lost.' } }),
    },
    {
      id: 'close',
      needs: 'viewer',
      submit: async (place) => {
        submitted.push(place);
        return { kind: 'close', after: (call) => call.answer({ text: 'taken' }) };
      },
      closed: async (place) => {
        closed.push(place);
      },
    },
    {
      id: 'update',
      needs: 'viewer',
      submit: async () => ({
        kind: 'update',
        view: loadingView('Sending'),
        after: ({ view, services }) => services.slack.updateView(view.id, noticeView('Sent', 'It is done.')),
      }),
    },
    {
      id: 'push',
      needs: 'viewer',
      submit: async () => ({ kind: 'push', view: noticeView('More', 'More.') }),
    },
    { id: 'broken', needs: 'viewer', submit: () => Promise.reject(new Error('broken')) },
    { id: 'stuck', needs: 'viewer', submit: () => new Promise(() => undefined) },
    {
      id: 'admins',
      needs: 'admin',
      submit: async () => ({ kind: 'update', view: loadingView('Sending'), after: () => Promise.reject() }),
    },
  ],
  shortcuts: [],
  events: {},
};

beforeEach(async () => {
  submitted = [];
  closed = [];
  pressed = [];
  slack = await startSimulatedSlack({ clock: machineClock, random: machineRandom });
  slack.addUser({ id: 'U1', name: 'ann' });
  slack.addChannel({ id: 'C1', name: 'general' });
});
afterEach(async () => {
  await connected?.app.stop(100);
  connected = undefined;
  await slack.close();
});

const shown = () => slack.view('ann');
const told = () => slack.directMessages('ann').map((it) => it.text);

async function open(id: string): Promise<void> {
  await slack.runSlashCommand({ user: 'ann', channel: 'general', text: `form ${id}` });
  await slack.waitForCondition(() => shown()?.callbackId === id);
}

const submit = (values = {}) => slack.submitView({ user: 'ann', values });

async function expectKept(): Promise<void> {
  const before = shown();
  const answer = await submit({ letter: 'precious' });
  expect(answer).toMatchObject({ acked: true, action: 'errors' });
  const [, ref = ''] = /ref (\w{5})/u.exec(answer.errors['letter'] ?? '') ?? [];
  expect(answer.errors['letter']).toBe(submissionFailedText(ref));
  expect(shown()).toEqual(before);
}

it('a modal whose route does not decide is acknowledged within the 3 s of Slack', async () => {
  connected = await connect(slack, 'http', table);
  await open('stuck');
  await expectKept();
});

describe.each(['socket', 'http'] as const)('a modal, in %s mode', (mode) => {
  beforeEach(async () => {
    connected = await connect(slack, mode, table);
  });

  it('reaches its route with all that was filled in, and closes; the work goes on behind', async () => {
    await open('close');
    const values = { letter: ' Hello\n <&> ', setup: '2', who: ['U1'], when: 1_795_165_000 };
    expect(await submit(values)).toMatchObject({ acked: true, action: 'close' });
    expect(submitted).toMatchObject([
      { user: 'U1', view: { callbackId: 'close', privateMetadata: 'draft' } },
    ]);
    expect(Object.fromEntries(submitted[0]?.view.values ?? [])).toEqual({
      letter: { text: ' Hello\n <&> ' },
      setup: { option: '2' },
      who: { users: ['U1'] },
      when: { at: 1_795_165_000_000 },
    });
    await slack.waitForCondition(() => told().includes('taken'));
    expect(shown()).toBeUndefined();
    expect(slack.failedCalls()).toEqual([]);
  });

  it('shows errors at its inputs, changes, and grows by route; Slack refuses nothing', async () => {
    await open('errors');
    expect(await submit()).toMatchObject({ action: 'errors', errors: { letter: 'Too short. Lost.' } });
    await open('push');
    expect(await submit()).toMatchObject({ action: 'push' });
    expect(slack.viewStack('ann')).toHaveLength(2);
    await open('update');
    expect(await submit()).toMatchObject({ action: 'update' });
    await slack.waitForCondition(() => shown()?.title === 'Sent');
    expect(slack.failedCalls()).toEqual([]);
  });

  it('whose route fails is acknowledged all the same, and stays open with what was typed', async () => {
    await open('broken');
    await expectKept();
  });

  it('of nobody closes, and says so; one without the role does not wait for ever', async () => {
    await open('unknown');
    expect(await submit()).toMatchObject({ action: 'close' });
    await slack.waitForCondition(() => told().length === 1);
    expect(told()).toEqual([unknownViewMessage().text]);
    await open('admins');
    await submit();
    await slack.waitForCondition(() => told().length === 2);
    const refusal = notAllowedMessage({ user: UserId.parse('U1'), role: 'viewer' }, 'admin').text;
    await slack.waitForCondition(() => JSON.stringify(shown()?.blocks).includes(refusal));
  });

  it('tells its route of a change with what stands in it, and of its end', async () => {
    await open('close');
    const view = shown();
    if (!view) throw new Error('no view');
    await slack.chooseOption({
      user: 'ann',
      view,
      actionId: 'choose_setup',
      option: '2',
      values: { letter: 'kept' },
    });
    await slack.waitForCondition(() => shown()?.hash !== view.hash);
    expect(pressed).toEqual([['2', { text: 'kept' }, { option: '2' }]]);
    expect(await slack.closeView({ user: 'ann' })).toMatchObject({ acked: true });
    await slack.waitForCondition(() => closed.length === 1);
    expect(closed).toMatchObject([{ user: 'U1', view: { callbackId: 'close', privateMetadata: 'draft' } }]);
    expect(slack.failedCalls()).toEqual([]);
  });
});

describe('calls about views', () => {
  let calls: SlackCalls;
  beforeEach(async () => {
    calls = createSlackCalls(
      createSlackClients({
        botToken: new Secret(slack.botToken),
        apiUrl: slack.apiUrl,
        clock: machineClock,
        log: silentLog,
      }),
    );
    connected = await connect(slack, 'http', table);
  });
  const trigger = async () =>
    (await slack.runSlashCommand({ user: 'ann', channel: 'general', text: 'nothing' })).triggerId;
  const view = noticeView('Title', 'Words');

  it('push a view onto the open one', async () => {
    await calls.openView(await trigger(), view);
    const id = await calls.pushView(await trigger(), noticeView('On top', 'Words'));
    expect(slack.viewStack('ann').map((it) => it.title)).toEqual(['Title', 'On top']);
    expect(shown()?.id).toBe(id);
  });

  it('change only the view that the person has on the screen, where its hash is given', async () => {
    const id = await calls.openView(await trigger(), view);
    const hash = shown()?.hash ?? '';
    await calls.updateView(id, noticeView('New', 'Words'), hash);
    const late = calls.updateView(id, noticeView('Late', 'Words'), hash);
    await expect(late).rejects.toMatchObject({ code: 'hash_conflict', failureKind: 'refused' });
    expect(shown()?.title).toBe('New');
  });

  it('say what stood in the way: the view is gone, the trigger is spent', async () => {
    const used = await trigger();
    const id = await calls.openView(used, view);
    await expect(calls.openView(used, view)).rejects.toMatchObject({ code: 'exchanged_trigger_id' });
    await slack.closeView({ user: 'ann' });
    await expect(calls.updateView(id, view)).rejects.toMatchObject({
      code: 'not_found',
      failureKind: 'refused',
    });
    slack.injectFault('views.open', { kind: 'error', error: 'expired_trigger_id' });
    await expect(calls.openView(await trigger(), view)).rejects.toMatchObject({ code: 'expired_trigger_id' });
  });

  it.each([
    ['status', { kind: 'status', status: 500, when: 'after' }],
    ['connection', { kind: 'drop', when: 'after' }],
    ['body', { kind: 'broken-json', when: 'after' }],
  ] as const)('are asked for once: behind a lost answer (%s) the window may stand', async (_, effect) => {
    slack.injectFault('views.*', effect);
    await expect(calls.openView(await trigger(), view)).rejects.toMatchObject({
      failureKind: 'unknown',
      isAboutView: true,
    });
    expect(shown()?.title).toBe(view.title.text);
    slack.injectFault('views.push', effect);
    await expect(calls.pushView(await trigger(), view)).rejects.toMatchObject({
      failureKind: 'unknown',
      isAboutView: true,
    });
    expect([slack.apiCalls('views.open').length, slack.apiCalls('views.push').length]).toEqual([1, 1]);
  });

  it('never send a view that Slack would refuse', async () => {
    const wrong = noticeView('Title', []);
    for (const call of [
      calls.openView('t', wrong),
      calls.pushView('t', wrong),
      calls.updateView('V1', wrong),
    ])
      await expect(call).rejects.toMatchObject({ name: 'LimitError' });
    expect(slack.apiCalls('views.open')).toEqual([]);
  });

  it('list the groups of the workspace, or say that Slack refuses it', async () => {
    slack.addUserGroup({ id: 'S1', handle: 'bidders', users: ['U1'] });
    expect(await calls.listUserGroups()).toEqual([{ id: 'S1', name: 'bidders', handle: 'bidders' }]);
    slack.grantScopes(['chat:write']);
    await expect(calls.listUserGroups()).rejects.toBeInstanceOf(SlackCallError);
  });
});
