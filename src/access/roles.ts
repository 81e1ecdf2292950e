/** Who may do what. Pure: facts in, role out. */
import type { TeamId, UserId } from '../ids.ts';

export const ROLES = ['viewer', 'bidder', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** What Slack says of a person. */
export interface PersonFacts {
  readonly user: UserId;
  readonly team: TeamId;
  readonly workspaceAdmin: boolean;
  /** Single- or multi-channel guest. */
  readonly guest: boolean;
  /** Of another workspace, met in a shared channel. */
  readonly stranger: boolean;
}

/**
 * The role of a person. Guests and people of other workspaces are never more than viewers, whatever a list says;
 * workspace admins and the configured admins are admins.
 */
export function decideRole(
  person: PersonFacts,
  home: TeamId,
  admins: ReadonlySet<UserId>,
  granted: Role = 'viewer',
): Role {
  if (person.guest || person.stranger || person.team !== home) return 'viewer';
  if (person.workspaceAdmin || admins.has(person.user)) return 'admin';
  return granted;
}

/** Whether someone of role `has` may do what asks for `needs`. */
export function mayAct(has: Role, needs: Role): boolean {
  return ROLES.indexOf(has) >= ROLES.indexOf(needs);
}
