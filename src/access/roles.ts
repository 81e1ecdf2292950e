/** Decides who may do what. Pure: facts in, role out. */
import type { TeamId, UserId } from '../ids.ts';

/**
 * Each role includes the rights of those before it. `outsider`: reads the channel, spends and changes
 * nothing. `viewer`: every full member; claims, skips, subscribes and looks up, within the channel's budget.
 */
export const ROLES = ['outsider', 'viewer', 'bidder', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export interface RoleDecisionFacts {
  readonly user: UserId;
  readonly team: TeamId;
  readonly isWorkspaceAdmin: boolean;
  /** Single- or multi-channel guest. */
  readonly isGuest: boolean;
  /** Belongs to another workspace, in a shared channel. */
  readonly isExternal: boolean;
}

/**
 * The role of a person. Guests and people of other workspaces are outsiders, even if a list grants them a
 * role. Workspace admins and configured admins are admins.
 */
export function decideRole(
  person: RoleDecisionFacts,
  home: TeamId,
  admins: ReadonlySet<UserId>,
  granted: Role = 'viewer',
): Role {
  if (person.isGuest || person.isExternal || person.team !== home) return 'outsider';
  if (person.isWorkspaceAdmin || admins.has(person.user)) return 'admin';
  return granted;
}

export function hasRoleAtLeast(has: Role, needs: Role): boolean {
  return ROLES.indexOf(has) >= ROLES.indexOf(needs);
}
