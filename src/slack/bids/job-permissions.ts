/** Who may see or approve a job. The job's recorded channel decides, wherever its ID was typed or pressed. */

import { hasRoleAtLeast } from '../../access/roles.ts';
import { readJob } from '../../bidding/project-bidding.ts';
import type { Job } from '../../bidding/records.ts';
import { isDirectMessage, type JobId } from '../../ids.ts';
import { checkChannelVisibility, type RequestContext } from '../core/channel-visibility.ts';
import { notAllowedMessage } from '../core/request-errors.ts';
import type { Message, Services } from '../core/routes.ts';
import {
  hiddenJobMessage,
  jobVisibilityUnknownMessage,
  otherChannelJobHint,
  UNKNOWN_JOB_CHANNEL_HINT,
} from './job-answers.ts';

export function findJob({ store, team }: Services, id: JobId): Promise<Job | undefined> {
  return store.read((tx) => readJob(tx, team, id));
}

/**
 * The reply if the reader may not see the job; else undefined. A job without a record belongs to no channel.
 */
export async function jobViewDenialMessage(
  reader: RequestContext,
  job: Job | undefined,
): Promise<Message | undefined> {
  if (!job) return undefined;
  const sight = await checkChannelVisibility(reader, job.channel);
  if (sight === 'open') return undefined;
  return sight === 'closed' ? hiddenJobMessage(job.id) : jobVisibilityUnknownMessage(job.id);
}

/** The reply if the reader may not approve the job; else undefined. */
export async function jobApprovalDenialMessage(
  reader: RequestContext,
  job: Job | undefined,
): Promise<Message | undefined> {
  const hidden = await jobViewDenialMessage(reader, job);
  if (hidden) return hidden;
  const { services, channel: here } = reader;
  const place = job && !isDirectMessage(job.channel) ? job.channel : undefined;
  const person = await services.resolvePerson(reader.person.user, place);
  if (hasRoleAtLeast(person.role, 'bidder')) return undefined;
  if (!job) return notAllowedMessage(person, 'bidder', { mayAsk: false, hint: UNKNOWN_JOB_CHANNEL_HINT });
  // The button requests the role in the current channel.
  if (job.channel === here) return notAllowedMessage(person, 'bidder');
  return notAllowedMessage(person, 'bidder', { mayAsk: false, hint: otherChannelJobHint(job) });
}
