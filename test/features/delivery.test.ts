/** Each message stands once, in its place and order, through every fault of Slack and kills at any moment. */
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import type { JsonObject } from '../../src/workbench/slack/objects.ts';
import type { SlackFaultEffect } from '../../src/workbench/slack/simulated-slack.ts';
import { appTest } from '../kit/app-test.ts';
import type { Message } from '../kit/read-screen.ts';
import { type Desk, FILTER, moveDetailsToThreads, SHOP } from '../kit/start-desk.ts';

const error = (code: string) => ({ kind: 'error', error: code }) as const;
const about = (messages: readonly Message[], title: string) =>
  messages.filter(({ text }) => text.includes(title));

/** Each project has a card in `web` with a reply, and cem hears of it in a direct message. */
async function begin({ person }: Desk): Promise<void> {
  await moveDetailsToThreads(person('ada'));
  await person('cem').type(`/gig follow ${FILTER.id}`);
}

let published = 0;
function publish({ app, market }: Desk, count: number): readonly string[] {
  return Array.from({ length: count }, () => {
    const title = `Project no. ${++published}.`;
    market.publish({ ...SHOP, title });
    app.clock.moveBy(10);
    return title;
  });
}

function standing({ person }: Desk, title: string) {
  const cards = about(person('ada').reads('web'), title);
  const replies = cards.flatMap((it) => it.replies());
  return [cards.length, replies.length, about(person('cem').inbox(), title).length];
}

/** Until all stand, and as long as it takes to see what comes again. */
async function untilAll(desk: Desk, titles: readonly string[]): Promise<void> {
  const isThere = (title: string) => standing(desk, title).every((count) => count > 0);
  const end = desk.app.clock.now() + HOUR;
  while (!titles.every(isThere) && desk.app.clock.now() < end) await desk.pass(20 * SECOND);
  await desk.pass(20 * SECOND);
}

function expectOnce(desk: Desk, titles: readonly string[]): void {
  for (const title of titles) expect(standing(desk, title), title).toEqual([1, 1, 1]);
}

function gapsOf(times: readonly number[]): readonly number[] {
  return times.slice(1).map((at, before) => at - (times[before] ?? 0));
}

appTest(
  'cards come in the order of their projects, one message a second, and no channel waits for another',
  async ({ desk, slack, ada, pass }) => {
    await begin(desk);
    await ada.type(`/gig subscribe filter ${FILTER.id}`, 'data');
    await pass(MINUTE);
    const before = slack.apiCalls('chat.postMessage').length;
    const titles = publish(desk, 10);
    await pass(MINUTE);
    expectOnce(desk, titles);
    const calls = slack.apiCalls('chat.postMessage').slice(before);
    const [web, data] = ['web', 'data'].map((channel) => {
      const cards = ada.reads(channel).filter((it) => it.offers('Details'));
      expect(cards.map(({ text }) => /Project no\. \d+\./u.exec(text)?.[0])).toEqual(titles);
      return calls.filter((it) => it.args['channel'] === slack.channel(channel).id).map(({ at }) => at);
    });
    for (const times of [web ?? [], data ?? []]) expect(Math.min(...gapsOf(times))).toBe(SECOND);
    expect(Math.min(...gapsOf(calls.map(({ at }) => at)))).toBeGreaterThanOrEqual(250);
    expect(Math.abs((web?.[0] ?? 0) - (data?.[0] ?? 0))).toBeLessThan(SECOND);
    expect(slack.failedCalls()).toEqual([]);
  },
);

