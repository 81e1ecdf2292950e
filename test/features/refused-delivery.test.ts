/** Slack rejects one conversation, one card, or the token: who still gets their posts, and who is told. */
import { describe, expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import type { JsonObject } from '../../src/workbench/slack/objects.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';
import { type Desk, FILTER, SHOP } from '../kit/start-desk.ts';
import { readMetrics } from './read-metrics.ts';

const appTest = appTestWith({ env: { ADMIN_USER_IDS: '' } });
const always = Number.POSITIVE_INFINITY;
const error = (code: string) => ({ kind: 'error', error: code }) as const;
const WELL = 'Everything works';

async function readiness({ app }: Desk): Promise<readonly [number, string]> {
  const answer = await globalThis.fetch(`${app.address()}/readyz`);
  return [answer.status, await answer.text()];
}

const metric = async ({ app }: Desk, name: string) => (await readMetrics(app.address())).value(name);
const status = async (person: Person) => (await person.type('/gig status', 'data')).text.split('\n')[0];
const isTold = (person: Person, channel: string, title: string) =>
  person.reads(channel).filter(({ text }) => text.includes(title)).length;

async function publish(
  { market, person, pass }: Desk,
  titles: readonly string[],
  ms = 5 * MINUTE,
): Promise<void> {
  await person('ada').type(`/gig subscribe filter ${FILTER.id}`, 'data');
  await pass(30 * SECOND);
  for (const title of titles) market.publish({ ...SHOP, title });
  await pass(ms);
}

describe('a channel that Slack refuses', () => {
  appTest.for(['missing_scope', 'token_revoked'])(
    'with %s stops no other, is reported, and gets everything later',
    async (code, { desk, slack, ada, pass }) => {
      const { id } = slack.channel('web');
      const isWeb = (method: string, args: JsonObject) =>
        method === 'chat.postMessage' && args['channel'] === id;
      const refusal = slack.injectFault(isWeb, error(code), always);
      const titles = ['Shop A', 'Shop B', 'Shop C'];
      await publish(desk, titles);
      for (const title of titles) {
        expect(isTold(ada, 'data', title)).toBe(1);
        expect(isTold(ada, 'web', title)).toBe(0);
      }
      expect(await readiness(desk)).toEqual([200, 'ready; Slack refuses posts in 1 conversation\n']);
      expect(await metric(desk, 'gigdesk_delivery_refused_conversations')).toBe(1);
      expect(await metric(desk, 'gigdesk_delivery_paused')).toBe(0);
      expect(await status(ada)).toMatch(new RegExp(`rejecting posts in 1 conversation.*${code}`, 'u'));
      await pass(20 * MINUTE);
      expect(refusal.used).toBeLessThan(15);
      const told = ada.inbox().filter(({ text }) => text.includes('Slack is refusing posts in #web'));
      expect(told).toHaveLength(1);
      refusal.cancel();
      await pass(11 * MINUTE);
      for (const title of titles) expect(isTold(ada, 'web', title)).toBe(1);
      expect(await readiness(desk)).toEqual([200, 'ready\n']);
      expect(await status(ada)).toContain(WELL);
    },
  );
});

describe('a card that Slack refuses with a code that nobody knows', () => {
  const refuseCards = ({ slack }: Desk, isRefused: (args: JsonObject) => boolean) => {
    const isBlocked = (method: string, args: JsonObject) =>
      method === 'chat.postMessage' && String(args['text']).includes('Blocked') && isRefused(args);
    slack.injectFault(isBlocked, error('blocked_by_dlp_policy'), always);
  };

  appTest(
    'silences no channel: the others arrive, and whoever can help hears of it',
    async ({ desk, app, slack, ada }) => {
      const { id } = slack.channel('web');
      refuseCards(desk, (args) => args['channel'] === id);
      await publish(desk, ['Blocked', 'Shop A', 'Shop B', 'Shop C'], 8 * MINUTE);
      for (const title of ['Shop A', 'Shop B', 'Shop C']) expect(isTold(ada, 'web', title)).toBe(1);
      expect(isTold(ada, 'web', 'Blocked')).toBe(0);
      expect(isTold(ada, 'data', 'Blocked')).toBe(1);
      const [heard, ...more] = ada.inbox().filter(({ text }) => text.includes('blocked_by_dlp_policy'));
      expect(heard?.text).toMatch(/Project: `~\d+`/u);
      expect(heard?.offers('Look Up (1 Credit)')).toBe(true);
      expect(more).toEqual([]);
      expect(app.logLines.some((line) => /"level":50.*blocked_by_dlp_policy/u.test(line))).toBe(true);
      const page = await readMetrics(app.address());
      expect(page.value('gigdesk_deliveries_total', { outcome: 'failed' })).toBe(1);
      expect(await status(ada)).toContain(WELL);
    },
  );

  appTest('arrives as text where only its blocks are refused', async ({ desk, ada }) => {
    refuseCards(desk, (args) => args['blocks'] !== undefined);
    await publish(desk, ['Blocked'], 3 * MINUTE);
    expect(isTold(ada, 'web', 'Blocked')).toBe(1);
    expect(ada.inbox()).toEqual([]);
  });
});

describe('a token that Slack refuses', () => {
  appTest(
    'pauses delivery after one check, is reported, and resumes once it works',
    async ({ desk, app, slack, ada, pass }) => {
      await publish(desk, ['Before']);
      const calls = (method: string) => slack.apiCalls(method).length;
      const checks = calls('auth.test');
      slack.refuseToken('token_revoked');
      desk.market.publish({ ...SHOP, title: 'Shop A' });
      await app.until('the pause', () => calls('auth.test') > checks);
      const tried = calls('chat.postMessage');
      await pass(10 * MINUTE);
      expect(calls('chat.postMessage')).toBe(tried);
      const [code, says] = await readiness(desk);
      expect(code).toBe(503);
      expect(says).toBe('not ready: Slack rejects the token (token_revoked), so nothing is posted\n');
      expect(await metric(desk, 'gigdesk_delivery_paused')).toBe(1);
      slack.refuseToken(undefined);
      await pass(6 * MINUTE);
      for (const channel of ['web', 'data']) expect(isTold(ada, channel, 'Shop A')).toBe(1);
      expect(await readiness(desk)).toEqual([200, 'ready\n']);
    },
  );

  appTest('shows in the status', async ({ desk, slack, ada, pass }) => {
    // Only posts and the token check are rejected, so that the status can be shown.
    const isConcerned = (method: string) => method === 'chat.postMessage' || method === 'auth.test';
    const refusal = slack.injectFault(isConcerned, error('token_revoked'), always);
    await publish(desk, ['Shop A']);
    expect(await status(ada)).toContain('token_revoked');
    refusal.cancel();
    await pass(6 * MINUTE);
    expect(await status(ada)).toContain(WELL);
  });
});
