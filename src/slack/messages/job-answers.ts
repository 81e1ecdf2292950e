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
    return inputMistake('Say which job, by its id: cards and the dashboard show it.', JOB_EXAMPLE);
  return inputMistake(
    `${codeText(written, 60)} is no job's id: that is a number, as cards and the dashboard show it.`,
    JOB_EXAMPLE,
  );
}

/** @param last what we keep of it, where we knew it. */
export function noSuchJobMessage(id: JobId, last?: Job): Message {
  return {
    text: lines(
      `The marketplace knows no ${jobName(id)}${last ? ' any more' : ''}. ${last ? 'It may have been deleted in the dashboard.' : 'Check the id: cards and the dashboard show it.'}`,
      last && `${capital(stateText(last))}, when I last heard of it, ${date(last.readAt)}.`,
    ),
  };
}

/** Says nothing of the job but that Gigdesk knows it. */
export function hiddenJobMessage(id: JobId): Message {
  return {
    text: `:lock: ${capital(jobName(id))} belongs to a private channel that you aren't in. Ask one of its members.`,
  };
}

export function unsureJobMessage(id: JobId): Message {
  return {
    text: `:warning: Slack can't tell me right now whether you may see ${jobName(id)}, so I did nothing. Try again in a minute, or use its own channel.`,
  };
}

/** Why a bidder of a channel can't approve it. */
export const UNRECORDED_JOB_HINT =
  'Gigdesk has no record of this job, so it belongs to no channel: only bidders everywhere can approve it.';

export function foreignJobHint({ channel }: Pick<Job, 'channel'>): string {
  return `This job belongs to ${isDirect(channel) ? 'a direct message' : channelLink(channel)}: your role there counts.`;
}

/** A press whose value names no job. */
export const JOB_PRESS_OUTDATED: Message = {
  text: `This button is out of date, so nothing was done. ${codeText('/gig job <id>')} shows how a job stands.`,
};