describe('a card, its reply and a direct message stand once', () => {
  const FAULTS: readonly (readonly [SlackFaultEffect, times: number])[] = [
    [{ kind: 'ratelimited', retryAfterS: 20 }, 4],
    [{ kind: 'status', status: 503, when: 'before' }, 4],
    [{ kind: 'status', status: 503, when: 'after' }, 4],
    [{ kind: 'drop', when: 'before' }, 4],
    [{ kind: 'drop', when: 'after' }, 4],
    [{ kind: 'broken-json', when: 'after' }, 4],
    [{ ...error('internal_error'), when: 'after' }, 4],
    [error('invalid_auth'), 4],
    [error('invalid_blocks'), 1],
  ];

  appTest('whatever Slack answers, and no pause that it asks for is cut short', async ({ desk }) => {
    await begin(desk);
    for (const [effect, times] of FAULTS) {
      const fault = desk.slack.injectFault('chat.postMessage', effect, times);
      const titles = publish(desk, 2);
      await untilAll(desk, titles);
      expect(fault.used, JSON.stringify(effect)).toBe(times);
      expectOnce(desk, titles);
    }
    const calls = desk.slack.apiCalls('chat.postMessage');
    for (const [at, call] of calls.entries()) {
      const next = calls.slice(at + 1).find((it) => it.args['channel'] === call.args['channel']);
      if (call.error === 'ratelimited') expect((next?.at ?? 0) - call.at).toBeGreaterThanOrEqual(20 * SECOND);
    }
  });

  const POSTS: Readonly<Record<string, (args: JsonObject) => boolean>> = {
    'the card': ({ text, thread_ts }) => String(text).includes('New project') && thread_ts === undefined,
    'the reply': ({ thread_ts }) => thread_ts !== undefined,
    'the direct message': ({ channel }) => String(channel).startsWith('D'),
  };
  type Kill = (desk: Desk, isPost: (method: string, args: JsonObject) => boolean) => Promise<void>;
  const KILLS: Readonly<Record<string, Kill>> = {
    'while it is on its way, and arrives after the next start': async ({ app, slack, pass }, isPost) => {
      const held = slack.injectFault(isPost, { kind: 'hold', when: 'before' });
      await app.until('a post', () => held.held > 0);
      await app.kill();
      app.clock.moveBy(10 * MINUTE);
      await app.start();
      await pass(4 * SECOND);
      held.release();
    },
    'before its answer came': async ({ app, slack }, isPost) => {
      const held = slack.injectFault(isPost, { kind: 'hold' });
      await app.until('a post', () => held.held > 0);
      await app.kill();
      held.release();
      await app.start();
    },
    'before its answer is stored': async ({ app, slack }, isPost) => {
      const held = slack.injectFault(isPost, { kind: 'hold' });
      await app.until('a post', () => held.held > 0);
      let goOn = () => {};
      app.room.until = new Promise((resolve) => {
        goOn = resolve;
      });
      held.release();
      await app.settle();
      await app.kill();
      goOn();
      await app.start();
    },
    'while it is looked for': async ({ app, slack }, isPost) => {
      slack.injectFault(isPost, { kind: 'drop', when: 'after' });
      const held = slack.injectFault((method) => /history|replies/u.test(method), { kind: 'hold' });
      await app.until('a search', () => held.held > 0);
      await app.kill();
      held.release();
      await app.start();
    },
  };

  appTest.for(Object.entries(KILLS))('after a kill %s', async ([, kill], { desk }) => {
    await begin(desk);
    for (const [what, isIt] of Object.entries(POSTS)) {
      const titles = publish(desk, 1);
      await kill(desk, (method, args) => method === 'chat.postMessage' && isIt(args));
      await desk.pass(MINUTE);
      expect(standing(desk, titles[0] ?? ''), what).toEqual([1, 1, 1]);
    }
  });

  const [inWeb, anywhere] = [true, false];
  const faults = fc.record({
    method: fc.constantFrom('chat.postMessage', 'chat.postMessage', 'conversations.history'),
    effect: fc.constantFrom<readonly [SlackFaultEffect, inWeb: boolean]>(
      [{ kind: 'ratelimited', retryAfterS: 7 }, anywhere],
      [{ kind: 'drop', when: 'before' }, anywhere],
      [{ kind: 'drop', when: 'after' }, anywhere],
      [error('invalid_auth'), anywhere],
      [error('brand_new_code'), inWeb],
      [error('not_in_channel'), inWeb],
    ),
  });
  const kills = fc.record({ afterMs: fc.nat(30 * SECOND), turns: fc.nat(40) });

  appTest('after any mixture of faults and kills', async ({ desk, app, slack, ada, pass }) => {
    await begin(desk);
    const web = slack.channel('web').id;
    const play = async (
      drawn: readonly { readonly method: string; readonly effect: readonly [SlackFaultEffect, boolean] }[],
      killed: readonly { readonly afterMs: number; readonly turns: number }[],
    ) => {
      const injected = drawn.map(({ method, effect: [effect, isInWeb] }) =>
        slack.injectFault((name, { channel }) => name === method && (channel === web || !isInWeb), effect),
      );
      const titles = publish(desk, 2);
      for (const { afterMs, turns } of killed) {
        await pass(afterMs);
        app.clock.moveBy(SECOND);
        for (let turn = 0; turn < turns; turn++) await setImmediate();
        await app.kill();
        await app.start();
      }
      await ada.type('/gig pause off');
      await untilAll(desk, titles);
      expectOnce(desk, titles);
      for (const each of injected) each.cancel();
    };
    await fc.assert(
      fc.asyncProperty(fc.array(faults, { maxLength: 8 }), fc.array(kills, { maxLength: 4 }), play),
      { numRuns: 6 },
    );
  });
});
