/** The sandbox ends when it is told to, whatever the app waits for. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { ManualClock, SkippingClock } from '../../src/workbench/clocks.ts';
import { prepareSandbox } from '../../src/workbench/sandbox-start.ts';
import { seededRandom } from '../seeded-random.ts';

it('stops on a stopped clock, while the form of a bid waits for the marketplace', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'gigdesk-page-'));
  await Promise.all(['assets', 'client'].map((name) => mkdir(path.join(root, name))));
  const sandbox = await prepareSandbox({
    clock: new SkippingClock(new ManualClock()),
    random: seededRandom(3),
    logLevel: 'error',
    log: { write: () => undefined },
    port: 0,
    root,
    timezone: 'UTC',
  });
  const { slack, marketplace } = sandbox;
  await sandbox.start();
  const [project] = marketplace.projects();
  const held = marketplace.injectFault({ path: '/auto-bidding/setups' }, { kind: 'hold-headers' });
  await slack.runSlashCommand({ user: 'ada', channel: 'new-projects', text: `bid ${project?.id}` });
  await expect.poll(() => held.hits(), { timeout: 10 * SECOND }).toBeGreaterThan(0);
  expect(slack.view('ada')).toBeDefined();
  await sandbox.stop();
  await rm(root, { recursive: true });
});
