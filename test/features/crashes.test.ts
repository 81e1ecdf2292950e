/** A kill at any moment, and Slack in trouble: no project is lost, told twice or paid for twice. */
import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import { MINUTE, SECOND } from '../../src/clock.ts';
import { appTest, appTestWith } from '../kit/app-test.ts';
import { type Desk, FILTER, PATHS, SHOP } from '../kit/start-desk.ts';

/** Runs the app for `count` turns of the event loop, to any point of its work. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await setImmediate();
}

async function restart({ app }: Pick<Desk, 'app'>): Promise<void> {
  await app.kill();
  await app.start();
}

function publish({ market }: Desk, ...titles: readonly string[]): void {
  for (const title of titles) market.publish({ ...SHOP, title });
}

/** The titles on the cards of `web`, sorted. */
function titles({ person }: Desk): readonly string[] {
  const cards = person('ada')
    .reads('web')
    .filter((it) => it.offers('Details'));
  return cards.map(({ text }) => /New project: ([^·]*) ·/u.exec(text)?.[1] ?? text).toSorted();
}

for (const count of [1, 3, 8, 21, 55])
  appTestWith({ seed: count })(
    `a kill ${count} turns into a poll loses and repeats no project`,
    async ({ desk, market, ada }) => {
      for (let round = 0; round < 3; round++) {
        publish(desk, `${round} a`, `${round} b`, `${round} c`);
        for (const ms of [(9 + round) * SECOND, SECOND]) {
          desk.app.clock.moveBy(ms);
          await turns(count);
        }
        await restart(desk);
      }
      await desk.pass(5 * MINUTE);
      const all = [0, 1, 2].flatMap((round) => [`${round} a`, `${round} b`, `${round} c`]);
      expect(titles(desk)).toEqual(all);
      expect(market.service.consumedCredits().total).toBe(9);
      expect(market.service.maxRequestsInAnyMinute()).toBeLessThanOrEqual(30);
      expect((await ada.type('/gig budget')).text).toContain('9 of 500 credits');
    },
  );

appTest(
  'a page that was charged without an answer before a kill is counted once',
  async ({ app, desk, market, ada, pass }) => {
    const held = market.fail(`/filters/${FILTER.id}/projects`, { kind: 'hold-headers' });
    publish(desk, 'One', 'Two');
    await app.until('the poll to be under way', () => held.hits() > 0, MINUTE);
    await app.kill();
    held.release();
    await app.start();
    await pass(2 * MINUTE);
    publish(desk, 'Three');
    await pass(2 * MINUTE);
    expect(titles(desk)).toEqual(['One', 'Three', 'Two']);
    expect(market.service.consumedCredits().total).toBe(3);
    expect((await ada.type('/gig budget')).text).toContain('3 of 500 credits');
  },
);

appTest(
  'answers that get lost spend no more than the budget, and lock none of it',
  async ({ desk, market, ada, pass }) => {
    await ada.type('/gig budget 30');
    publish(desk, 'First');
    await pass(20 * SECOND);
    const lost = market.fail(PATHS.projects, { kind: 'drop', when: 'after' }, Number.POSITIVE_INFINITY);
    for (let each = 0; each < 6; each++) {
      publish(desk, `Lost ${each}`);
      await pass(40 * SECOND);
      expect(market.service.consumedCredits().total).toBeLessThanOrEqual(30);
    }
    lost.cancel();
    await pass(15 * MINUTE);
    expect(titles(desk)).toHaveLength(7);
    expect((await ada.type('/gig budget')).text).toContain('7 of 30 credits');
  },
);

appTest(
  'a process killed while it reconnects leaves no connection that takes presses',
  async ({ desk, slack, pass }) => {
    for (let count = 0; count < 10; count++) {
      slack.cutSockets();
      await turns(count);
      await restart(desk);
      await pass(MINUTE);
      expect(slack.sockets, `${count} turns after the cut`).toBe(1);
    }
  },
);

appTest(
  'a channel without the app stops, tells its subscriber, and goes on after a resume',
  async ({ desk, slack, ada, pass }) => {
    slack.removeBot('web');
    publish(desk, 'First');
    await pass(2 * MINUTE);
    expect(ada.inbox().at(-1)?.text).toContain('#web');
    slack.inviteBot('web');
    await ada.type('/gig pause off');
    publish(desk, 'Second');
    await pass(2 * MINUTE);
    expect(titles(desk)).toEqual(['First', 'Second']);
    slack.refreshSockets();
    await desk.app.until('a new connection', () => slack.sockets > 0, MINUTE);
    expect((await ada.type('/gig help')).text).toContain('lookup');
  },
);
