import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../../src/clock.ts';
import { silentLog } from '../../../src/log.ts';
import { Secret } from '../../../src/secret.ts';
import { createSlackClients } from '../../../src/slack/core/clients.ts';
import type { SlackClients } from '../../../src/slack/core/slack-calls.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import type { SlackFaultEffect } from '../../../src/workbench/slack/simulated-slack.ts';
import { startSimulatedSlack } from '../../../src/workbench/slack/start-slack.ts';
import { seededRandom } from '../../seeded-random.ts';

let clock: ManualClock;
let clients: SlackClients;
let slack: Awaited<ReturnType<typeof startSimulatedSlack>>;
/** When each call was sent, in seconds since the beginning. */
let sentAt: number[];

beforeEach(async () => {
  clock = new ManualClock(0);
  slack = await startSimulatedSlack({ clock, random: seededRandom(1) });
  slack.addUser({ id: 'U1', name: 'ann' });
  sentAt = [];
  clients = createSlackClients({
    botToken: new Secret(slack.botToken),
    apiUrl: slack.apiUrl,
    clock,
    log: silentLog,
    fetch: async (url, init) => {
      sentAt.push(clock.now() / SECOND);
      return globalThis.fetch(url, init);
    },
  });
});
afterEach(() => slack.close());

/** Moves the clock from pause to pause until the call has ended. @returns whether it was answered */
async function finish(call: Promise<unknown>): Promise<boolean> {
  let answered: boolean | undefined;
  void call.then(
    () => (answered = true),
    () => (answered = false),
  );
  while (answered === undefined) {
    await new Promise((resolve) => setImmediate(resolve));
    const next = clock.nextTimerDueAt();
    if (next !== undefined) clock.moveTo(next);
  }
  return answered;
}

const UNANSWERED: readonly SlackFaultEffect[] = [
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'status', status: 503, when: 'before' },
];

describe('a call without an answer', () => {
  it.each(UNANSWERED)('is repeated after 1 and 2 s of the clock ($kind)', async (effect) => {
    slack.injectFault('users.info', effect, 2);
    expect(await finish(clients.main.users.info({ user: 'U1' }))).toBe(true);
    expect(sentAt).toEqual([0, 1, 3]);
  });

  it('fails after the second repeat', async () => {
    slack.injectFault('users.info', { kind: 'drop', when: 'before' }, 9);
    expect(await finish(clients.main.users.info({ user: 'U1' }))).toBe(false);
    expect(sentAt).toEqual([0, 1, 3]);
  });

  it('is sent once by the client for posts', async () => {
    slack.injectFault('users.info', { kind: 'drop', when: 'before' });
    expect(await finish(clients.withoutRetries.users.info({ user: 'U1' }))).toBe(false);
    expect(sentAt).toEqual([0]);
  });
});

it.each<[string, SlackFaultEffect]>([
  ['a refusal', { kind: 'error', error: 'user_not_found' }],
  ['a 429', { kind: 'ratelimited', retryAfterS: 20 }],
])('%s is an answer: nothing is repeated', async (_, effect) => {
  slack.injectFault('users.info', effect);
  expect(await finish(clients.main.users.info({ user: 'U1' }))).toBe(false);
  expect(sentAt).toEqual([0]);
});
