/**
 * Payloads without the fields that Slack documents as optional: every action still works and gets an answer.
 */
import { createHmac } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { actionIds } from '../../src/slack/kit/ids.ts';
import { asRead } from './as-read.ts';
import { changeSettings, openPart, openSettings } from './settings-form.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
afterEach(() => world.stop());

async function begin(mode: 'socket' | 'http' = 'socket'): Promise<void> {
  world = await startWorld({ mode });
  world.marketplace.addFilter({ id: 101, name: 'React work' });
  await world.gig('web', 'subscribe filter 101');
  await world.pass(30 * SECOND);
}

describe('without optional fields', () => {
  it('a form with blocks that are no inputs is taken in', async () => {
    await begin();
    world.slack.setOptionalFields('left-out');
    await changeSettings(world, 'web', { quiet: ['daily'], 'quiet-from': '20:00', 'quiet-to': '08:00' });
    expect(await world.gig('web', 'list')).toMatch(/8:00 PM.*8:00 AM/u);
  });

  it('a press on a card does what it says', async () => {
    await begin();
    world.slack.setOptionalFields('left-out');
    world.marketplace.publishProject(101);
    await world.until('the card', () => world.cards('web').length === 1);
    const card = world.cards('web')[0] ?? expect.fail('no card');
    await world.slack.press({ user: 'ben', message: card, actionId: actionIds.claim });
    await world.pass(5 * SECOND);
    const shown = world.slack.message('web', card.ts) ?? expect.fail('no card');
    expect(wordsOf(shown)).toContain(world.slack.user('ben').id);
  });
});

describe('what can not be read', () => {
  /** Signs a payload as Slack does. @returns the acknowledgement's body */
  async function send(payload: object): Promise<unknown> {
    const at = String(Math.floor(world.clock.now() / SECOND));
    const body = `payload=${encodeURIComponent(JSON.stringify(payload))}`;
    const signature = createHmac('sha256', world.slack.signingSecret)
      .update(`v0:${at}:${body}`)
      .digest('hex');
    const answer = await globalThis.fetch(`${world.address()}/slack/events`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': at,
        'x-slack-signature': `v0=${signature}`,
      },
    });
    const text = await answer.text();
    await world.pass(SECOND);
    expect(answer.status).toBe(200);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** All visible texts of an acknowledgement. */
  function wordsIn(answer: unknown): readonly string[] {
    const texts = JSON.stringify(answer).matchAll(/"([^"]* [^"]*)"/gu);
    return [...texts].map(([, words = '']) => asRead(world, words.replaceAll('\\n', '\n')));
  }

  const from = (user: string) => ({
    team: { id: world.slack.team.id },
    user: { id: world.slack.user(user).id, team_id: world.slack.team.id },
    trigger_id: 'trigger-1',
  });

  it('leaves a form open, with a sentence at its first input', async () => {
    await begin('http');
    await openSettings(world, 'web');
    const { id, blocks, callbackId } = await openPart(world, 'Quiet Hours');
    const view = { id, blocks, callback_id: callbackId, state: { values: 7 } };
    const answer = await send({ type: 'view_submission', ...from('ada'), view });
    expect(answer).toMatchObject({ response_action: 'errors' });
    expect(wordsIn(answer)).toMatchSnapshot();
  });

  it('leaves a form without inputs open below a sentence', async () => {
    await begin('http');
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Review' } }];
    for (const callback of [{ callback_id: 'x' }, {}]) {
      const view = { id: 'V1', ...callback, blocks, state: { values: 7 } };
      const answer = await send({ type: 'view_submission', ...from('ada'), view });
      expect(answer).toMatchObject({ response_action: 'push', view: { type: 'modal' } });
      expect(wordsIn(answer)).toMatchSnapshot();
    }
  });

  it('of a press in a view is told in a direct message: there is no other place', async () => {
    await begin('http');
    const before = world.slack.directMessages('ben').length;
    const pressed = { type: 'button', action_id: actionIds.claim, block_id: 'b', value: { odd: true } };
    await send({ type: 'block_actions', ...from('ben'), view: { id: 'V1' }, actions: [pressed] });
    const heard = world.slack.directMessages('ben').slice(before).map(wordsOf);
    expect(heard).toHaveLength(1);
    expect(asRead(world, heard[0] ?? '')).toMatchSnapshot();
  });
});
