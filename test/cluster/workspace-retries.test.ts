/** How often a replica tries a workspace that can't be opened. */
import { expect, it } from 'vitest';
import { SECOND } from '../../src/clock.ts';
import { WorkspaceHost } from '../../src/cluster/workspace-host.ts';
import { TeamId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { ManualClock } from '../../src/workbench/clocks.ts';

it("a workspace that can't be opened is tried less and less, and at once with a new token", async () => {
  const team = TeamId.parse('T1');
  const clock = new ManualClock();
  const ending = new AbortController();
  let mark = '1';
  let tries = 0;
  const host = new WorkspaceHost<never>({
    id: 'a',
    replicas: { announce: async () => [{ id: 'a', url: undefined }], leave: async () => undefined },
    listTeams: async () => new Map([[team, { mark, group: team }]]),
    async open() {
      tries += 1;
      throw new Error('the token was revoked');
    },
    onFailed: () => undefined,
    clock,
    log: silentLog,
  });
  const running = host.run(ending.signal);
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      clock.moveBy(SECOND);
      await new Promise(setImmediate);
    }
  };
  await pass(600);
  expect(tries).toBeGreaterThan(5);
  expect(tries).toBeLessThan(20);
  const before = tries;
  mark = '2';
  await pass(2);
  expect(tries).toBe(before + 1);
  clock.shiftWallClock(-3_600 * SECOND);
  await pass(120);
  expect(tries).toBeGreaterThan(before + 1);
  ending.abort();
  await running;
});
