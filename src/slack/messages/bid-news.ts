/** What a thread is told of a bid or a job: one or two lines that explain themselves. */
import type { BidNews } from '../../outbox/bid-news.ts';
import { mention, safeLine } from '../blocks/mrkdwn.ts';
import { count } from '../blocks/numbers.ts';
import type { Message } from '../routes.ts';
import { costAndPlace, type JobState, jobName, setupText, stateText, waitsForReview } from './job-words.ts';
import { codeText } from './mistake.ts';
import { outcomeSign, outcomeWords } from './outcome-words.ts';
import { capital, lines, section } from './parts.ts';
import { afterRefusal, refusalWords } from './refusal-words.ts';
import { answeredText } from './unknown-words.ts';

type About<K extends BidNews['about']> = Extract<BidNews, { about: K }>;

function titled(title: string | undefined): string {
  const safe = safeLine(title ?? '', 120);
  return safe ? `“${safe}”` : '';
}

/** `job #12 (“Rebuild our checkout”)`. */
function named(news: { readonly job: JobState['id'] }, title: string | undefined): string {
  const of = titled(title);
  return `${jobName(news.job)}${of ? ` (${of})` : ''}`;
}

/** `@Ana's bid on “Rebuild our checkout” with Night shift`. */
function bidOf(it: About<'bid-created' | 'bid-skipped' | 'bid-refused' | 'bid-unknown'>): string {
  const setup = setupText(it);
  return `${mention(it.by)}'s bid on ${titled(it.title) || 'a project'}${setup ? ` with ${setup}` : ''}`;
}

function stateOf(it: About<'bid-created' | 'bid-found' | 'job-approved' | 'job-changed'>): string {
  const { job, status, statusTitle, scheduledAt, reason } = it;
  return stateText({ id: job, status, statusTitle, scheduledAt, reason });
}

function reviewHint(it: About<'bid-created' | 'bid-found' | 'job-changed'>): string | undefined {
  const { job: id, status, statusTitle } = it;
  if (!waitsForReview({ id, status, statusTitle })) return undefined;
  return `A bidder approves it with the button above or in ${lookAt(it.job)}; until then nothing is sent.`;
}

function elsewhereText({ elsewhere, job }: About<'bid-created'>): string | undefined {
  if (elsewhere === undefined) return undefined;
  return `:warning: The marketplace says that it is for another project, ${safeLine(elsewhere, 60)}: ${lookAt(job)} shows it.`;
}

function lookAt(job: JobState['id']): string {
  return codeText(`/gig job ${job}`);
}

/** What a refusal tells nothing of. */
function earlierText({ doubt }: { readonly doubt?: true | undefined }): string | undefined {
  if (!doubt) return undefined;
  return `An earlier attempt has an unknown outcome: its job may exist. “Check” above looks for traces; if the dashboard shows it, ${codeText('/gig job <id>')} links it.`;
}

function bidRefused(it: About<'bid-refused'>): string {
  const { job } = it;
  return lines(
    `:no_entry_sign: *${bidOf(it)} was refused:* ${refusalWords(it)}.`,
    job === undefined
      ? `${afterRefusal(it)} “Try again” above opens the form as it was.`
      : `${capital(jobName(job))} stands in its way; ${lookAt(job)} shows it.`,
    earlierText(it),
  );
}

function bidSkipped(it: About<'bid-skipped'>): string {
  const reason = safeLine(it.reason ?? '', 300);
  const message = safeLine(it.message ?? '', 300);
  const why = reason || (message && `“${message}”`);
  return lines(
    `:no_entry_sign: *${bidOf(it)} was skipped by the marketplace* (${jobName(it.job)})${why ? `: ${why}` : '; no reason is given yet'}.`,
    'No proposal is sent. When that is out of the way, “Try again” above makes a new attempt.',
    earlierText(it),
  );
}

function bidUnknown(it: About<'bid-unknown'>): string {
  const answered = answeredText(it);
  return lines(
    answered
      ? `:grey_question: *${capital(answered)} to ${bidOf(it)}, so we don't know whether the bid was created.*`
      : `:grey_question: *No answer came to ${bidOf(it)}: it is not known whether the job exists.*`,
    `“Check” above looks for traces and sends nothing. If the dashboard shows the job, ${codeText('/gig job <id>')} links it; “Try again” only when it does not.`,
  );
}

function jobApproved(it: About<'job-approved'>, title: string | undefined): string {
  const names = safeLine(it.approvedBy ?? '', 80);
  const who = names ? `; the marketplace names “${names}”` : '';
  return lines(
    `:white_check_mark: *${mention(it.by)} approved ${named(it, title)}*${who}. It is ${stateOf(it)}.`,
    overruled(it.overrode),
  );
}

