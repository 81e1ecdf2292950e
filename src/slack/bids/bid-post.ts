/** A separate message for a bid or job whose project has no card in the channel; kept up to date. Pure. */
import type { KnownBlock } from '@slack/types';
import type { BidWithJob } from '../../bidding/bidding.ts';
import type { ProjectBidsAndJobs } from '../../bidding/project-bidding.ts';
import type { Job } from '../../bidding/records.ts';
import type { Verdict } from '../../marketplace/schema.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlock,
  capitalize,
  contextBlock,
  joinFacts,
  joinLines,
  sectionBlock,
} from '../kit/block-builders.ts';
import { safeLine } from '../kit/mrkdwn.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import { jobLabel, setupNameText } from '../kit/words/job-text.ts';
import { bidButtons, disqualificationBlocks } from './bid-buttons.ts';
import { bidAmountText, biddingLines, bidRequestText } from './bid-lines.ts';

interface Post {
  readonly text: string;
  readonly head: string;
  readonly title: string;
  readonly bidding: ProjectBidsAndJobs;
  readonly verdict: Verdict | undefined;
}

function postMessage({ text, head, title, bidding, verdict }: Post): Message {
  const buttons = bidButtons(bidding, { title, verdict });
  const blocks: KnownBlock[] = [
    sectionBlock(head),
    contextBlock(joinLines(...biddingLines(bidding))),
    ...disqualificationBlocks(bidding, verdict, 0),
    ...(buttons.length > 0 ? [actionsBlock(buttons)] : []),
  ];
  return { text, blocks };
}

/** @param verdict the project's, if a filter's list included it. */
export function bidPostMessage(view: BidWithJob, verdict?: Verdict): Message {
  const { title, url = '' } = view.bid;
  return postMessage({
    text: `Bid on ${safeLine(title, 150) || 'an untitled project'}`,
    head: joinLines(`*${projectLink({ title, url })}*`, bidRequestText(view.bid)),
    title,
    bidding: { bids: [view], otherJobs: [] },
    verdict,
  });
}

export function jobPostMessage(job: Job, verdict?: Verdict): Message {
  const title = safeLine(job.title ?? '', 150);
  const name = capitalize(jobLabel(job.id));
  return postMessage({
    text: title ? `${name}: ${title}` : `Auto bidding ${jobLabel(job.id)}`,
    head: joinLines(
      `*${name}${title ? `: ${title}` : ''}*`,
      joinFacts(
        setupNameText(job),
        bidAmountText(job.bidAmount),
        job.marketplaceJobId && safeLine(job.marketplaceJobId, 60),
      ),
    ),
    title: job.title ?? '',
    bidding: { bids: [], otherJobs: [job] },
    verdict,
  });
}
