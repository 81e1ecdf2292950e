import type { Job } from '../../bidding/records.ts';
import { ProposalId } from '../../ids.ts';
import { MarketplaceError } from '../../marketplace/errors.ts';
import type { FoundProposal } from '../../proposals/find-proposal.ts';
import { actionIds } from '../blocks/ids.ts';
import { hiddenJob, readJob } from '../job-rights.ts';
import { JOB_PRESS_OUTDATED } from '../messages/job-answers.ts';
import { proposalMessage as proposalInFull } from '../messages/proposal-full.ts';
import { noProposalMessage, proposalMessage } from '../messages/proposal-in-short.ts';
import { readJobId } from '../messages/values.ts';
import { ASKED_BY_PROPOSAL } from '../messages/waiting.ts';
import type { ActionCall, ActionRoute } from '../routes.ts';
import { readProposalFacts } from './proposal-read.ts';

type Failed = { readonly kind: 'failed'; readonly code: string };

/** The proposal that a job has become, in the mirror or on the marketplace. */
async function findOf(job: Job, { proposals, log }: ActionCall['services']): Promise<FoundProposal | Failed> {
  const id = ProposalId.safeParse(job.proposal?.id).data;
  const { applicationUid: uid } = job;
  if (id === undefined && uid === undefined) return { kind: 'none' };
  try {
    return await proposals.find({
      ...(id === undefined ? {} : { id }),
      ...(uid === undefined ? {} : { uid }),
    });
  } catch (thrown) {
    if (!(thrown instanceof MarketplaceError)) throw thrown;
    log.warn("could not load a job's proposal", { job: job.id, code: thrown.code });
    return { kind: 'failed', code: thrown.code };
  }
}

/** In full where it can be read; else what was last read of it while the job was followed. */
async function show(call: ActionCall): Promise<void> {
  const id = readJobId(call.value);
  if (id === undefined) return call.answer(JOB_PRESS_OUTDATED);
  const job = await readJob(call.services, id);
  const hidden = await hiddenJob(call, job);
  if (hidden) return call.answer(hidden);
  const found = job && (await findOf(job, call.services));
  if (found?.kind === 'found') return call.answer(proposalInFull(await readProposalFacts(call, found, id)));
  const trouble = found?.kind === 'failed' ? found.code : undefined;
  await call.answer(
    job?.proposal ? proposalMessage(job, job.proposal, trouble) : noProposalMessage(job, trouble),
  );
}

export const proposalShow: ActionRoute = {
  id: actionIds.proposalShow,
  needs: 'viewer',
  asked: ASKED_BY_PROPOSAL,
  run: show,
};
