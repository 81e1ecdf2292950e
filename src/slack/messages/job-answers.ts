/** Sentences about jobs that cannot be shown. */
import type { Job } from '../../bidding/records.ts';
import type { JobId } from '../../ids.ts';
import { date } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';
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

/** A press whose value names no job. */
export const JOB_PRESS_OUTDATED: Message = {
  text: `This button is out of date, so nothing was done. ${codeText('/gig job <id>')} shows how a job stands.`,
};
