import type { App } from '@slack/bolt';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunningApp, Stage } from './stage.ts';
import { startInSocketMode, startOverHttp, startStage } from './stage.ts';

const button = (actionId: string, extra: object = {}) => ({
  type: 'button' as const,
  action_id: actionId,
  text: { type: 'plain_text' as const, text: actionId },
  value: `${actionId}-value`,
  ...extra,
});

const modal = {
  type: 'modal' as const,
  callback_id: 'bid',
  private_metadata: 'kept',
  notify_on_close: true,
  title: { type: 'plain_text' as const, text: 'Bid' },
  submit: { type: 'plain_text' as const, text: 'Send' },
  blocks: [
    {
      type: 'input' as const,
      block_id: 'amount',
      label: { type: 'plain_text' as const, text: 'Amount' },
      element: {
        type: 'number_input' as const,
        action_id: 'amount',
        is_decimal_allowed: false,
        min_value: '5',
      },
    },
    {
      type: 'input' as const,
      block_id: 'setup',
      optional: true,
      label: { type: 'plain_text' as const, text: 'Setup' },
      element: { type: 'external_select' as const, action_id: 'setup', min_query_length: 0 },
    },
  ],
};

/** A small app that handles every kind of interaction, and records what it got. */
function listenTo(app: App, seen: string[]): void {
  app.command('/gig', async ({ ack, body, client, respond }) => {
    if (body.text === 'silence') return;
    if (body.text === 'help') return ack({ text: 'This is the help' });
    await ack();
    if (body.text === 'bid') await client.views.open({ trigger_id: body.trigger_id, view: modal });
    else if (body.text === 'late') await respond({ text: 'done', response_type: 'in_channel' });
    else
      await client.chat.postMessage({
        channel: body.channel_id,
        text: 'A card',
        blocks: [
          { type: 'section', text: { type: 'mrkdwn', text: '*A card*' } },
          {
            type: 'actions',
            block_id: 'buttons',
            elements: [
              button('claim', {
                confirm: {
                  title: { type: 'plain_text', text: 'Sure?' },
                  text: { type: 'plain_text', text: 'It is yours then.' },
                  confirm: { type: 'plain_text', text: 'Yes' },
                  deny: { type: 'plain_text', text: 'No' },
                },
              }),
              {
                type: 'overflow',
                action_id: 'more',
                options: [{ text: { type: 'plain_text', text: 'Mute' }, value: 'mute' }],
              },
            ],
          },
        ],
      });
  });
  app.action('claim', async ({ ack, body, respond }) => {
    await ack();
    seen.push(`claim by ${body.user.id}`);
    await respond({ replace_original: true, text: `claimed by <@${body.user.id}>` });
  });
  app.action('more', async ({ ack, action }) => {
    await ack();
    seen.push(`more ${action.type === 'overflow' ? action.selected_option.value : '?'}`);
  });
  app.options('setup', async ({ ack, options }) => {
    const found = [{ text: { type: 'plain_text' as const, text: `Setup ${options.value}` }, value: 's7' }];
    await ack({ options: options.value === 'none' ? [] : found });
  });
  app.view('bid', async ({ ack, view, body }) => {
    const amount = view.state.values['amount']?.['amount']?.value;
    const setup = view.state.values['setup']?.['setup']?.selected_option?.value;
    if (amount === '6') return ack({ response_action: 'errors', errors: { amount: 'Not six' } });
    if (amount === '7')
      return ack({
        response_action: 'update',
        view: { ...modal, blocks: [], title: { type: 'plain_text', text: 'Done' } },
      });
    await ack();
    seen.push(`bid ${amount} with ${setup} by ${body.user.id}, ${view.private_metadata}`);
  });
  app.view({ callback_id: 'bid', type: 'view_closed' }, async ({ ack }) => {
    await ack();
    seen.push('closed');
  });
  app.shortcut('lookup', async ({ ack, shortcut }) => {
    await ack();
    seen.push(`lookup ${shortcut.type === 'message_action' ? shortcut.message.text : 'nothing'}`);
  });
  app.event('app_mention', async ({ event }) => void seen.push(`mention ${event.text}`));
  app.event('member_joined_channel', async ({ event }) => void seen.push(`joined ${event.user}`));
  app.event('app_home_opened', async ({ event, client }) => {
    await client.views.publish({
      user_id: event.user,
      view: { type: 'home', blocks: [{ type: 'divider' }] },
    });
  });
  app.event('link_shared', async ({ event, client }) => {
    const [link] = event.links;
    if (link)
      await client.chat.unfurl({
        channel: event.channel,
        ts: event.message_ts,
        unfurls: {
          [link.url]: { blocks: [{ type: 'section', text: { type: 'plain_text', text: 'A project' } }] },
        },
      });
  });
}

