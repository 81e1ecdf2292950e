import type { JobApprovalResult } from '../../bidding/bidding.ts';
import type { ActionCall, ActionRoute, Message } from '../core/routes.ts';
import { APPROVE_REQUEST_LABEL, REFRESH_REQUEST_LABEL } from '../core/slow-reply.ts';
import { approveValueCodec, parseJobId } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { approvalOutcomeText } from './approve-outcome.ts';
import { JOB_PRESS_OUTDATED, noSuchJobMessage } from './job-answers.ts';
import { renderCurrentJob, renderStoredJob } from './job-command.ts';
import { findJob, jobApprovalDenialMessage } from './job-permissions.ts';

type Asked = NonNullable<ReturnType<typeof approveValueCodec.read>>;
/** If the job's channel changes during the permission check, check again. */
const TRIES = 2;

/** Approves the job if the person may. @returns the denial message if not */
async function approveWithRight(
  call: ActionCall,
  asked: Asked,
): Promise<Exclude<JobApprovalResult, { kind: 'moved' }> | Message> {
  const { services, channel, person } = call;
  const order = { job: asked.job, by: person.user, channel, seenAttempt: asked.seen };
  for (let tried = 1; tried <= TRIES; tried++) {
    const job = await findJob(services, asked.job);
    const refusal = await jobApprovalDenialMessage(call, job);
    if (refusal) return refusal;
    const outcome = await services.bidding.approveJob({ ...order, authorizedChannel: job?.channel });
    if (outcome.kind !== 'moved') return outcome;
  }
  return JOB_PRESS_OUTDATED;
}

/**
 * The card and the thread show the outcome to everyone; the person also gets a reply with details for them
 * alone. Checks the role in the job's own channel.
 */
export async function approvePressedJob(call: ActionCall): Promise<void> {
  const asked = approveValueCodec.read(call.value);
  if (!asked) return call.answer(JOB_PRESS_OUTDATED);
  const { services, person } = call;
  const outcome = await approveWithRight(call, asked);
  if ('text' in outcome) return call.answer(outcome);
  if (outcome.kind === 'failed') {
    if (outcome.error.code === 'not-found') return call.answer(noSuchJobMessage(asked.job));
    throw outcome.error;
  }
  const text = approvalOutcomeText(outcome, person.user);
  if (!asked.own) return call.answer({ text });
  await call.replace(await renderStoredJob(services, outcome.job, text));
}

async function refresh(call: ActionCall): Promise<void> {
  const id = parseJobId(call.value);
  if (id === undefined) return call.answer(JOB_PRESS_OUTDATED);
  await call.replace(await renderCurrentJob(call, id));
}

export const jobActions: readonly ActionRoute[] = [
  {
    id: actionIds.jobApprove,
    needs: 'viewer',
    pendingLabel: APPROVE_REQUEST_LABEL,
    hasSideEffects: true,
    run: approvePressedJob,
  },
  { id: actionIds.jobRefresh, needs: 'viewer', pendingLabel: REFRESH_REQUEST_LABEL, run: refresh },
];
