/** Calls to Slack's Web API, over the real client: what is sent once, checked first, and said of failures. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineClock, machineRandom } from '../../../src/clock.ts';
import { ChannelId, MessageTs } from '../../../src/ids.ts';
import { silentLog } from '../../../src/log.ts';
import { Secret } from '../../../src/secret.ts';
import { createSlackClients } from '../../../src/slack/core/clients.ts';
import { SlackCallError } from '../../../src/slack/core/errors.ts';
import type { SlackCalls } from '../../../src/slack/core/routes.ts';
import { createSlackCalls } from '../../../src/slack/core/slack-calls.ts';
import { noticeView } from '../../../src/slack/kit/block-builders.ts';
import type { SimulatedSlack } from '../../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../../src/workbench/slack/start-slack.ts';

let slack: SimulatedSlack;
let calls: SlackCalls;
beforeEach(async () => {
  slack = await startSimulatedSlack({ clock: machineClock, random: machineRandom });
  slack.addUser({ id: 'U1', name: 'ann' });
  slack.addChannel({ id: 'C1', name: 'general' });
  const botToken = new Secret(slack.botToken);
  calls = createSlackCalls(
    createSlackClients({ botToken, apiUrl: slack.apiUrl, clock: machineClock, log: silentLog }),
  );
});
afterEach(() => slack.close());

const shown = () => slack.view('ann');

describe('calls about views', () => {
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

it('tell whether a channel can be reached, link to messages, and post once', async () => {
  const channel = ChannelId.parse('C1');
  slack.addChannel({ id: 'C2', name: 'private', private: true, withBot: false });
  slack.addChannel({ id: 'C3', name: 'old' });
  slack.archive('C3');
  expect(await calls.checkReachability(channel)).toEqual({ kind: 'member', name: 'general' });
  expect(await calls.checkReachability(ChannelId.parse('C2'))).toMatchObject({ kind: 'unreachable' });
  expect(await calls.checkReachability(ChannelId.parse('C3'))).toEqual({
    kind: 'unreachable',
    error: 'is_archived',
  });
  const before = slack.apiCalls('conversations.info').length;
  expect(await calls.checkReachability(ChannelId.parse('D1'))).toEqual({
    kind: 'unreachable',
    error: 'direct_message',
  });
  expect(slack.apiCalls('conversations.info')).toHaveLength(before);
  const ts = await calls.post(channel, { text: 'hello' });
  expect(await calls.fetchPermalink(channel, ts)).toContain('C1');
  expect(await calls.fetchPermalink(channel, MessageTs.parse('1.1'))).toBeUndefined();
  slack.injectFault('chat.postMessage', { kind: 'status', status: 503, when: 'after' });
  await expect(calls.post(channel, { text: 'once' })).rejects.toBeInstanceOf(SlackCallError);
  expect(slack.messages('general').map((it) => it.text)).toEqual(['hello', 'once']);
});
