/** A changed invitation status, for its thread. Pure. */
import type { PostContent } from '../../outbox/posts.ts';
import type { Message } from '../core/routes.ts';
import { safeLine } from '../kit/mrkdwn.ts';

type StatusNews = Extract<PostContent, { kind: 'invitation-status' }>;

/** `Invitation to “Rebuild our checkout”: Accepted (was Pending)` */
export function invitationStatusMessage({ title, before, status }: StatusNews): Message {
  const of = safeLine(title, 120) || 'Untitled project';
  const was = safeLine(before ?? '', 80);
  const now = safeLine(status, 80) || 'no status';
  return {
    text: `:arrows_counterclockwise: *Invitation to “${of}”: ${now}*${was ? ` (was ${was})` : ''}`,
  };
}
