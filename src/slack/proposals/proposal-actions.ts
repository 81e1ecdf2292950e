import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Job } from '../../bidding/records.ts';
import { ProposalId } from '../../ids.ts';
import { MarketplaceError } from '../../marketplace/errors.ts';
import type { FindProposalOutcome } from '../../proposals/proposal-service.ts';
import {
  findJob,
  JOB_PRESS_OUTDATED,
  jobProposalMessage,
  jobViewDenialMessage,
  noProposalMessage,
} from '../bids/bids.ts';
import type { ActionCall, ActionRoute } from '../core/routes.ts';
import { PROPOSAL_REQUEST_LABEL } from '../core/slow-reply.ts';
import { parseJobId } from '../kit/button-values.ts';
import { actionIds } from '../kit/ids.ts';
import { proposalDetailsMessage as proposalInFull } from './proposal-details.ts';
import { readProposalFacts } from './proposal-read.ts';

type Failed = { readonly kind: 'failed'; readonly code: string };

/** A job's proposal, from the mirror or the marketplace. */
async function findOf(
  job: Job,
  { proposals, log }: ActionCall['services'],
): Promise<FindProposalOutcome | Failed> {
  const id = ProposalId.safeParse(job.proposal?.id).data;
  const { applicationUid: uid } = job;
  if (id === undefined && uid === undefined) return { kind: 'none' };
  try {
    return await proposals.findProposal({
      ...omitUndefined({ id, uid }),
    });
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) throw thrown;
    log.warn("could not load a job's proposal", { job: job.id, code: thrown.code });
    return { kind: 'failed', code: thrown.code };
  }
}

/** The full proposal if readable; else the last state read while Gigdesk followed the job. */
async function show(call: ActionCall): Promise<void> {
  const id = parseJobId(call.value);
  if (id === undefined) return call.answer(JOB_PRESS_OUTDATED);
  const job = await findJob(call.services, id);
  const hidden = await jobViewDenialMessage(call, job);
  if (hidden) return call.answer(hidden);
  const found = job && (await findOf(job, call.services));
  if (found?.kind === 'found') return call.answer(proposalInFull(await readProposalFacts(call, found, id)));
  const trouble = found?.kind === 'failed' ? found.code : undefined;
  await call.answer(
    job?.proposal ? jobProposalMessage(job, job.proposal, trouble) : noProposalMessage(job, trouble),
  );
}

export const showProposalAction: ActionRoute = {
  id: actionIds.proposalShow,
  needs: 'viewer',
  pendingLabel: PROPOSAL_REQUEST_LABEL,
  run: show,
};
