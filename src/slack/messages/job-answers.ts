/** Sentences about jobs that cannot be shown. */
import type { Job } from '../../bidding/records.ts';
import type { JobId } from '../../ids.ts';
import { channelLink, date } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';
import { isDirect } from '../views/home-facts.ts';
import { inputMistake } from './input-mistake.ts';
import { jobName, stateText } from './job-words.ts';
import { codeText } from './mistake.ts';
import { capital, lines } from './parts.ts';

export const JOB_EXAMPLE = 'job 123';

/** @param written what stands where the id should be; empty where nothing does. */
export function noJobIdMessage(written: string): Message {
  if (written === '')
    return inputMistake('Which job? Enter its ID from the card or the dashboard.', JOB_EXAMPLE);
  return inputMistake(
    `${codeText(written, 60)} isn't a valid job ID. Enter the number from the card or the dashboard.`,
    JOB_EXAMPLE,
  );
}

/** @param last what we keep of it, where we knew it. */
export function noSuchJobMessage(id: JobId, last?: Job): Message {
  return {
    text: lines(
      last
        ? `${capital(jobName(id))} is no longer in the marketplace. It may have been deleted in the dashboard.`
        : `Couldn't find ${jobName(id)} in the marketplace. Check the ID on the card or in the dashboard.`,
      last && `Last known status: ${stateText(last)} (${date(last.readAt)}).`,
    ),
  };
}

/** Says nothing of the job but that Gigdesk knows it. */
export function hiddenJobMessage(id: JobId): Message {
  return {
    text: `:lock: ${capital(jobName(id))} belongs to a private channel you aren't in. Ask one of its members.`,
  };
}

export function unsureJobMessage(id: JobId): Message {
  return {
    text: `:warning: Couldn't check with Slack whether you can see ${jobName(id)}, so nothing was done. Try again in a minute, or use the job's own channel.`,
  };
}

/** Why a bidder of a channel can't approve it. */
export const UNRECORDED_JOB_HINT =
  "Gigdesk doesn't know this job's channel, so only people who can bid everywhere can approve it.";

export function foreignJobHint({ channel }: Pick<Job, 'channel'>): string {
  return `This job belongs to ${isDirect(channel) ? 'a direct message' : channelLink(channel)}, so your role there applies.`;
}

/** A press whose value names no job. */
export const JOB_PRESS_OUTDATED: Message = {
  text: `This button is out of date, so nothing was done. Check the job's status with ${codeText('/gig job <id>')}.`,
};
