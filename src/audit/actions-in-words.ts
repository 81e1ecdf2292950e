/** Each kind of action in words, without its subject: for private channels, files and the terminal. Pure. */
import type { AuditedAction } from './audit.ts';

/** `ada …`. Plain text. */
export const ACTIONS_IN_WORDS: Readonly<Record<AuditedAction['kind'], string>> = {
  bid: 'bid on a project',
  approve: 'approved a bid',
  'approval-rejected': 'rejected a bid',
  'bid-canceled': 'canceled a bid',
  'second-approval': 'gave a second approval',
  'second-rejected': 'refused a second approval',
  template: 'requested a new template',
  'access-changed': 'changed roles',
  'access-asked': 'requested a role',
  'access-decided': 'answered a role request',
  budget: 'changed the channel budget',
  'budget-confirmed': 'confirmed the channel budget',
  subscribed: 'subscribed to a filter',
  unsubscribed: 'unsubscribed from a filter',
  followed: 'subscribed to a profile',
  unfollowed: 'unsubscribed from a profile',
  paused: 'paused the feeds',
  resumed: 'resumed the feeds',
  muted: 'muted something',
  unmuted: 'unmuted something',
  settings: 'changed settings',
  digest: 'changed the digest',
  installed: 'installed Gigdesk',
  account: 'changed the marketplace account',
  'hint-secret': 'changed the address for hints',
};
