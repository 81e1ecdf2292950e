import type { ApproveOutcome } from '../../bidding/bidding.ts';
import { actionIds } from '../blocks/ids.ts';
import { drawJob, drawKnownJob } from '../commands/job.ts';
import { approvalRefusal, readJob } from '../job-rights.ts';
import { approveText } from '../messages/approve-outcome.ts';
import { JOB_PRESS_OUTDATED, noSuchJobMessage } from '../messages/job-answers.ts';
import { approveValue, readJobId } from '../messages/values.ts';
import { ASKED_BY_APPROVE, ASKED_BY_REFRESH } from '../messages/waiting.ts';
import type { ActionCall, ActionRoute, Message } from '../routes.ts';

type Asked = NonNullable<ReturnType<typeof approveValue.read>>;
/** Its channel was learned, or changed, while the right was looked up: that is looked up once more. */
const TRIES = 2;

/** Approves it where the person may. @returns what they are told instead, where not */
async function approveWithRight(
  call: ActionCall,
  asked: Asked,
): Promise<Exclude<ApproveOutcome, { kind: 'moved' }> | Message> {
  const { services, channel, person } = call;
  const order = { job: asked.job, by: person.user, channel, seen: asked.seen };
  for (let tried = 1; tried <= TRIES; tried++) {
    const job = await readJob(services, asked.job);
    const refusal = await approvalRefusal(call, job);
    if (refusal) return refusal;
    const outcome = await services.bidding.approve({ ...order, rightIn: job?.channel });
    if (outcome.kind !== 'moved') return outcome;
  }
  return JOB_PRESS_OUTDATED;
}

/**
 * What the card and the thread tell to all is said once more to whoever pressed, with what only they need to know. The role is
 * decided here, by the job's own channel.
 */
export async function approve(call: ActionCall): Promise<void> {
  const asked = approveValue.read(call.value);
  if (!asked) return call.answer(JOB_PRESS_OUTDATED);
  const { services, person } = call;
  const outcome = await approveWithRight(call, asked);
  if ('text' in outcome) return call.answer(outcome);
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
  await call.replace(await drawJob(call, id));
}

export const jobActions: readonly ActionRoute[] = [
  { id: actionIds.jobApprove, needs: 'viewer', asked: ASKED_BY_APPROVE, acts: true, run: approve },
  { id: actionIds.jobRefresh, needs: 'viewer', asked: ASKED_BY_REFRESH, run: refresh },
];