describe.each([
  ['Socket Mode', startInSocketMode],
  ['HTTP mode', startOverHttp],
])('a person before a Bolt app in %s', (_name, start) => {
  let stage: Stage;
  let running: RunningApp;
  let seen: string[];
  const ada = 'U1';

  async function begin(): Promise<Stage> {
    seen = [];
    stage = await startStage();
    running = await start(stage.slack, (app) => listenTo(app, seen));
    return stage;
  }

  afterEach(async () => {
    const refused = stage.slack.failedCalls();
    await running.stop();
    await stage.slack.close();
    expect(refused).toEqual([]);
  });

  it('gets the acknowledgement of a command as a message for them alone', async () => {
    const { slack } = await begin();
    const answer = await slack.runSlashCommand({ user: ada, channel: '#projects', text: 'help' });
    expect(answer).toMatchObject({ acked: true, body: { text: 'This is the help' } });
    expect(slack.ephemerals(ada, 'C1').map((each) => each.text)).toEqual(['This is the help']);
    expect(slack.messages('C1')).toEqual([]);
  });

  it('sees what comes later through the response_url', async () => {
    const { slack } = await begin();
    await slack.runSlashCommand({ user: ada, channel: 'C1', text: 'late' });
    await slack.waitUntilQuiet();
    expect(slack.messages('C1').map((each) => each.text)).toEqual(['done']);
  });

  it('is told that a command timed out when nobody acknowledges within 3 s', async () => {
    const { slack, clock } = await begin();
    const answer = slack.runSlashCommand({ user: ada, channel: 'C1', text: 'silence' });
    await slack.waitForCondition(() => slack.openRequests === 1);
    clock.moveBy(3000);
    expect(await answer).toMatchObject({ acked: false, failure: 'operation_timeout' });
  });

  it('presses a button of a message, after its confirmation, and sees the message replaced', async () => {
    const { slack } = await begin();
    await slack.runSlashCommand({ user: ada, channel: 'C1', text: 'card' });
    await slack.waitUntilQuiet();
    const [card] = slack.messages('C1');
    if (!card) throw new Error('no card');
    const denied = await slack.press({ user: 'U2', message: card, actionId: 'claim', confirm: 'deny' });
    expect(denied.sent).toBe(false);
    await slack.chooseOption({ user: ada, message: card, actionId: 'more', option: 'Mute' });
    const pressed = await slack.press({ user: ada, message: card, actionId: 'claim' });
    expect(pressed).toMatchObject({ acked: true, confirm: { title: 'Sure?', confirm: 'Yes' } });
    await slack.waitUntilQuiet();
    expect(seen).toEqual(['more mute', 'claim by U1']);
    expect(slack.messages('C1')).toMatchObject([{ text: 'claimed by <@U1>', blocks: [], edited: true }]);
    await expect(slack.press({ user: ada, message: card, actionId: 'claim' })).rejects.toThrow(
      /no element "claim"/,
    );
  });

  it('fills in and submits a modal: refused by Slack, then by the app, then taken', async () => {
    const { slack } = await begin();
    await slack.runSlashCommand({ user: ada, channel: 'C1', text: 'bid' });
    await slack.waitForCondition(() => slack.view(ada) !== undefined);
    const bySlack = await slack.submitView({ user: ada, values: { amount: '4' } });
    expect(bySlack).toMatchObject({
      sent: false,
      errors: { amount: 'Please enter a number of at least 5.' },
    });
    const byApp = await slack.submitView({ user: ada, values: { amount: '6' } });
    expect(byApp).toMatchObject({ sent: true, action: 'errors', errors: { amount: 'Not six' } });
    const view = slack.view(ada);
    if (!view) throw new Error('no view');
    const offered = await slack.requestSuggestions({ user: ada, view, actionId: 'setup', query: 'x' });
    expect(offered).toEqual([{ text: 'Setup x', value: 's7' }]);
    // New options for other letters don't remove earlier choices.
    await slack.requestSuggestions({ user: ada, view, actionId: 'setup', query: 'none' });
    const taken = await slack.submitView({ user: ada, values: { amount: 50, setup: 's7' } });
    expect(taken.action).toBe('close');
    await slack.waitUntilQuiet();
    expect(seen).toEqual(['bid 50 with s7 by U1, kept']);
    expect(slack.view(ada)).toBeUndefined();
  });

  it('sees a modal updated by its acknowledgement, and its closing told to the app', async () => {
    const { slack } = await begin();
    await slack.runSlashCommand({ user: ada, channel: 'C1', text: 'bid' });
    await slack.waitForCondition(() => slack.view(ada) !== undefined);
    expect(await slack.submitView({ user: ada, values: { amount: 7 } })).toMatchObject({ action: 'update' });
    expect(slack.view(ada)?.title).toBe('Done');
    await slack.closeView({ user: ada });
    await slack.waitUntilQuiet();
    expect(seen).toEqual(['closed']);
  });

  it('uses shortcuts, mentions the bot, joins a channel, shares a link, opens Home', async () => {
    const { slack } = await begin();
    const message = slack.postAsUser({ user: 'bob', channel: 'projects', text: 'look here' });
    expect(await slack.messageShortcut({ user: ada, message, callbackId: 'lookup' })).toMatchObject({
      acked: true,
    });
    expect(await slack.globalShortcut({ user: ada, callbackId: 'lookup' })).toMatchObject({ acked: true });
    expect(await slack.mentionApp({ user: ada, channel: 'C1', text: 'hello' })).toMatchObject({
      acked: true,
    });
    await slack.joinChannel({ user: 'bot', channel: 'C1' });
    const shared = await slack.postLinks({ user: ada, channel: 'C1', urls: ['https://example.com/~01'] });
    await slack.openHome({ user: ada });
    await slack.waitUntilQuiet();
    expect(seen).toEqual([
      'lookup look here',
      'lookup nothing',
      `mention <@${slack.bot.userId}> hello`,
      `joined ${slack.bot.userId}`,
    ]);
    expect(slack.unfurls()).toMatchObject([{ ts: shared.message.ts, url: 'https://example.com/~01' }]);
    expect(slack.home(ada)?.blocks).toMatchObject([{ type: 'divider' }]);
  });
});
