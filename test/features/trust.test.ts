/** Requests to the public Slack endpoint: repeats, forgeries, and shapes that nobody expects. */
import { createHmac } from 'node:crypto';
import { describe, expect } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import type { Desk } from '../kit/start-desk.ts';

const httpTest = appTestWith({ mode: 'http', empty: true });

type Fields = Readonly<Record<string, unknown>>;

interface Sent {
  readonly status: number;
  /** The acknowledgement's body. */
  readonly text: string;
  /** How many calls and private answers it led to. */
  readonly effects: number;
}

/** Sends a body, signed as Slack does. */
async function post(
  { app, slack }: Desk,
  body: string,
  headers: Fields = {},
  secret = slack.signingSecret,
): Promise<Sent> {
  const at = String(Math.floor(app.clock.now() / SECOND));
  const signature = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
  const effects = () => slack.apiCalls().length + slack.ephemerals().length;
  const before = effects();
  const answer = await globalThis.fetch(`${app.address()}/slack/events`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': at,
      'x-slack-signature': `v0=${signature}`,
      ...headers,
    },
    signal: AbortSignal.timeout(2_000),
  });
  const text = await answer.text();
  await app.pass(SECOND);
  return { status: answer.status, text, effects: effects() - before };
}

let sent = 0;
const idsIn = ({ slack }: Desk) => ({
  api_app_id: slack.bot.appId,
  trigger_id: `trigger-${++sent}`,
  team: { id: slack.team.id },
  user: { id: slack.user('ada').id, team_id: slack.team.id },
  channel: { id: slack.channel('web').id },
});

function commandIn(desk: Desk, fields: Readonly<Record<string, string>> = {}): string {
  const { team, user, channel, ...rest } = idsIn(desk);
  const ids = { team_id: team.id, user_id: user.id, channel_id: channel.id };
  return new URLSearchParams({ command: '/gig', text: 'list', ...ids, ...rest, ...fields }).toString();
}

const interactionIn = (desk: Desk, fields: Fields) =>
  `payload=${encodeURIComponent(JSON.stringify({ ...idsIn(desk), ...fields }))}`;

