/** Answers for jobs that can't be shown. Pure. */

import type { Job } from '../../bidding/records.ts';
import { isDirectMessage, type JobId } from '../../ids.ts';
import type { Message } from '../core/routes.ts';
import { capitalize, joinLines } from '../kit/block-builders.ts';
import { inputErrorMessage } from '../kit/input-error.ts';
import { channelLink, formatDate } from '../kit/mrkdwn.ts';
import { codeText } from '../kit/query-error.ts';
import { jobLabel, jobStateText } from '../kit/words/job-text.ts';

export const JOB_EXAMPLE = 'job 123';

/** @param written what the user typed as the ID; may be empty. */
export function noJobIdMessage(written: string): Message {
  if (written === '')
    return inputErrorMessage(
      "Which auto bidding job? Enter its ID from the card or the marketplace's dashboard.",
      JOB_EXAMPLE,
    );
  return inputErrorMessage(
    `${codeText(written, 60)} isn't a valid job ID. ` +
      "Enter the number from the card or the marketplace's dashboard.",
    JOB_EXAMPLE,
  );
}

/** @param last our last record of it, if any. */
export function noSuchJobMessage(id: JobId, last?: Job): Message {
  return {
    text: joinLines(
      last
        ? `${capitalize(jobLabel(id))} is no longer in the marketplace. ` +
            'It may have been deleted in the dashboard.'
        : `Couldn't find ${jobLabel(id)} in the marketplace. ` +
            "Check the ID on the card or in the marketplace's dashboard.",
      last && `Last known status: ${jobStateText(last)} (${formatDate(last.readAt)}).`,
    ),
  };
}

/** Reveals only that Gigdesk knows the job. */
export function hiddenJobMessage(id: JobId): Message {
  return {
    text:
      `:lock: ${capitalize(jobLabel(id))} belongs to a private channel you aren't in. ` +
      'Ask one of its members.',
  };
}

export function jobVisibilityUnknownMessage(id: JobId): Message {
  return {
    text:
      `:warning: Couldn't check with Slack whether you can see ${jobLabel(id)}, so nothing was done. ` +
      "Try again in a minute, or use the job's own channel.",
  };
}

/** Why a channel's bidder can't approve it. */
export const UNKNOWN_JOB_CHANNEL_HINT =
  "Gigdesk doesn't know this job's channel, so only people who can bid everywhere can approve it.";

export function otherChannelJobHint({ channel }: Pick<Job, 'channel'>): string {
  return (
    `This job belongs to ${isDirectMessage(channel) ? 'a direct message' : channelLink(channel)}, ` +
    'so your role there applies.'
  );
}

/** For a button whose value names no job. */
export const JOB_PRESS_OUTDATED: Message = {
  text:
    'This button is out of date, so nothing was done. ' +
    `Check the job's status with ${codeText('/gig job <id>')}.`,
};
