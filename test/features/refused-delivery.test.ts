/** Slack rejects one conversation, or the token: who still gets their posts, and who is notified. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { JsonObject } from '../../src/workbench/slack/objects.ts';
import type { SlackFaultEffect } from '../../src/workbench/slack/simulated-slack.ts';
import { firstSign, statusAsRead } from './as-read.ts';
import { noticesAmong } from './notices.ts';
import { readMetrics } from './read-metrics.ts';
import { startWorld, type World, wordsOf } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld({ env: { ADMIN_USER_IDS: '' } });
  world.slack.addUser({ name: 'cleo' });
  world.marketplace.addFilter({ id: 101 });
  await world.gig('web', 'subscribe filter 101');
  await world.gig('data', 'subscribe filter 101');
  await world.pass(30 * SECOND);
});
afterEach(() => world.stop());

const error = (code: string): SlackFaultEffect => ({ kind: 'error', error: code });

/** Rejects every message to that channel with the code, and nothing else. */
function refusePostsIn(channel: string, code: string) {
  const { id } = world.slack.channel(channel);
  const isConcerned = (method: string, args: JsonObject) =>
    method === 'chat.postMessage' && args['channel'] === id;
  return world.slack.injectFault(isConcerned, error(code), Number.POSITIVE_INFINITY);
}

async function publishAndWait(count: number, ms = 5 * MINUTE): Promise<string[]> {
  const published = Array.from({ length: count }, () => world.marketplace.publishProject([101]).ciphertext);
  await world.pass(ms);
  return published.toSorted();
}

async function readiness(): Promise<readonly [number, string]> {
  const answer = await globalThis.fetch(`${world.address()}/readyz`);
  return [answer.status, await answer.text()];
}

function directMessages(user: string, about: RegExp): readonly string[] {
  return world.slack
    .directMessages(user)
    .map(wordsOf)
    .filter((words) => about.test(words));
}

describe.each(['missing_scope', 'token_revoked'])('a channel that Slack refuses with %s', (code) => {
  it('stops no other channel, is reported, and gets everything once Slack takes posts again', async () => {
    const refusal = refusePostsIn('web', code);
    const published = await publishAndWait(3);
    expect(world.told('data').toSorted()).toEqual(published);
    expect(world.told('web')).toEqual([]);

    const [ready, conversations] = await readiness();
    expect(ready).toBe(200);
    expect(conversations).toMatchSnapshot();
    const page = await readMetrics(world.address());
    expect(page.value('gigdesk_delivery_refused_conversations')).toBe(1);
    expect(page.value('gigdesk_delivery_paused')).toBe(0);
    const status = await world.gig('data', 'status');
    expect(firstSign(status)).not.toBe('white_check_mark');
    expect(statusAsRead(world, status)).toMatchSnapshot();

    await world.pass(20 * MINUTE);
    expect(refusal.used).toBeLessThan(15);
    const toAda = world.slack.directMessages('ada');
    expect(await noticesAmong(toAda, world, 'conversation-refused')).toHaveLength(1);

    refusal.cancel();
    await world.pass(11 * MINUTE);
    expect(world.told('web').toSorted()).toEqual(published);
    expect(await readiness()).toEqual([200, 'ready\n']);
    expect(firstSign(await world.gig('data', 'status'))).toBe('white_check_mark');
  });
});

describe('a card that Slack refuses with a code that nobody knows', () => {
  function refuseCard(project: () => string | undefined, isRefused: (args: JsonObject) => boolean) {
    const isConcerned = (method: string, args: JsonObject) =>
      method === 'chat.postMessage' &&
      project() !== undefined &&
      JSON.stringify(args['metadata']).includes(`:${project()}`) &&
      isRefused(args);
    world.slack.injectFault(isConcerned, error('blocked_by_dlp_policy'), Number.POSITIVE_INFINITY);
  }

  it('silences no channel: the others arrive, and whoever can help hears of it', async () => {
    let blocked: string | undefined;
    refuseCard(
      () => blocked,
      (args) => args['channel'] === world.slack.channel('web').id,
    );
    blocked = world.marketplace.publishProject([101]).ciphertext;
    const others = await publishAndWait(4, 8 * MINUTE);
    expect(world.told('web').toSorted()).toEqual(others);
    expect(world.told('data')).toContain(blocked);
    const heard = directMessages('ada', /blocked_by_dlp_policy/u);
    expect(heard).toHaveLength(1);
    expect(heard[0]).toContain(blocked);
    expect(world.logLines.some((line) => /"level":50.*blocked_by_dlp_policy/u.test(line))).toBe(true);
    const page = await readMetrics(world.address());
    expect(page.value('gigdesk_deliveries_total', { outcome: 'failed' })).toBe(1);
    expect(firstSign(await world.gig('data', 'status'))).toBe('white_check_mark');
  });

  it('arrives as text where only its blocks are refused', async () => {
    let blocked: string | undefined;
    refuseCard(
      () => blocked,
      (args) => args['blocks'] !== undefined,
    );
    blocked = world.marketplace.publishProject([101]).ciphertext;
    await world.pass(3 * MINUTE);
    expect(world.told('web')).toEqual([blocked]);
    expect(directMessages('ada', /dlp/u)).toEqual([]);
  });
});

describe('a token that Slack refuses', () => {
  it('pauses delivery after one check, is reported, and resumes once the token works', async () => {
    const checks = () => world.slack.apiCalls('auth.test').length;
    const before = checks();
    world.slack.refuseToken('token_revoked');
    const published = await publishAndWait(3, 20 * SECOND);
    await world.until('the pause', () => checks() > before);
    const posts = () => world.slack.apiCalls('chat.postMessage').length;
    const tried = posts();
    await world.pass(10 * MINUTE);
    expect(posts()).toBe(tried);

    const [code, says] = await readiness();
    expect(code).toBe(503);
    expect(says).toContain('token_revoked');
    expect(says).toMatchSnapshot();
    expect((await readMetrics(world.address())).value('gigdesk_delivery_paused')).toBe(1);

    world.slack.refuseToken(undefined);
    await world.pass(6 * MINUTE);
    expect(world.told('web').toSorted()).toEqual(published);
    expect(world.told('data').toSorted()).toEqual(published);
    expect(await readiness()).toEqual([200, 'ready\n']);
  });

  it('shows in the status', async () => {
    // Only posts and the token check are rejected, so that the status can be shown.
    const isConcerned = (method: string) => method === 'chat.postMessage' || method === 'auth.test';
    const refusal = world.slack.injectFault(isConcerned, error('token_revoked'), Number.POSITIVE_INFINITY);
    await publishAndWait(1);
    const status = await world.gig('data', 'status');
    expect(status).toContain('token_revoked');
    expect(firstSign(status)).not.toBe('white_check_mark');
    refusal.cancel();
    await world.pass(6 * MINUTE);
    expect(firstSign(await world.gig('data', 'status'))).toBe('white_check_mark');
  });
});
