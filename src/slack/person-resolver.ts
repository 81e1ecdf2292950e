/** Who somebody is, asked from Slack and remembered for a while, and the role that follows from it at this moment. */
import { z } from 'zod';
import type { AccessService, GrantedRole } from '../access/access.ts';
import { decideRole, type PersonFacts, type Role } from '../access/roles.ts';
import { type Clock, SECOND } from '../clock.ts';
import { asError } from '../errors.ts';
import { type ChannelId, TeamId, UserId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Person } from './routes.ts';
import { type CachedResponse, SlackResponseCache } from './slack-response-cache.ts';

const flag = z.boolean().optional();
const UserInfo = z.object({
  user: z.object({
    id: UserId,
    team_id: TeamId,
    tz: z.string().optional(),
    deleted: flag,
    is_bot: flag,
    is_admin: flag,
    is_owner: flag,
    is_primary_owner: flag,
    is_restricted: flag,
    is_ultra_restricted: flag,
    is_stranger: flag,
  }),
});
const GroupMembers = z.object({ users: z.array(z.string()) });

export interface PersonResolverOptions {
  /** Slack's `users.info`. */
  readonly info: (user: UserId) => Promise<unknown>;
  /** Slack's `usergroups.users.list`. */
  readonly members: (group: string) => Promise<unknown>;
  readonly access: Pick<AccessService, 'findGrantedRole'>;
  readonly team: TeamId;
  readonly admins: ReadonlySet<UserId>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface PersonResolver {
  /**
   * The person with the role of this moment in a channel, or everywhere. What was granted or withdrawn counts at once.
   * When Slack can't say who it is, whoever was known within a day keeps what they were granted up to bidder; anybody
   * else is an outsider who is told to try again (`unsure`). Never throws.
   */
  resolvePerson(user: UserId, channel?: ChannelId): Promise<Person>;
}

/** A modal must open within 3 s of the press, so no longer than this where an older answer would do. */
const PATIENCE_MS = 1_500;
/** Where nothing is known, a late answer is better than a refusal. */
const LONG_PATIENCE_MS = 8 * SECOND;
/** A group that can't be read (a missing scope) is not asked for at every press. */
const GROUP_PAUSE_MS = 30 * SECOND;

type Facts = PersonFacts & { readonly timezone?: string };
type Grant = Awaited<ReturnType<AccessService['findGrantedRole']>>;

function factsOf(answer: unknown): Facts {
  const { user } = UserInfo.parse(answer);
  const isOutsider = user.deleted || user.is_bot || user.is_restricted || user.is_ultra_restricted;
  return {
    user: user.id,
    team: user.team_id,
    isWorkspaceAdmin: Boolean(user.is_admin || user.is_owner || user.is_primary_owner),
    isGuest: Boolean(isOutsider),
    isExternal: Boolean(user.is_stranger),
    ...(user.tz ? { timezone: user.tz } : {}),
  };
}

const NOBODY: ReadonlySet<UserId> = new Set();

class RememberedPeople implements PersonResolver {
  readonly #options: PersonResolverOptions;
  readonly #facts: SlackResponseCache<Facts>;
  readonly #members: SlackResponseCache<ReadonlySet<string>>;

  constructor(options: PersonResolverOptions) {
    this.#options = options;
    const { info, members, clock, log } = options;
    this.#facts = new SlackResponseCache({
      ask: async (key) => {
        const facts = factsOf(await info(UserId.parse(key)));
        if (facts.user !== key) throw new TypeError('got an answer about another user');
        return facts;
      },
      failure: 'could not look up a person',
      timeoutMs: { known: PATIENCE_MS, unknown: LONG_PATIENCE_MS },
      retryDelayMs: 0,
      clock,
      log,
    });
    this.#members = new SlackResponseCache({
      ask: async (group) => new Set(GroupMembers.parse(await members(group)).users),
      failure: 'could not list the members of a user group',
      // Everybody's press waits for it, also of those who need no role.
      timeoutMs: { known: PATIENCE_MS, unknown: PATIENCE_MS },
      retryDelayMs: GROUP_PAUSE_MS,
      clock,
      log,
    });
  }

  async resolvePerson(user: UserId, channel?: ChannelId): Promise<Person> {
    const [facts, grant] = await Promise.all([this.#facts.read(user), this.#granted(user, channel)]);
    if (!facts) return { user, role: 'outsider', unsure: true };
    const role = this.#roleOf(facts, grant.role);
    const { timezone } = facts.value;
    return {
      user,
      role,
      ...(isUnsure(role, facts, grant) ? { unsure: true } : {}),
      ...(timezone ? { timezone } : {}),
    };
  }

  /** Guests stay guests; what only an admin may do waits until Slack says who it is. */
  #roleOf({ value, isFresh }: CachedResponse<Facts>, granted: Role): Role {
    const { team, admins } = this.#options;
    if (isFresh) return decideRole(value, team, admins, granted);
    const atMost = granted === 'admin' ? 'bidder' : granted;
    return decideRole({ ...value, isWorkspaceAdmin: false }, team, NOBODY, atMost);
  }

  async #granted(user: UserId, channel: ChannelId | undefined): Promise<Grant> {
    const { access, log } = this.#options;
    try {
      return await access.findGrantedRole(user, channel, (group, role) => this.#isMember(user, group, role));
    } catch (thrown) {
      log.error("could not read a person's roles", { user, error: asError(thrown) });
      return { role: 'viewer', isUncertain: true };
    }
  }

  /** An older answer makes a bidder and no admin; who was not in the group then may be in it by now. */
  async #isMember(user: UserId, group: string, role: GrantedRole): Promise<boolean | undefined> {
    const members = await this.#members.read(group);
    const wasMember = members?.value.has(user);
    if (members?.isFresh) return wasMember;
    return wasMember && role === 'bidder' ? true : undefined;
  }
}

/** Whether the role may be more in a minute. */
function isUnsure(role: Role, facts: CachedResponse<Facts>, grant: Grant): boolean {
  return role !== 'outsider' && role !== 'admin' && (!facts.isFresh || grant.isUncertain);
}

export function createPersonResolver(options: PersonResolverOptions): PersonResolver {
  return new RememberedPeople(options);
}
