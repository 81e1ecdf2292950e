/** In the thread of an invitation: its status has changed. */
import type { PostContent } from '../../outbox/posts.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';

type StatusNews = Extract<PostContent, { kind: 'invitation-status' }>;

/** `The invitation to “Rebuild our checkout” is Accepted now; it was Pending.` */
export function invitationStatusMessage({ title, before, status }: StatusNews): Message {
  const of = safeLine(title, 120) || 'a project without a title';
  const was = safeLine(before ?? '', 80);
  const now = safeLine(status, 80) || 'without a status';
  return {
    text: `:arrows_counterclockwise: *The invitation to “${of}”: ${now}*${was ? `; it was ${was}` : ''}.`,
  };
}
