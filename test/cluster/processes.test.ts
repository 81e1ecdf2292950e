/** Replicas as processes: one is killed, ends, hangs, or has a wrong clock. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { type ReplicaProcess, ReplicaProcesses } from './replica-processes.ts';

/** Slack's 3 s are real; the app's own times are a fifth. */
const SPEED = 5;

let play: ReplicaProcesses;

beforeAll(async () => {
  play = await ReplicaProcesses.begin(SPEED);
});
afterAll(() => play.close());

async function readinessOf({ port }: ReplicaProcess): Promise<string> {
  return (await globalThis.fetch(`http://127.0.0.1:${port}/readyz`)).text();
}

async function takeoversOf({ port }: ReplicaProcess): Promise<number> {
  const metrics = await (await globalThis.fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^gigdesk_takeovers_total (\d+)$/mu.exec(metrics)?.[1]);
}

it('a replica takes over from one that is killed or ends, and passes on what is not its own', async () => {
  const [a, b] = [await play.start(), await play.start()];
  const first = await play.untilOwned([a, b]);
  const second = first === a ? b : a;
  play.receiveAt(second);
  await play.subscribe();
  await play.publishAndAwait(2);

  first.child.kill('SIGKILL');
  await first.ended;
  await play.untilOwned([second]);
  expect(await takeoversOf(second)).toBeGreaterThan(0);
  expect(await readinessOf(second)).toContain('owns 1 workspace; since its start: takeovers 1,');
  await play.publishAndAwait(2);

  const third = await play.start();
  const owner = await play.untilOwned([second, third]);
  const other = owner === second ? third : second;
  play.receiveAt(other);
  await play.publishAndAwait(1);
  owner.child.kill('SIGTERM');
  expect(await owner.ended).toBe(0);
  await play.untilOwned([other]);
  await play.publishAndAwait(2);

  expect(play.cards()).toHaveLength(7);
  await play.expectEachOnce();
}, 120_000);

it('a replica that hangs loses its workspace, and does nothing more for it when it wakes up', async () => {
  const [hanging] = play.running;
  if (!hanging) return expect.fail('no replica runs');
  const next = await play.start();
  play.receiveAt(next);
  const owner = await play.untilOwned([hanging, next]);
  const other = owner === hanging ? next : hanging;
  play.receiveAt(other);
  await play.publishAndAwait(1);
  owner.child.kill('SIGSTOP');
  await play.untilOwned([other]);
  await play.publishAndAwait(2);
  owner.child.kill('SIGCONT');
  await owner.logged((line) => line.msg === 'No longer owns a workspace');
  await play.publishAndAwait(2);
  await play.expectEachOnce();
}, 120_000);

it.each([10 * MINUTE, -10 * MINUTE])(
  'a replica whose clock is %i ms off does no harm',
  async (aheadMs) => {
    await play.killAll();
    const wrong = await play.start({ aheadMs });
    await play.untilOwned([wrong]);
    const before = play.cards().length;
    play.marketplace.publishProject(101);
    const right = await play.start();
    play.receiveAt(right);
    wrong.child.kill('SIGKILL');
    await wrong.ended;
    await play.untilOwned([right]);
    await expect.poll(() => play.cards().length, { timeout: 30_000, interval: 50 }).toBe(before + 1);
    await play.publishAndAwait(1);
    await play.expectEachOnce();
    expect(play.marketplace.maxRequestsInAnyMinute()).toBeLessThanOrEqual(500);
  },
  120_000,
);
