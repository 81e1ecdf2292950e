/** Who somebody is, asked from Slack and remembered for a while, and the role that follows from it. */
import { z } from 'zod';
import { decideRole, type PersonFacts } from '../access/roles.ts';
import { type Clock, type Instant, MINUTE } from '../clock.ts';
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
  /** The person with the role of this moment. Whoever can't be asked about is a viewer. Never throws. */
  person(user: UserId): Promise<Person>;
}

const REMEMBERED_MS = 5 * MINUTE;
const MOST_REMEMBERED = 5_000;
/** A modal must open within 3 s of the press: no longer than this may the question take. */
const PATIENCE_MS = 1_500;

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
  readonly #known = new Map<UserId, { readonly person: Person; readonly until: Instant }>();
  readonly #asked = new Map<UserId, Promise<Person>>();

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  async person(user: UserId): Promise<Person> {
    const known = this.#known.get(user);
    if (known && known.until > this.#options.clock.now()) return known.person;
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
      if (facts.user !== user) return { user, role: 'viewer' };
      const person = { user, role: decideRole(facts, team, admins), ...(timezone ? { timezone } : {}) };
      this.#remember(person, clock.now() + REMEMBERED_MS);
      return person;
    } catch (thrown) {
      log.warn('Slack did not say who a person is: treated as a viewer', {
        user,
        error: slackCallError(thrown).code,
      });
      return { user, role: 'viewer' };
    }
  }

  #remember(person: Person, until: Instant): void {
    this.#known.delete(person.user);
    this.#known.set(person.user, { person, until });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_REMEMBERED && oldest) this.#known.delete(oldest);
  }

  #impatience(user: UserId, asked: Promise<Person>): Promise<Person> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(PATIENCE_MS, () => resolve({ user, role: 'viewer' }));
      void asked.finally(cancel);
    });
  }
}

export function createPeople(options: PeopleOptions): People {
  return new RememberedPeople(options);
}
