/** The messages that bids and jobs post: news in their thread, and one of their own without a card. Pure. */
import type { Button } from '@slack/types';
import type { BidWithJob, Job } from '../../bidding/bidding.ts';
import type { ProjectBidsAndJobs } from '../../bidding/project-bidding.ts';
import type { UserId } from '../../ids.ts';
import type { Verdict } from '../../marketplace/schema.ts';
import type { BidNews } from '../../outbox/news.ts';
import type { Message } from '../core/routes.ts';
import {
  actionsBlocks,
  capitalize,
  contextBlock,
  joinFacts,
  joinLines,
  sectionBlock,
} from '../kit/block-builders.ts';
import { openProposalButton } from '../kit/command-button.ts';
import { actionIds } from '../kit/ids.ts';
import { codeText, formatMention, safeLine, safeText } from '../kit/mrkdwn.ts';
import { formatCount } from '../kit/numbers.ts';
import { projectLink } from '../kit/project/project-lines.ts';
import {
  connectsAndPositionText,
  isWaitingForReview,
  type JobStatusFields,
  jobLabel,
  jobStateText,
  setupNameText,
} from '../kit/words/job-text.ts';
import { outcomeEmoji, outcomeLabels } from '../kit/words/labels.ts';
import { refusalAdviceText, refusalReasonText, refusalVerb } from '../kit/words/marketplace-failure.ts';
import { staysOpenText } from './approval-message.ts';
import { bidButtons, disqualificationBlocks, jobActionButton } from './bid-buttons.ts';
import { bidAmountText, biddingLines, bidRequestText, unclearOutcomeText } from './bid-lines.ts';

interface Post {
  readonly text: string;
  readonly head: string;
  readonly title: string;
  readonly bidding: ProjectBidsAndJobs;
  readonly verdict: Verdict | undefined;
}

