/** Requests to the public Slack endpoint: repeats, forgeries, and unexpected shapes. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { otherWorkspaceMessage } from '../../src/slack/core/request-errors.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ mode: 'http' });
});
afterAll(async () => {
  expect(world.slack.failedCalls()).toEqual([]);
  await world.stop();
});

interface Sent {
  readonly status: number;
  /** The resulting messages and marketplace requests. */
  readonly effects: number;
}

const FORM = 'application/x-www-form-urlencoded';

async function post(
  body: string,
  headers: Readonly<Record<string, string>> = {},
  secret = world.slack.signingSecret,
): Promise<Sent> {
  const at = String(Math.floor(world.clock.now() / SECOND));
  const signature = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
  const effects = () => world.slack.apiCalls().length + world.slack.ephemerals().length;
  const before = effects();
  const answer = await globalThis.fetch(`${world.address()}/slack/events`, {
    method: 'POST',
    body,
    headers: {
      'content-type': FORM,
      'x-slack-request-timestamp': at,
      'x-slack-signature': `v0=${signature}`,
      ...headers,
    },
    signal: AbortSignal.timeout(2_000),
  });
  await answer.text();
  await world.pass(SECOND);
  return { status: answer.status, effects: effects() - before };
}

let calls = 0;
function base() {
  const { slack } = world;
  return {
    api_app_id: slack.bot.appId,
    trigger_id: `trigger-${++calls}`,
    team: { id: slack.team.id },
    user: { id: slack.user('ada').id, team_id: slack.team.id },
    channel: { id: slack.channel('web').id },
  };
}

function command(fields: Readonly<Record<string, string>> = {}): string {
  const { team, user, channel, ...rest } = base();
  const ids = { team_id: team.id, user_id: user.id, channel_id: channel.id };
  return new URLSearchParams({ command: '/gig', text: 'list', ...ids, ...rest, ...fields }).toString();
}

function interaction(fields: object): string {
  return `payload=${encodeURIComponent(JSON.stringify({ ...base(), ...fields }))}`;
}

it('a command that Slack sends again is answered once', async () => {
  const body = command();
  expect(await post(body)).toMatchObject({ status: 200 });
  const retry = { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' };
  expect(await post(body, retry)).toEqual({ status: 200, effects: 0 });
});

describe('nothing happens', () => {
  it.each([
    ['a wrong secret', {}, 'another-secret-entirely'],
    ['no signature', { 'x-slack-signature': '' }, undefined],
    ['a signature that is too short', { 'x-slack-signature': 'v0=0' }, undefined],
    ['a time that is none', { 'x-slack-request-timestamp': 'now' }, undefined],
    ['a time long past', { 'x-slack-request-timestamp': '1' }, undefined],
    ['a time to come', { 'x-slack-request-timestamp': '99999999999' }, undefined],
  ])('with %s', async (_, headers, secret) => {
    expect(await post(command(), headers, secret)).toEqual({ status: 401, effects: 0 });
  });

  it('with a body beyond all measure, and the connection ends', async () => {
    expect(await post(command({ text: 'x'.repeat(2_000_000) }))).toEqual({ status: 413, effects: 0 });
    expect(await post('ssl_check=1')).toEqual({ status: 200, effects: 0 });
  });
});

describe('what nobody expects is acknowledged at once and has no effect', () => {
  it.each([
    ['an unknown type', { type: 'never_heard_of' }],
    ['no type', {}],
    ['a dialog', { type: 'dialog_submission', callback_id: 'x', submission: {} }],
    ['a submitted view', { type: 'view_submission', view: { id: 'V1', type: 'modal', callback_id: 'x' } }],
    ['a closed view', { type: 'view_closed', view: { id: 'V1', type: 'modal', callback_id: '' } }],
    ['a question for options', { type: 'block_suggestion', action_id: 'x', block_id: 'b', value: 'q' }],
    ['a press without actions', { type: 'block_actions', actions: [] }],
  ])('%s', async (_, fields) => {
    expect(await post(interaction(fields))).toEqual({ status: 200, effects: 0 });
  });

  it.each([
    ['an unknown event', { type: 'event_callback', event_id: 'Ev1', event: { type: 'never_heard_of' } }],
    ['no event', { type: 'event_callback', event_id: 'Ev2' }],
    ['a warning of Slack', { type: 'app_rate_limited' }],
  ])('%s', async (_, fields) => {
    const body = JSON.stringify({ team_id: world.slack.team.id, api_app_id: 'A', ...fields });
    expect(await post(body, { 'content-type': 'application/json' })).toEqual({ status: 200, effects: 0 });
  });
});

describe('another workspace', () => {
  it('can press nothing here', async () => {
    const pressed = { type: 'block_actions', actions: [{ type: 'button', action_id: 'card_claim' }] };
    await post(interaction({ ...pressed, team: { id: 'T0OTHER' }, message: { ts: '1.5' } }));
    expect(world.slack.ephemerals('ada').at(-1)?.text).toBe(otherWorkspaceMessage().text);
  });
});

it('an answer goes to no address that is not safe', async () => {
  for (const response_url of ['http://169.254.169.254/latest', 'file:///etc/passwd', 'nowhere']) {
    await post(command({ response_url }));
    expect(world.slack.ephemerals('ada').at(-1)?.text).toContain('This channel');
  }
});
