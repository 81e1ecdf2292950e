/** A bid or a job whose project has no card in the channel: a message of its own, kept up to date. */
import type { KnownBlock } from '@slack/types';
import type { BidView } from '../../bidding/bidding.ts';
import type { ProjectBidding } from '../../bidding/project-bidding.ts';
import type { Job } from '../../bidding/records.ts';
import type { Verdict } from '../../marketplace/schema.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';
import { bidButtons } from './bid-buttons.ts';
import { amountText, askedText, biddingLines } from './bid-lines.ts';
import { overruledBlocks } from './disqualified.ts';
import { jobName, setupText } from './job-words.ts';
import { actions, capital, context, line, lines, section } from './parts.ts';
import { projectLink } from './project-link.ts';

interface Post {
  readonly text: string;
  readonly head: string;
  readonly title: string;
  readonly bidding: ProjectBidding;
  readonly verdict: Verdict | undefined;
}

function postMessage({ text, head, title, bidding, verdict }: Post): Message {
  const buttons = bidButtons(bidding, { title, verdict });
  const blocks: KnownBlock[] = [
    section(head),
    context(lines(...biddingLines(bidding))),
    ...overruledBlocks(bidding, verdict, 0),
    ...(buttons.length > 0 ? [actions(buttons)] : []),
  ];
  return { text, blocks };
}

/** @param verdict the project's, where a filter's list told one. */
export function bidMessage(view: BidView, verdict?: Verdict): Message {
  const { title, url = '' } = view.bid;
  return postMessage({
    text: `Bid on ${safeLine(title, 150) || 'an untitled project'}`,
    head: lines(`*${projectLink({ title, url })}*`, askedText(view.bid)),
    title,
    bidding: { bids: [view], others: [] },
    verdict,
  });
}

export function jobMessage(job: Job, verdict?: Verdict): Message {
  const title = safeLine(job.title ?? '', 150);
  const name = capital(jobName(job.id));
  return postMessage({
    text: title ? `${name}: ${title}` : `Auto bidding ${jobName(job.id)}`,
    head: lines(
      `*${name}${title ? `: ${title}` : ''}*`,
      line(
        setupText(job),
        amountText(job.bidAmount),
        job.marketplaceJobId && safeLine(job.marketplaceJobId, 60),
      ),
    ),
    title: job.title ?? '',
    bidding: { bids: [], others: [job] },
    verdict,
  });
}
