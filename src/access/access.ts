/** What each role may do, who has which role where, and who requests one. */

import { z } from 'zod';
import { DAY } from '../clock.ts';
import { ChannelId, type TeamId, UserId } from '../ids.ts';
import { collection } from '../storage/store.ts';

export const AccessScope = z.union([z.literal('everywhere'), ChannelId]);
export type AccessScope = z.infer<typeof AccessScope>;

export const GrantedRole = z.enum(['bidder', 'admin']);
export type GrantedRole = z.infer<typeof GrantedRole>;

/** Scope of a grant requested in a channel. A direct message has no scope of its own. */
export function toAccessScope(channel: ChannelId): AccessScope {
  return /^[CG]/u.test(channel) ? channel : 'everywhere';
}

/** Slack IDs of users and user groups. */
export const Grantees = z.object({ users: z.array(UserId), groups: z.array(z.string()) });
export type Grantees = z.infer<typeof Grantees>;

export const AccessList = z.object({
  scope: AccessScope,
  bidder: Grantees,
  admin: Grantees,
  /** Counts changes: only a person who saw the newest revision may change the list. */
  revision: z.number().int().min(0),
  by: UserId.optional(),
  at: z.number().optional(),
});
export type AccessList = z.infer<typeof AccessList>;

export const accessLists = collection({ name: 'access', schema: AccessList, key: (it) => [it.scope] });

/** A role request. One open request per person, role and channel. */
export const AccessRequest = z.object({
  id: z.string(),
  user: UserId,
  /** Where the person asked; the role applies there. */
  channel: ChannelId,
  role: GrantedRole,
  at: z.number(),
  decided: z.object({ by: UserId, at: z.number(), granted: z.boolean() }).optional(),
});
export type AccessRequest = z.infer<typeof AccessRequest>;

/** As long as posts: without a post nobody can decide a request. */
export const ACCESS_REQUESTS_KEPT_MS = 90 * DAY;

export const accessRequests = collection({
  name: 'access-requests',
  schema: AccessRequest,
  key: (it) => [it.id],
  indexes: {
    /** [user, channel, role] of an open request. */
    open: (it) => (it.decided ? undefined : [it.user, it.channel, it.role]),
    byAge: (it) => [it.at],
  },
  keepFor: { ms: ACCESS_REQUESTS_KEPT_MS },
});

/**
 * Each role includes the rights of those before it. `outsider`: reads the channel, spends and changes
 * nothing. `viewer`: every full member; claims, skips, subscribes and looks up, within the channel's budget.
 */
export const ROLES = ['outsider', 'viewer', 'bidder', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export interface RoleDecisionFacts {
  /** The person's IDs: on Enterprise Grid, the organization may have another one for them. */
  readonly ids: readonly UserId[];
  /** On Enterprise Grid maybe another workspace of the person, the organization, or missing. */
  readonly team: TeamId | undefined;
  /** On Enterprise Grid: all workspaces of the person in the organization. */
  readonly teams: readonly TeamId[];
  /** Of the workspace `team`, where Slack names one. */
  readonly isWorkspaceAdmin: boolean;
  /** Single- or multi-channel guest. */
  readonly isGuest: boolean;
  /** Belongs to another workspace, in a shared channel. */
  readonly isExternal: boolean;
}

/**
 * The role of a person. Guests and people of other workspaces are outsiders, even if a list grants them a
 * role. Workspace admins and configured admins are admins; admins of another workspace of the organization
 * are members.
 */
export function decideRole(
  person: RoleDecisionFacts,
  home: TeamId,
  admins: ReadonlySet<UserId>,
  granted: Role = 'viewer',
): Role {
  const isMember = person.team === home || person.teams.includes(home);
  if (person.isGuest || person.isExternal || !isMember) return 'outsider';
  // Slack's answer may be about the person in another workspace. An organization's ID begins with `E`.
  const isAboutOther = person.team !== undefined && person.team !== home && !person.team.startsWith('E');
  const isWorkspaceAdmin = person.isWorkspaceAdmin && !isAboutOther;
  if (isWorkspaceAdmin || person.ids.some((id) => admins.has(id))) return 'admin';
  return granted;
}

export function hasRoleAtLeast(has: Role, needs: Role): boolean {
  return ROLES.indexOf(has) >= ROLES.indexOf(needs);
}
