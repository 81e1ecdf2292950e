/** Looks up people in Slack, caches the answers, and decides their current roles. */
import { z } from 'zod';
import { decideRole, type GrantedRole, type Role, type RoleDecisionFacts } from '../../access/access.ts';
import type { AccessService } from '../../access/create-access.ts';
import { putBounded } from '../../base/put-bounded.ts';
import { withTimeLimit } from '../../base/time-limit.ts';
import { type Clock, DAY, type Instant, isRecent, MINUTE, SECOND } from '../../clock.ts';
import { asError } from '../../errors.ts';
import { type ChannelId, TeamId, UserId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import type { Workspace } from '../../workspace.ts';
import { toSlackCallError } from './errors.ts';
import type { Person } from './routes.ts';

const flag = z.boolean().optional();
/** Of a person of an Enterprise Grid organization. */
const EnterpriseUser = z.object({ id: UserId.optional().catch(undefined), teams: z.array(TeamId).catch([]) });
const UserInfo = z.object({
  user: z.object({
    id: UserId,
    team_id: TeamId.nullish(),
    enterprise_user: EnterpriseUser.nullish().catch(undefined),
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

interface PersonResolverOptions extends Pick<Workspace, 'team' | 'clock' | 'log' | 'admins'> {
  /** Slack's `users.info`. */
  readonly info: (user: UserId) => Promise<unknown>;
  /** Slack's `usergroups.users.list`. */
  readonly members: (group: string) => Promise<unknown>;
  readonly access: Pick<AccessService, 'findGrantedRole'>;
}

/** A modal must open within 3 s of the press: wait no longer than this if an older answer exists. */
const PATIENCE_MS = 1_500;
/** Without an older answer, a late answer is better than a denial. */
const LONG_PATIENCE_MS = 8 * SECOND;

type Facts = RoleDecisionFacts & { readonly timezone?: string };

function factsOf(answer: unknown): Facts {
  const { user } = UserInfo.parse(answer);
  const { enterprise_user: enterprise } = user;
  const isOutsider = user.deleted || user.is_bot || user.is_restricted || user.is_ultra_restricted;
  return {
    ids: [user.id, ...(enterprise?.id ? [enterprise.id] : [])],
    team: user.team_id ?? undefined,
    teams: enterprise?.teams ?? [],
    isWorkspaceAdmin: Boolean(user.is_admin || user.is_owner || user.is_primary_owner),
    isGuest: Boolean(isOutsider),
    isExternal: Boolean(user.is_stranger),
    timezone: user.tz || undefined,
  };
}

export type PersonResolver = ReturnType<typeof createPersonResolver>;

export function createPersonResolver(options: PersonResolverOptions) {
  const { info, members, access, team, admins, clock, log } = options;
  const people = new SlackResponseCache({
    ask: async (key) => {
      const facts = factsOf(await info(UserId.parse(key)));
      if (!facts.ids.some((id) => id === key)) throw new TypeError('got an answer about another user');
      return facts;
    },
    failure: 'could not look up a person',
    timeoutMs: { known: PATIENCE_MS, unknown: LONG_PATIENCE_MS },
    retryDelayMs: 0,
    clock,
    log,
  });
  const groups = new SlackResponseCache({
    ask: async (group) => new Set(GroupMembers.parse(await members(group)).users),
    failure: 'could not list the members of a user group',
    // Every press waits for it, even if its person needs no role.
    timeoutMs: { known: PATIENCE_MS, unknown: PATIENCE_MS },
    // An unreadable group (missing scope) isn't asked for at every press.
    retryDelayMs: 30 * SECOND,
    clock,
    log,
  });

  /** Guests stay guests; without a fresh answer from Slack there are no admins. */
  function roleOf({ value, isFresh }: CachedResponse<Facts>, granted: Role): Role {
    if (isFresh) return decideRole(value, team, admins, granted);
    const atMost = granted === 'admin' ? 'bidder' : granted;
    return decideRole({ ...value, isWorkspaceAdmin: false }, team, new Set(), atMost);
  }

  async function findGrant(user: UserId, channel?: ChannelId, maxAgeMs?: number) {
    try {
      return await access.findGrantedRole(user, channel, async (group, role) => {
        const asked = [groups.read(group, maxAgeMs), people.read(user, maxAgeMs)] as const;
        const [listed, facts] = await Promise.all(asked);
        return isMember(listed, facts?.value.ids ?? [user], role);
      });
    } catch (thrown) {
      log.error("could not read a person's roles", { user, error: asError(thrown) });
      return { role: 'viewer', isUncertain: true } as const;
    }
  }

  return {
    /**
     * The person with their current role in a channel, or everywhere. New grants and revocations apply at
     * once. When Slack can't identify a person who was known within a day, they keep their granted role, up
     * to bidder. Anyone else is an outsider and should try again (`unsure`). Never throws.
     * @param maxAgeMs how old Slack's answers may be. No older one counts then, and the caller waits longer
     *   for Slack: what Slack doesn't confirm now is `unsure`. Missing: as said above.
     */
    async resolvePerson(user: UserId, channel?: ChannelId, maxAgeMs?: number): Promise<Person> {
      const asked = [people.read(user, maxAgeMs), findGrant(user, channel, maxAgeMs)] as const;
      const [facts, grant] = await Promise.all(asked);
      if (!facts) return { user, role: 'outsider', unsure: true };
      const role = roleOf(facts, grant.role);
      const mayRise = role !== 'outsider' && role !== 'admin' && (!facts.isFresh || grant.isUncertain);
      return { user, role, unsure: mayRise || undefined, timezone: facts.value.timezone || undefined };
    },
  };
}

/** A cached answer can confirm a bidder, but not an admin; non-members may have joined since. */
function isMember(
  members: CachedResponse<ReadonlySet<string>> | undefined,
  ids: readonly UserId[],
  role: GrantedRole,
): boolean | undefined {
  const wasMember = members && ids.some((id) => members.value.has(id));
  if (members?.isFresh) return wasMember;
  return wasMember && role === 'bidder' ? true : undefined;
}

/** A cached answer is fresh for this long, unless the caller says less. */
const FRESH_MS = 5 * MINUTE;
/** And usable for this long when Slack doesn't answer: an outage must not stop the team's work. */
const KEPT_MS = DAY;
const MOST_REMEMBERED = 5_000;

interface CachedResponse<V> {
  readonly value: V;
  /** Whether Slack confirmed it lately enough. */
  readonly isFresh: boolean;
}

interface SlackResponseCacheOptions<V> {
  readonly ask: (key: string) => Promise<V>;
  readonly clock: Clock;
  readonly log: Log;
  /** A static log message for when Slack doesn't answer. */
  readonly failure: string;
  /** How long to wait for Slack, with and without an older answer. */
  readonly timeoutMs: { readonly known: number; readonly unknown: number };
  /** How long not to ask again after a failure. */
  readonly retryDelayMs: number;
}

type Kept<V> = { readonly value: V; readonly at: Instant };
/** `done` never rejects. */
type Asked = { readonly since: Instant; readonly done: Promise<void> };

/** Caches Slack's answers, sends one request per key at a time, and waits for it with a timeout. */
class SlackResponseCache<V> {
  readonly #options: SlackResponseCacheOptions<V>;
  readonly #kept = new Map<string, Kept<V>>();
  readonly #asked = new Map<string, Asked>();
  readonly #failedAt = new Map<string, Instant>();

  constructor(options: SlackResponseCacheOptions<V>) {
    this.#options = options;
  }

  /**
   * undefined: Slack did not answer in time, and nothing is cached. Never throws.
   * @param maxAgeMs given: an older answer is none
   */
  async read(key: string, maxAgeMs?: number): Promise<CachedResponse<V> | undefined> {
    const freshMs = maxAgeMs ?? FRESH_MS;
    const usableMs = maxAgeMs ?? KEPT_MS;
    const fresh = this.#find(key, freshMs);
    if (fresh) return { value: fresh.value, isFresh: true };
    const { known, unknown } = this.#options.timeoutMs;
    const ordinaryMs = this.#find(key, usableMs) ? known : unknown;
    const patienceMs = maxAgeMs === undefined ? ordinaryMs : LONG_PATIENCE_MS;
    const { clock, retryDelayMs } = this.#options;
    const isPausing = isRecent(this.#failedAt.get(key), retryDelayMs, clock.now());
    if (!isPausing) await this.#wait(this.#asked.get(key) ?? this.#ask(key), patienceMs);
    const kept = this.#find(key, usableMs);
    return kept && { value: kept.value, isFresh: this.#find(key, freshMs) !== undefined };
  }

  /** An answer from the future comes from a clock that was set back: its age is unknown. */
  #find(key: string, ageMs: number): Kept<V> | undefined {
    const kept = this.#kept.get(key);
    return isRecent(kept?.at, ageMs, this.#options.clock.now()) ? kept : undefined;
  }

  #ask(key: string): Asked {
    const done = this.#learn(key).finally(() => this.#asked.delete(key));
    const asked = { since: this.#options.clock.now(), done };
    this.#asked.set(key, asked);
    return asked;
  }

  async #learn(key: string): Promise<void> {
    const { ask, clock, log, failure } = this.#options;
    try {
      const value = await ask(key);
      this.#failedAt.delete(key);
      putBounded(this.#kept, key, { value, at: clock.now() }, MOST_REMEMBERED);
    } catch (thrown) {
      putBounded(this.#failedAt, key, clock.now(), MOST_REMEMBERED);
      log.warn(failure, { of: key, error: toSlackCallError(thrown).code });
    }
  }

  /** Later callers wait only for the rest of the first caller's timeout. */
  #wait({ since, done }: Asked, patienceMs: number): Promise<void> {
    const { clock } = this.#options;
    const leftMs = Math.min(Math.max(0, since + patienceMs - clock.now()), patienceMs);
    return withTimeLimit(clock, leftMs, done, () => undefined);
  }
}
