/** Who may do what. Pure: facts in, role out. */
import type { TeamId, UserId } from '../ids.ts';

/**
 * Each may do what those before it may. `outsider`: reads what stands in the channel, spends and changes nothing.
 * `viewer`: every full member; claims, skips, subscribes and looks up, within the channel's budget.
 */
export const ROLES = ['outsider', 'viewer', 'bidder', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** What Slack says of a person. */
export interface PersonFacts {
  readonly user: UserId;
  readonly team: TeamId;
  readonly isWorkspaceAdmin: boolean;
  /** Single- or multi-channel guest. */
  readonly isGuest: boolean;
  /** Of another workspace, met in a shared channel. */
  readonly isExternal: boolean;
}

/**
 * The role of a person. Guests and people of other workspaces are outsiders, whatever a list says; workspace admins and
 * the configured admins are admins.
 */
export function decideRole(
  person: PersonFacts,
  home: TeamId,
  admins: ReadonlySet<UserId>,
  granted: Role = 'viewer',
): Role {
  if (person.isGuest || person.isExternal || person.team !== home) return 'outsider';
  if (person.isWorkspaceAdmin || admins.has(person.user)) return 'admin';
  return granted;
}

/** Whether someone of role `has` may do what asks for `needs`. */
export function hasRoleAtLeast(has: Role, needs: Role): boolean {
  return ROLES.indexOf(has) >= ROLES.indexOf(needs);
}