function postMessage({ text, head, title, bidding, verdict }: Post): Message {
  const blocks = [
    sectionBlock(head),
    contextBlock(joinLines(...biddingLines(bidding))),
    ...disqualificationBlocks(bidding, verdict, 0),
    ...actionsBlocks(bidButtons(bidding, { title })),
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
  const name = `${capitalize(jobLabel(job.id))}${title ? `: ${title}` : ''}`;
  return postMessage({
    text: name,
    head: joinLines(
      `*${name}*`,
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

type About<K extends BidNews['about']> = Extract<BidNews, { about: K }>;

function titled(title: string | undefined): string {
  const safe = safeLine(title ?? '', 120);
  return safe ? `“${safe}”` : '';
}

/** `bid #12 (“Rebuild our checkout”)`. */
function named(news: { readonly job: JobStatusFields['id'] }, title: string | undefined): string {
  const of = titled(title);
  return `${jobLabel(news.job)}${of ? ` (${of})` : ''}`;
}

/** `@Ana's bid on “Rebuild our checkout” with Night shift`. */
function bidOf(it: About<'bid-created' | 'bid-skipped' | 'bid-refused' | 'bid-unknown'>): string {
  const setup = setupNameText(it);
  const project = titled(it.title) || 'a project';
  return `${formatMention(it.by)}'s bid on ${project}${setup ? ` with ${setup}` : ''}`;
}

function stateOf(it: About<'bid-created' | 'bid-found' | 'job-approved' | 'job-changed'>): string {
  const { job, status, statusTitle, scheduledAt, reason } = it;
  return jobStateText({ id: job, status, statusTitle, scheduledAt, reason });
}

function reviewHint(it: About<'bid-created' | 'bid-found' | 'job-changed'>): string | undefined {
  const { job: id, status, statusTitle } = it;
  if (!isWaitingForReview({ id, status, statusTitle })) return undefined;
  return 'Nothing is sent until someone approves it.';
}

function elsewhereText({ elsewhere }: About<'bid-created'>): string | undefined {
  if (elsewhere === undefined) return undefined;
  return (
    `:warning: The marketplace says this bid is for a different project: ${safeLine(elsewhere, 60)}. ` +
    `Check it with ${OPEN_JOB}.`
  );
}

const OPEN_JOB = '*Open Bid*';

/** A refusal says nothing about an earlier attempt with an unknown outcome. */
function earlierText({ doubt }: { readonly doubt?: true | undefined }): string | undefined {
  if (!doubt) return undefined;
  return (
    "An earlier attempt's outcome is unknown: it may have created a bid. " +
    '“Check” above looks for it and sends nothing. ' +
    `If the dashboard shows the bid, type ${codeText('/gig job <id>')} with its number.`
  );
}

function reasonText(it: About<'bid-refused' | 'approval-refused'>): string {
  if (it.endedBy === undefined) return refusalReasonText(it);
  const who = formatMention(it.endedBy);
  return it.code === 'hold-rejected' ? `${who} rejected it at the second approval` : `${who} canceled it`;
}

function bidRefused(it: About<'bid-refused'>): string {
  const { job } = it;
  return joinLines(
    `:no_entry_sign: *${bidOf(it)} was ${refusalVerb(it.code)}:* ${reasonText(it)}.`,
    job === undefined
      ? `${refusalAdviceText(it)} “Try Again” above opens the form with the same values.`
      : `It's blocked by ${jobLabel(job)}. Press ${OPEN_JOB} to see it.`,
    earlierText(it),
  );
}

function bidSkipped(it: About<'bid-skipped'>): string {
  const reason = safeLine(it.reason ?? '', 300);
  const message = safeLine(it.message ?? '', 300);
  const why = reason || (message && `“${message}”`);
  return joinLines(
    `:no_entry_sign: *The marketplace skipped ${bidOf(it)}* ` +
      `(${jobLabel(it.job)})${why ? `: ${why}` : '. No reason given yet'}.`,
    'No proposal will be sent. After you resolve this, press “Try Again” above to make a new attempt.',
    earlierText(it),
  );
}

/** @param reason the AI's, empty if it gave none; undefined: nothing was overridden. */
export function overriddenVerdictText(reason: string | undefined): string | undefined {
  if (reason === undefined) return undefined;
  const why = safeLine(reason, 600);
  return `This overrode the AI's disqualification${why ? `: ${why}` : ', which came without a reason.'}`;
}

/** A mention notifies the person who asked. */
function askerText(asker: UserId | undefined): string | undefined {
  return asker && `${formatMention(asker)}: to ask for approval once more, press “Ask Again” above.`;
}

function approvalRefused(it: About<'approval-refused'>, title: string | undefined): string {
  if (it.doubt)
    return joinLines(
      `:no_entry_sign: *Another approval of ${named(it, title)} was rejected:* ${refusalReasonText(it)}. ` +
        `Requested by ${formatMention(it.by)}.`,
      'The earlier approval may have gone through: its outcome is unknown. ' +
        "Gigdesk is checking the bid's status and will post it here.",
    );
  return joinLines(
    `:no_entry_sign: *${capitalize(named(it, title))} wasn't approved:* ${reasonText(it)}. ` +
      `Requested by ${formatMention(it.by)}.`,
    `${refusalAdviceText(it)} Check its status with ${OPEN_JOB}.`,
  );
}

function jobFailed(it: About<'job-failed'>, title: string | undefined): string {
  return joinLines(
    `:warning: *${capitalize(named(it, title))} failed:* ` +
      `${safeLine(it.errorMessage, 500) || 'no reason given'}`,
    `The marketplace shows no proposal for it. For details, press ${OPEN_JOB}. ` +
      'To try again, bid with another setup.',
  );
}

function proposalFound(it: About<'proposal-found'>, title: string | undefined): string {
  const cost = connectsAndPositionText(it);
  return (
    `:link: *${capitalize(named(it, title))} is a proposal now*${cost ? `: ${cost}` : ''}. ` +
    'Press “Proposal” above to see it.'
  );
}

/** @param title the project's, for updates that name only the job. mrkdwn. */
function words(news: BidNews, title: string | undefined): string {
  switch (news.about) {
    case 'bid-created':
      return joinLines(
        `:dart: *${bidOf(news)} was created (${jobLabel(news.job)}):* ${stateOf(news)}.`,
        elsewhereText(news) ?? reviewHint(news),
      );
    case 'bid-skipped':
      return bidSkipped(news);
    case 'bid-refused':
      return bidRefused(news);
    case 'bid-unknown':
      return joinLines(
        unclearOutcomeText(news, 'the bid was created', bidOf(news)),
        '“Check” above looks for the bid and sends nothing. ' +
          `If the dashboard shows the bid, type ${codeText('/gig job <id>')} with its number. ` +
          "Press “Try Again” only if the dashboard doesn't show it.",
      );
    case 'bid-found':
      return joinLines(
        `:mag: *${formatMention(news.by)}'s bid on ${titled(news.title) || 'a project'} was created ` +
          `after all (${jobLabel(news.job)}):* ${stateOf(news)}.`,
        reviewHint(news),
      );
    case 'job-approved':
      return joinLines(
        `:white_check_mark: *${formatMention(news.by)} approved ${named(news, title)}.* ` +
          `Status: ${stateOf(news)}.`,
        overriddenVerdictText(news.overrode),
      );
    case 'approval-refused':
      return approvalRefused(news, title);
    case 'approval-unknown':
      return joinLines(
        unclearOutcomeText(
          news,
          'it went through',
          `${formatMention(news.by)}'s approval of ${named(news, title)}`,
        ),
        "Gigdesk is checking the bid's status and will post it here. You can't approve it again until then.",
      );
    case 'approval-rejected':
      return joinLines(
        `:no_entry_sign: *${formatMention(news.by)} rejected ${named(news, title)}:* ` +
          safeText(news.reason, 600),
        joinLines(askerText(news.asker), staysOpenText(news.job)),
      );
    case 'approval-expired':
      return joinLines(
        news.second
          ? `:hourglass: *Not enough people approved ${named(news, title)} in time, ` +
              'so it counts as rejected.*'
          : `:hourglass: *Nobody answered the request to approve ${named(news, title)} within ` +
              `${formatCount(news.hours, 'hour')}, so it counts as rejected.*`,
        joinLines(askerText(news.asker), staysOpenText(news.job)),
      );
    case 'job-changed':
      return joinLines(`:dart: *${capitalize(named(news, title))}:* ${stateOf(news)}.`, reviewHint(news));
    case 'job-failed':
      return jobFailed(news, title);
    case 'job-sent':
      return (
        `:incoming_envelope: *The proposal for ${named(news, title)} was sent* ` +
        `(${codeText(news.applicationUid, 80)}).`
      );
    case 'proposal-found':
      return proposalFound(news, title);
    case 'proposal-outcome':
      return (
        `${outcomeEmoji(news.outcomes)} *Proposal for ${named(news, title)}: ` +
        `${outcomeLabels(news.outcomes)}.*`
      );
    case 'job-left':
      return joinLines(
        `:zzz: *${capitalize(named(news, title))} didn't finish within ` +
          `${formatCount(news.hours, 'hour')}, so Gigdesk stopped tracking it.*`,
        `To check its status and track it again, press “Refresh” above, or ${OPEN_JOB}.`,
      );
    case 'job-gone':
      return joinLines(
        `:warning: *${capitalize(named(news, title))} is no longer in the marketplace.*`,
        'It may have been deleted in the dashboard. The message above shows its last known status.',
      );
  }
}

/** @param title of the job's project, if known. */
export function bidNewsMessage(news: BidNews, title?: string): Message {
  const text = words(news, title);
  return { text, blocks: [sectionBlock(text), ...actionsBlocks(newsButtons(news, text))] };
}

function newsButtons(news: BidNews, text: string): readonly Button[] {
  if (news.about === 'proposal-outcome') return [openProposalButton(news.proposal)];
  const job = 'job' in news ? news.job : undefined;
  return job !== undefined && text.includes(OPEN_JOB)
    ? [jobActionButton(actionIds.jobRefresh, 'Open Bid', job)]
    : [];
}
