/** The contract of access: who was granted which role, where, and who asks for one. */
import { z } from 'zod';
import { ChannelId, TeamId, UserId } from '../ids.ts';
import type { Collection } from '../storage/store.ts';

/** Where a grant holds: one channel, or everywhere. */
export const AccessScope = z.union([z.literal('everywhere'), ChannelId]);
export type AccessScope = z.infer<typeof AccessScope>;

/** The roles that can be granted. */
export const GrantedRole = z.enum(['bidder', 'admin']);
export type GrantedRole = z.infer<typeof GrantedRole>;

/** Where a grant for what was asked in a conversation holds: direct messages are no place to do anything in. */
export function toAccessScope(channel: ChannelId): AccessScope {
  return /^[CG]/u.test(channel) ? channel : 'everywhere';
}

/** People and user groups, by Slack's ids. */
export const Grantees = z.object({ users: z.array(UserId), groups: z.array(z.string()) });
export type Grantees = z.infer<typeof Grantees>;

/** Key: [team, scope]. */
export const AccessList = z.object({
  team: TeamId,
  scope: AccessScope,
  bidder: Grantees,
  admin: Grantees,
  /** Counts changes: who changes the list must have seen the newest. */
  revision: z.number().int().min(0),
  by: UserId.optional(),
  at: z.number().optional(),
});
export type AccessList = z.infer<typeof AccessList>;

export const accessLists: Collection<AccessList> = { name: 'access', schema: AccessList, indexes: {} };

/** Somebody asks for a role. One open request for each person, role and channel. Key: [team, id]. */
export const AccessRequest = z.object({
  team: TeamId,
  id: z.string(),
  user: UserId,
  /** Where it was asked for; the role is granted there. */
  channel: ChannelId,
  role: GrantedRole,
  at: z.number(),
  decided: z.object({ by: UserId, at: z.number(), granted: z.boolean() }).optional(),
});
export type AccessRequest = z.infer<typeof AccessRequest>;

export const accessRequests: Collection<AccessRequest> = {
  name: 'access-requests',
  schema: AccessRequest,
  indexes: {
    /** [team, user, channel, role]: the open one. */
    open: (it) => (it.decided ? undefined : [it.team, it.user, it.channel, it.role]),
    /** [team, when]: for clearing out the old. */
    byAge: (it) => [it.team, it.at],
  },
};

export interface AccessChange {
  readonly scope: AccessScope;
  readonly bidder: Grantees;
  readonly admin: Grantees;
  readonly by: UserId;
  /** The revision that was on the screen. */
  readonly seenRevision: number;
}

export interface AccessService {
  readAccessList(scope: AccessScope): Promise<AccessList>;
  /** Stores the whole list and writes the audit log. `stale`: somebody changed it meanwhile; nothing was stored. */
  changeAccessList(
    change: AccessChange,
  ): Promise<{ readonly kind: 'changed' | 'stale' | 'same'; readonly list: AccessList }>;
  /**
   * Asks for a role in a channel: a post there, and one to each admin that we know by name (`ADMIN_USER_IDS`, granted).
   * @returns the request; `recordIfNew` false: the same one is open already. `told`: how many messages ask for it; 0: there is
   * neither a channel nor an admin whom we know by name.
   */
  requestRole(order: {
    readonly user: UserId;
    readonly channel: ChannelId;
    readonly role: GrantedRole;
  }): Promise<{
    readonly request: AccessRequest;
    readonly isNew: boolean;
    readonly notifiedCount: number;
  }>;
  /** undefined: there is no such request, or it was cleared out. */
  readAccessRequest(id: string): Promise<AccessRequest | undefined>;
  /**
   * Grants or declines, once; the caller has checked that `by` is an admin of the request's channel. The posts show it,
   * and whoever asked is told.
   * @returns undefined for an unknown request; `kind` 'taken' when it was decided before.
   */
  decideAccessRequest(order: {
    readonly request: string;
    readonly by: UserId;
    readonly grant: boolean;
  }): Promise<{ readonly kind: 'decided' | 'taken'; readonly request: AccessRequest } | undefined>;
  /**
   * The highest role that was granted to somebody there: by name, or through a group that they are a member of.
   * @param isMember asked only where it can raise the role, and for which; undefined: it could not be learned.
   * @returns `unsure`: a group could not be asked that might have raised it.
   */
  findGrantedRole(
    user: UserId,
    channel: ChannelId | undefined,
    isMember: (group: string, role: GrantedRole) => Promise<boolean | undefined>,
  ): Promise<{ readonly role: GrantedRole | 'viewer'; readonly isUncertain: boolean }>;
}
