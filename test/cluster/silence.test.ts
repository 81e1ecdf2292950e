/**
 * A network between a replica and the database that is gone: nothing answers, and no connection is closed.
 * When it is back, connections from before stay silent.
 */
import { expect, it, onTestFinished } from 'vitest';
import { startCuttingProxy } from '../../src/workbench/database/cutting-proxy.ts';
import { owns, type ReplicaProcess, ReplicaProcesses } from './replica-processes.ts';

/** Slack's 3 s and the database's times are real; the app's own times are a fifth. */
const SPEED = 5;
const SOON = { timeout: 30_000, interval: 50 };

const readinessOf = async ({ port }: ReplicaProcess) =>
  (await globalThis.fetch(`http://127.0.0.1:${port}/readyz`)).text();

it('a replica that hears nothing of its database gives all up, says so, and comes back', async () => {
  const play = await ReplicaProcesses.begin(SPEED);
  onTestFinished(() => play.close());
  const proxy = await startCuttingProxy(play.url);
  onTestFinished(() => proxy.close());
  const cutOff = await play.start({ databaseUrl: proxy.url });
  play.receiveAt(cutOff);
  await play.untilOwned([cutOff]);
  await play.subscribe();
  await play.publishAndAwait(1);

  proxy.silence();
  await expect
    .poll(() => readinessOf(cutOff), SOON)
    .toMatch(/^not ready: the database is not reached.*owns 0 /u);
  await expect.poll(() => owns(cutOff), SOON).toBe(false);
  const command = { user: 'ada', channel: 'web', text: 'budget' };
  const { acked, body } = await play.slack.runSlashCommand(command);
  expect(acked).toBe(true);
  expect(JSON.stringify(body)).toMatch(/moving/iu);

  const other = await play.start();
  await play.untilOwned([other]);
  play.receiveAt(other);
  await play.publishAndAwait(2);

  proxy.letNewPass();
  await expect.poll(() => readinessOf(cutOff), SOON).toMatch(/^ready/u);
  other.child.kill('SIGKILL');
  await play.untilOwned([cutOff]);
  play.receiveAt(cutOff);
  await play.publishAndAwait(1);
  await play.expectEachOnce();
}, 120_000);
