/** Who may see a job, and who may approve it. Its own channel on record decides, wherever its id was typed or pressed. */
import { mayAct } from '../access/roles.ts';
import { type Job, jobKey, jobs } from '../bidding/records.ts';
import type { JobId } from '../ids.ts';
import { notAllowedMessage } from './messages/boundary-answers.ts';
import {
  foreignJobHint,
  hiddenJobMessage,
  UNRECORDED_JOB_HINT,
  unsureJobMessage,
} from './messages/job-answers.ts';
import type { Message, Services } from './routes.ts';
import { type Reader, sightOf } from './sight.ts';
import { isDirect } from './views/home-facts.ts';

export function readJob({ store, team }: Services, id: JobId): Promise<Job | undefined> {
  return store.read((tx) => tx.get(jobs, jobKey(team, id)));
}

/** What the reader is told instead of the job; undefined: they may see it. A job without a record belongs to no channel. */
export async function hiddenJob(reader: Reader, job: Job | undefined): Promise<Message | undefined> {
  if (!job) return undefined;
  const sight = await sightOf(reader, job.channel);
  if (sight === 'open') return undefined;
  return sight === 'closed' ? hiddenJobMessage(job.id) : unsureJobMessage(job.id);
}

/** What the reader is told instead of approving the job; undefined: they may approve it. */
export async function approvalRefusal(reader: Reader, job: Job | undefined): Promise<Message | undefined> {
  const hidden = await hiddenJob(reader, job);
  if (hidden) return hidden;
  const { services, channel: here } = reader;
  const place = job && !isDirect(job.channel) ? job.channel : undefined;
  const person = await services.whoIs(reader.person.user, place);
  if (mayAct(person.role, 'bidder')) return undefined;
  if (!job) return notAllowedMessage(person, 'bidder', { mayAsk: false, hint: UNRECORDED_JOB_HINT });
  // The button asks for the role in the channel where it stands.
  if (job.channel === here) return notAllowedMessage(person, 'bidder');
  return notAllowedMessage(person, 'bidder', { mayAsk: false, hint: foreignJobHint(job) });
}
