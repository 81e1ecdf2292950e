/** Who somebody is, asked from Slack and remembered for a while, and the role that follows from it. */
import { z } from 'zod';
import { decideRole, type PersonFacts } from '../access/roles.ts';
import { type Clock, DAY, type Instant, MINUTE, SECOND } from '../clock.ts';
import { TeamId, UserId } from '../ids.ts';
import type { Log } from '../log.ts';
import { slackCallError } from './errors.ts';
import type { Person } from './routes.ts';

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

export interface PeopleOptions {
  /** Slack's `users.info`. */
  readonly info: (user: UserId) => Promise<unknown>;
  readonly team: TeamId;
  readonly admins: ReadonlySet<UserId>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface People {
  /**
   * The person with the role of this moment. When Slack can't say, whoever was known within a day keeps that role, but
   * for an admin's rights; anybody else is an outsider who is told to try again (`unsure`). Never throws.
   */
  person(user: UserId): Promise<Person>;
}

/** An answer is believed so long without asking again. */
const FRESH_MS = 5 * MINUTE;
/** And so long when Slack can't say: an outage must not keep the team from its work. */
const KEPT_MS = DAY;
const MOST_REMEMBERED = 5_000;
/** A modal must open within 3 s of the press, so no longer than this where an older answer would do. */
const PATIENCE_MS = 1_500;
/** Where nothing is known, a late answer is better than a refusal. */
const LONG_PATIENCE_MS = 8 * SECOND;

interface Known {
  readonly person: Person;
  readonly at: Instant;
}

function factsOf(answer: unknown): PersonFacts & { readonly timezone?: string } {
  const { user } = UserInfo.parse(answer);
  const isOutsider = user.deleted || user.is_bot || user.is_restricted || user.is_ultra_restricted;
  return {
    user: user.id,
    team: user.team_id,
    workspaceAdmin: Boolean(user.is_admin || user.is_owner || user.is_primary_owner),
    guest: Boolean(isOutsider),
    stranger: Boolean(user.is_stranger),
    ...(user.tz ? { timezone: user.tz } : {}),
  };
}

class RememberedPeople implements People {
  readonly #options: PeopleOptions;
  readonly #known = new Map<UserId, Known>();
  readonly #asked = new Map<UserId, Promise<Person>>();

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  async person(user: UserId): Promise<Person> {
    const known = this.#knownFor(user, FRESH_MS);
    if (known) return known;
    const asked = this.#asked.get(user) ?? this.#ask(user);
    return Promise.race([asked, this.#impatience(user, asked)]);
  }

  #ask(user: UserId): Promise<Person> {
    const asked = this.#learn(user).finally(() => this.#asked.delete(user));
    this.#asked.set(user, asked);
    return asked;
  }

  async #learn(user: UserId): Promise<Person> {
    const { info, team, admins, clock, log } = this.#options;
    try {
      const { timezone, ...facts } = factsOf(await info(user));
      if (facts.user !== user) return this.#guess(user);
      const person = { user, role: decideRole(facts, team, admins), ...(timezone ? { timezone } : {}) };
      this.#remember({ person, at: clock.now() });
      return person;
    } catch (thrown) {
      log.warn('Slack did not say who a person is', { user, error: slackCallError(thrown).code });
      return this.#guess(user);
    }
  }

  #knownFor(user: UserId, ageMs: number): Person | undefined {
    const known = this.#known.get(user);
    return known && this.#options.clock.now() < known.at + ageMs ? known.person : undefined;
  }

  /** Guests stay guests; what only an admin may do waits until Slack says that it is one. */
  #guess(user: UserId): Person {
    const known = this.#knownFor(user, KEPT_MS);
    if (!known) return { user, role: 'outsider', unsure: true };
    return known.role === 'outsider' ? known : { ...known, role: 'viewer', unsure: true };
  }

  #remember(known: Known): void {
    const { user } = known.person;
    this.#known.delete(user);
    this.#known.set(user, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_REMEMBERED && oldest) this.#known.delete(oldest);
  }

  #impatience(user: UserId, asked: Promise<Person>): Promise<Person> {
    return new Promise((resolve) => {
      const { clock } = this.#options;
      const patienceMs = this.#knownFor(user, KEPT_MS) ? PATIENCE_MS : LONG_PATIENCE_MS;
      const cancel = clock.after(patienceMs, () => resolve(this.#guess(user)));
      void asked.finally(cancel);
    });
  }
}

export function createPeople(options: PeopleOptions): People {
  return new RememberedPeople(options);
}
