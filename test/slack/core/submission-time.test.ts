/** A form is decided in Slack's time: what it already waited counts, and a wrong clock gives no more. */
import { expect, it } from 'vitest';
import { TeamId } from '../../../src/ids.ts';
import { silentLog } from '../../../src/log.ts';
import type { CallGuard } from '../../../src/slack/core/call-guard.ts';
import type { Services, ViewRoute } from '../../../src/slack/core/routes.ts';
import { SubmissionHandler } from '../../../src/slack/core/submissions.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import { settle } from '../../pass-time.ts';

const team = TeamId.parse('T1');
const endless = { id: 'endless', submit: () => new Promise(() => {}) } as Partial<ViewRoute> as ViewRoute;
const guard = {
  createCaller: () => ({ user: 'U1' }),
  logCallFailure: () => 'a1b2c',
} as unknown as CallGuard;
const view = {
  id: 'V1',
  hash: '1',
  callback_id: 'endless',
  blocks: [{ type: 'input', block_id: 'name' }],
  private_metadata: '',
  state: { values: {} },
};
const submission = {
  type: 'view_submission',
  team: { id: team },
  user: { id: 'U1' },
  trigger_id: '1.2',
  view,
};

it.each([
  [0, 2_000],
  [1_500, 500],
  [60_000, 250],
  [-60_000, 2_000],
])('after %d ms it is decided within %d ms', async (waitedMs, withinMs) => {
  const clock = new ManualClock();
  const services = { log: silentLog, clock } as Partial<Services> as Services;
  const handler = new SubmissionHandler([endless], services, guard);
  let ack: unknown;
  void handler.decideSubmission(submission, waitedMs, false).then((decision) => {
    ({ ack } = decision);
  });
  await settle();
  clock.moveBy(withinMs - 1);
  await settle();
  expect(ack).toBeUndefined();
  clock.moveBy(1);
  await settle();
  expect(ack).toMatchObject({ response_action: 'errors', errors: { name: expect.any(String) } });
});
