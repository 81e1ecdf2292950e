/** Replicas whose clocks are 10 minutes apart serve people, whichever one a request reaches. */
import { expect, it, onTestFinished } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { ReplicaProcesses } from './replica-processes.ts';

/** Slack's clock and the database's are the same, as in real life. */
const SPEED = 1;
const SOON = { timeout: 30_000, interval: 500 };

it.each([10 * MINUTE, -10 * MINUTE])(
  'a request reaches its workspace beside a clock that is %i ms off',
  async (aheadMs) => {
    const play = await ReplicaProcesses.begin(SPEED);
    onTestFinished(() => play.close());
    const wrong = await play.start({ aheadMs });
    await play.untilOwned([wrong]);
    play.receiveAt(wrong);
    expect(await play.ask('budget')).toContain('of 500');

    const right = await play.start();
    await play.untilOwned([wrong, right]);
    for (const receiver of [wrong, right]) {
      play.receiveAt(receiver);
      // It may just be moving between them.
      await expect.poll(() => play.ask('budget'), SOON).toContain('of 500');
    }
    const refusals = play.running.flatMap(({ log }) =>
      log.filter(({ msg }) => /refused a request|rejected it/u.test(msg)),
    );
    expect(refusals).toEqual([]);
  },
  120_000,
);
