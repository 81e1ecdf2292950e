/** A job's proposal, for one person, from its last reading. Pure. */
import type { Job, LinkedProposal } from '../../bidding/records.ts';
import type { Message } from '../core/routes.ts';
import { capitalize, contextBlock, joinFacts, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { formatDate, safeLine } from '../kit/mrkdwn.ts';
import { codeText } from '../kit/query-error.ts';
import { connectsAndPositionText, jobLabel } from '../kit/words/job-text.ts';
import { describeMarketplaceFailure } from '../kit/words/marketplace-failure.ts';

function stages(proposal: LinkedProposal): string {
  const came = [
    proposal.viewed ? 'viewed' : undefined,
    proposal.interviewed ? 'interviewed' : undefined,
    proposal.hired ? 'hired' : undefined,
    proposal.withdrawn ? 'withdrawn' : undefined,
  ].filter((each) => each !== undefined);
  return came.length > 0 ? capitalize(came.join(', ')) : 'Not viewed yet';
}

/** Why there is no newer data. @param trouble a MarketplaceErrorCode */
function troubleText(trouble: string | undefined): string | undefined {
  return trouble === undefined
    ? undefined
    : `:warning: Couldn't load the full proposal: ${describeMarketplaceFailure(trouble).what}.`;
}

/**
 * The Proposal button's answer if there is no proposal (anymore). @param trouble why it could not be read: a
 * MarketplaceErrorCode
 */
export function noProposalMessage(job: Job | undefined, trouble?: string): Message {
  if (!job?.applicationUid) return { text: 'No proposal found for this job yet.' };
  const known =
    `${capitalize(jobLabel(job.id))} was submitted as application ${codeText(job.applicationUid, 80)}, ` +
    "but its proposal hasn't loaded yet.";
  return { text: joinLines(known, troubleText(trouble)) };
}

/** @param trouble why it could not be read in full: a MarketplaceErrorCode */
export function jobProposalMessage(job: Job, proposal: LinkedProposal, trouble?: string): Message {
  const title = safeLine(job.title ?? '', 150);
  const head = `Proposal ${proposal.id} for ${jobLabel(job.id)}`;
  return {
    text: `${head}: ${stages(proposal)}`,
    blocks: [
      sectionBlock(
        joinLines(
          `*${head}*`,
          title,
          joinFacts(
            proposal.submittedAt === undefined ? undefined : `sent ${formatDate(proposal.submittedAt)}`,
            connectsAndPositionText(proposal),
            proposal.boostOutbid ? 'boost outbid' : undefined,
          ),
          stages(proposal),
          job.applicationUid ? `Application ${codeText(job.applicationUid, 80)}` : undefined,
        ),
      ),
      contextBlock(joinLines('As last seen while Gigdesk tracked the job.', troubleText(trouble))),
    ],
  };
}
