import { jobKey, jobs } from '../../bidding/records.ts';
import { actionIds } from '../blocks/ids.ts';
import { JOB_PRESS_OUTDATED } from '../messages/job-answers.ts';
import { noProposalMessage, proposalMessage } from '../messages/proposal-in-short.ts';
import { readJobId } from '../messages/values.ts';
import type { ActionRoute } from '../routes.ts';

/** The proposal that a job has become, as last read. */
export const proposalShow: ActionRoute = {
  id: actionIds.proposalShow,
  needs: 'viewer',
  async run(call) {
    const { store, team } = call.services;
    const id = readJobId(call.value);
    if (id === undefined) return call.answer(JOB_PRESS_OUTDATED);
    const job = await store.read((tx) => tx.get(jobs, jobKey(team, id)));
    await call.answer(job?.proposal ? proposalMessage(job, job.proposal) : noProposalMessage(job));
  },
};