httpTest('a command that Slack sends again is answered once', async ({ desk }) => {
  const body = commandIn(desk);
  expect(await post(desk, body)).toMatchObject({ status: 200 });
  const retry = { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' };
  expect(await post(desk, body, retry)).toMatchObject({ status: 200, effects: 0 });
});

describe('nothing happens', () => {
  httpTest('without a true signature of this moment', async ({ desk }) => {
    const forgeries = [
      [{}, 'another-secret-entirely'],
      [{ 'x-slack-signature': '' }],
      [{ 'x-slack-signature': 'v0=0' }],
      [{ 'x-slack-request-timestamp': 'now' }],
      [{ 'x-slack-request-timestamp': '1' }],
      [{ 'x-slack-request-timestamp': '99999999999' }],
    ] as const;
    for (const [headers, secret] of forgeries)
      expect(await post(desk, commandIn(desk), headers, secret)).toMatchObject({ status: 401, effects: 0 });
  });

  httpTest('with a body beyond all measure, and the connection ends', async ({ desk }) => {
    const text = 'x'.repeat(2_000_000);
    expect(await post(desk, commandIn(desk, { text }))).toMatchObject({ status: 413, effects: 0 });
    expect(await post(desk, 'ssl_check=1')).toMatchObject({ status: 200, effects: 0 });
  });

  httpTest('for what nobody expects, which is acknowledged', async ({ desk }) => {
    const interactions = [
      { type: 'never_heard_of' },
      {},
      { type: 'dialog_submission', callback_id: 'x', submission: {} },
      { type: 'view_submission', view: { id: 'V1', type: 'modal', callback_id: 'x' } },
      { type: 'view_closed', view: { id: 'V1', type: 'modal', callback_id: '' } },
      { type: 'block_suggestion', action_id: 'x', block_id: 'b', value: 'q' },
      { type: 'block_actions', actions: [] },
    ];
    for (const fields of interactions)
      expect(await post(desk, interactionIn(desk, fields)), JSON.stringify(fields)).toMatchObject({
        status: 200,
        effects: 0,
      });
    const events = [
      { type: 'event_callback', event_id: 'Ev1', event: { type: 'never_heard_of' } },
      { type: 'event_callback', event_id: 'Ev2' },
      { type: 'app_rate_limited' },
    ];
    for (const fields of events) {
      const body = JSON.stringify({ team_id: desk.slack.team.id, api_app_id: 'A', ...fields });
      expect(await post(desk, body, { 'content-type': 'application/json' })).toMatchObject({
        status: 200,
        effects: 0,
      });
    }
  });

  httpTest('for another workspace, and no answer goes to an unsafe address', async ({ desk, ada }) => {
    const pressed = { type: 'block_actions', actions: [{ type: 'button', action_id: 'card_claim' }] };
    await post(desk, interactionIn(desk, { ...pressed, team: { id: 'T0OTHER' }, message: { ts: '1.5' } }));
    expect(ada.notes('web').at(-1)?.text).toMatch(/another workspace|other workspace/iu);
    for (const response_url of ['http://169.254.169.254/latest', 'file:///etc/passwd', 'nowhere']) {
      const before = ada.notes('web').length;
      await post(desk, commandIn(desk, { response_url }));
      expect(ada.notes('web')).toHaveLength(before + 1);
    }
    // Nothing was even tried there.
    expect(desk.app.logLines.filter((it) => it.includes('response_url'))).toEqual([]);
  });
});

describe('what can’t be read', () => {
  const values = { state: { values: 7 } };
  const said = (text: string) => JSON.parse(text) as Readonly<Record<string, unknown>>;

  httpTest('leaves a form open, with a sentence', async ({ desk, slack, ada }) => {
    await (await ada.type('/gig settings')).press('Quiet Hours');
    const { id, blocks, callbackId } = slack.view('ada') ?? expect.fail('no form');
    const full = { type: 'view_submission', view: { id, blocks, callback_id: callbackId, ...values } };
    const answer = await post(desk, interactionIn(desk, full));
    expect(said(answer.text)).toMatchObject({ response_action: 'errors' });
    expect(answer.text).toContain("couldn't read this, so nothing was sent");
    const section = [{ type: 'section', text: { type: 'mrkdwn', text: 'Review' } }];
    for (const callback of [{ callback_id: 'x' }, {}]) {
      const view = { id: 'V1', ...callback, blocks: section, ...values };
      const bare = await post(desk, interactionIn(desk, { type: 'view_submission', view }));
      expect(said(bare.text)).toMatchObject({ response_action: 'push', view: { type: 'modal' } });
      expect(bare.text).toContain("couldn't read this, so nothing was sent");
    }
  });

  httpTest(
    'of a press in a view is told in a direct message: there is no other place',
    async ({ desk, ada }) => {
      const press = { type: 'button', action_id: 'card_claim', block_id: 'b', value: { odd: true } };
      const { channel: _none, ...ids } = idsIn(desk);
      const fields = { ...ids, type: 'block_actions', view: { id: 'V1' }, actions: [press] };
      await post(desk, `payload=${encodeURIComponent(JSON.stringify(fields))}`);
      expect(ada.inbox().map(({ text }) => text)).toEqual([
        expect.stringContaining("Couldn't read this request"),
      ]);
    },
  );
});

appTest(
  'forms and buttons work without the fields that Slack calls optional',
  async ({ slack, market, ada, ben }) => {
    slack.setOptionalFields('left-out');
    const form = await (await ada.type('/gig settings')).press('Quiet Hours');
    await form.send({ 'Quiet hours': ['Every day'], 'Quiet from': '20:00', 'Quiet until': '08:00' });
    expect((await ada.type('/gig list')).text).toMatch(/8:00 PM.*8:00 AM/u);
    const card = await market.publish().cardIn('web');
    await ben.press(card, 'Claim');
    expect(card.text).toContain('Claimed by @ben');
  },
);
