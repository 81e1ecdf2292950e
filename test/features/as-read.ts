/** What people read. */
import type { Role } from '../../src/access/access.ts';
import { UserId } from '../../src/ids.ts';
import { notAllowedMessage } from '../../src/slack/core/request-errors.ts';

const NOBODY = UserId.parse('U0');

/** A person's message when `role` may not do what needs `needs`; in one message, as sent to Slack. */
export function refusalFor(needs: Role, role: Role = 'viewer'): string {
  return notAllowedMessage({ user: NOBODY, role }, needs).text;
}
