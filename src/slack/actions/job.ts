import { actionIds } from '../blocks/ids.ts';
import { drawJob, drawKnownJob } from '../commands/job.ts';
import { approveText } from '../messages/approve-outcome.ts';
import { JOB_PRESS_OUTDATED, noSuchJobMessage } from '../messages/job-answers.ts';
import { approveValue, readJobId } from '../messages/values.ts';
import { ASKED_BY_APPROVE, ASKED_BY_REFRESH } from '../messages/waiting.ts';
import type { ActionCall, ActionRoute } from '../routes.ts';

/** What the card and the thread tell to all is said once more to whoever pressed, with what only they need to know. */
export async function approve(call: ActionCall): Promise<void> {
  const asked = approveValue.read(call.value);
  if (!asked) return call.answer(JOB_PRESS_OUTDATED);
  const { services, channel, person } = call;
  const outcome = await services.bidding.approve({
    job: asked.job,
    by: person.user,
    channel,
    seen: asked.seen,
  });
  if (outcome.kind === 'failed') {
    if (outcome.error.code === 'not-found') return call.answer(noSuchJobMessage(asked.job));
    throw outcome.error;
  }
  const text = approveText(outcome, person.user);
  if (!asked.own) return call.answer({ text });
  await call.replace(await drawKnownJob(services, outcome.job, text));
}

async function refresh(call: ActionCall): Promise<void> {
  const id = readJobId(call.value);
  if (id === undefined) return call.answer(JOB_PRESS_OUTDATED);
  await call.replace(await drawJob(call.services, id));
}

export const jobActions: readonly ActionRoute[] = [
  { id: actionIds.jobApprove, needs: 'bidder', asked: ASKED_BY_APPROVE, acts: true, run: approve },
  { id: actionIds.jobRefresh, needs: 'viewer', asked: ASKED_BY_REFRESH, run: refresh },
];