/** @param reason the AI's, empty where it gave none; undefined: nothing was overruled. */
export function overruled(reason: string | undefined): string | undefined {
  if (reason === undefined) return undefined;
  const why = safeLine(reason, 600);
  return `This overrode the AI's disqualification${why ? `: ${why}` : ', for which it gave no reason.'}`;
}

function approvalRefused(it: About<'approval-refused'>, title: string | undefined): string {
  if (it.doubt)
    return lines(
      `:no_entry_sign: *Another approval of ${named(it, title)} was refused:* ${refusalWords(it)} (asked by ${mention(it.by)}).`,
      "The earlier approval's outcome is unknown, and it may have taken effect: the state of the job is being read and told here.",
    );
  return lines(
    `:no_entry_sign: *${capital(named(it, title))} was not approved:* ${refusalWords(it)} (asked by ${mention(it.by)}).`,
    `${afterRefusal(it)} ${lookAt(it.job)} shows how it stands.`,
  );
}

function approvalUnknown(it: About<'approval-unknown'>, title: string | undefined): string {
  const approval = `${mention(it.by)}'s approval of ${named(it, title)}`;
  const answered = answeredText(it);
  return lines(
    answered
      ? `:grey_question: *${capital(answered)} to ${approval}, so we don't know whether it took effect.*`
      : `:grey_question: *No answer came to ${approval}.*`,
    'Its state is being read and told here; until then it is not approved again.',
  );
}

function jobFailed(it: About<'job-failed'>, title: string | undefined): string {
  return lines(
    `:warning: *${capital(named(it, title))} failed:* ${safeLine(it.errorMessage, 500) || 'no reason is given'}`,
    `No proposal is known of. ${lookAt(it.job)} shows more; a bid with another setup is a new job.`,
  );
}

function proposalFound(it: About<'proposal-found'>, title: string | undefined): string {
  const cost = costAndPlace(it);
  return `:link: *The proposal of ${named(it, title)} is linked*${cost ? `: ${cost}` : ''}. “Proposal” above shows it.`;
}

/** @param title of the project, for news that name the job alone. mrkdwn. */
function words(news: BidNews, title: string | undefined): string {
  switch (news.about) {
    case 'bid-created':
      return lines(
        `:dart: *${bidOf(news)} is ${jobName(news.job)}:* ${stateOf(news)}.`,
        elsewhereText(news) ?? reviewHint(news),
      );
    case 'bid-skipped':
      return bidSkipped(news);
    case 'bid-refused':
      return bidRefused(news);
    case 'bid-unknown':
      return bidUnknown(news);
    case 'bid-found':
      return lines(
        `:mag: *${mention(news.by)}'s bid on ${titled(news.title) || 'a project'} did arrive: it is ${jobName(news.job)},* ${stateOf(news)}.`,
        reviewHint(news),
      );
    case 'job-approved':
      return jobApproved(news, title);
    case 'approval-refused':
      return approvalRefused(news, title);
    case 'approval-unknown':
      return approvalUnknown(news, title);
    case 'job-changed':
      return lines(`:dart: *${capital(named(news, title))}:* ${stateOf(news)}.`, reviewHint(news));
    case 'job-failed':
      return jobFailed(news, title);
    case 'job-sent':
      return `:incoming_envelope: *The proposal of ${named(news, title)} is sent* (${codeText(news.applicationUid, 80)}).`;
    case 'proposal-found':
      return proposalFound(news, title);
    case 'proposal-outcome':
      return `${outcomeSign(news.outcomes)} *The proposal of ${named(news, title)}: ${outcomeWords(news.outcomes)}.* ${codeText(`/gig proposal ${news.proposal}`)} shows it.`;
    case 'job-left':
      return lines(
        `:zzz: *${capital(named(news, title))} has not come to an end within ${count(news.hours, 'hour')}, so it is no longer followed.*`,
        `“Refresh” above or ${lookAt(news.job)} asks how it stands and follows it again.`,
      );
    case 'job-gone':
      return lines(
        `:warning: *The marketplace does not know ${named(news, title)} any more.*`,
        'It may have been deleted in the dashboard; this shows how it last stood.',
      );
  }
}

/** @param title of the job's project, where we know it. */
export function bidNewsMessage(news: BidNews, title?: string): Message {
  const text = words(news, title);
  return { text, blocks: [section(text)] };
}
