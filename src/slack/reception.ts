/**
 * What every kind of call goes through: who asks, what they may do, how they are answered, and how a failure becomes a
 * sentence with a reference that is also in the log.
 */
import { mayAct } from '../access/roles.ts';
import { asError } from '../errors.ts';
import { ChannelId, type TeamId, type UserId } from '../ids.ts';
import { type AnswerPlace, answer, replace } from './answers.ts';
import { notAllowedMessage, unreadableMessage } from './messages/boundary-answers.ts';
import { failureMessage } from './messages/failures.ts';
import { type Asked, Patience } from './patience.ts';
import { RescuedCall } from './payloads.ts';
import type { People } from './people.ts';
import type { PostJson } from './post-json.ts';
import { createReference } from './reference.ts';
import { ResponseUrl } from './response-url.ts';
import type { Message, Person, Services } from './routes.ts';

/** Told of what happens, for those who watch; a kind begins with `command`, `action`, `shortcut` or `view`. Must not throw. */
export interface CallWatch {
  acknowledged(kind: string, tookMs: number): void;
  /** A call failed; whoever made it is told a reference. */
  failed(kind: string, thrown: unknown): void;
}

export interface ReceptionOptions {
  readonly services: Services;
  readonly people: People;
  /** For `response_url`s. */
  readonly post: PostJson;
  readonly watch?: CallWatch;
}

/** Somebody who asks for something, before it is known what they may do. */
export interface Asker extends AnswerPlace {
  /** Undefined where Slack names none. */
  readonly team: TeamId | undefined;
  /** The person's own workspace, where Slack tells it. */
  readonly userTeam: TeamId | undefined;
  readonly triggerId: string;
  readonly patience: Patience;
}

interface Route {
  readonly needs: Person['role'];
  readonly name: string;
}

type Tell = (message: Message) => Promise<void>;

export class Reception {
  readonly #options: ReceptionOptions;

  constructor(options: ReceptionOptions) {
    this.#options = options;
  }

  asker(responseUrl: string | null | undefined, asker: Omit<Asker, 'responseUrl' | 'patience'>): Asker {
    const patience = new Patience(this.#options.services, asker.user);
    return { ...asker, responseUrl: responseUrl ? this.#responseUrl(responseUrl) : undefined, patience };
  }

  async answer(asker: Asker, message: Message, to: 'ephemeral' | 'channel' = 'ephemeral'): Promise<void> {
    await answer(asker, await asker.patience.answer(message, to), to, this.#options.services);
  }

  /**
   * Runs what may wait for the marketplace: while nothing is answered, whoever asked is told after 2 s that it is looked up.
   */
  async attendPatiently<T>(asker: Asker, asked: Asked, run: () => Promise<T>): Promise<T> {
    const { services } = this.#options;
    const { patience } = asker;
    patience.begin(asked, (message) => answer(asker, message, 'ephemeral', services));
    try {
      return await run();
    } finally {
      patience.end();
    }
  }

  /**
   * Only what the person alone sees may be replaced: a channel's message belongs to all, and delivery keeps it. Whoever was
   * told to wait finds the answer below that, not where they pressed.
   */
  replace(asker: Asker, message: Message): Promise<void> {
    if (asker.patience.hasTold) return this.answer(asker, message);
    asker.patience.end();
    return replace(asker, message, this.#options.services);
  }

  /** The person with a role for this very call; undefined, and told so, when it does not suffice. */
  async admit(
    asker: Asker,
    route: Route,
    tell: Tell = (message) => this.answer(asker, message),
  ): Promise<Person | undefined> {
    const { services, people } = this.#options;
    const { user, userTeam, channel } = asker;
    const isForeign = userTeam !== undefined && userTeam !== services.team;
    const person: Person = isForeign ? { user, role: 'outsider' } : await people.person(user, channel);
    if (mayAct(person.role, route.needs)) return person;
    services.log.info('denied a call, the person lacks the role', {
      user,
      route: route.name,
      role: person.role,
    });
    await tell(notAllowedMessage(person, route.needs));
    return undefined;
  }

  /** What every handler is given. */
  call(asker: Asker, person: Person) {
    return {
      person,
      channel: asker.channel ?? directChannel(asker.user),
      services: this.#options.services,
      triggerId: asker.triggerId,
      answer: (message: Message, to?: 'ephemeral' | 'channel') => this.answer(asker, message, to),
    };
  }

  async tellFailure(
    asker: Asker,
    kind: string,
    thrown: unknown,
    tell: Tell = (message) => this.answer(asker, message),
  ): Promise<void> {
    const { log, clock } = this.#options.services;
    const { user, channel } = asker;
    const ref = this.logFailure(asker, kind, thrown);
    try {
      await tell(failureMessage(thrown, ref, clock.now()));
    } catch (again) {
      log.error('could not report a failure', { ref, user, channel, error: asError(again) });
    }
  }

  /** @returns the reference under which it stands in the log. */
  logFailure({ user, channel }: Asker, kind: string, thrown: unknown): string {
    const { log, random } = this.#options.services;
    const ref = createReference(random);
    this.#options.watch?.failed(kind, thrown);
    log.error('a call failed', { ref, kind, user, channel, error: asError(thrown) });
    return ref;
  }

  /** @returns the reference under which it stands in the log; nothing of the payload does. */
  logUnreadable(kind: string, error: Error): string {
    const { log, random } = this.#options.services;
    const ref = createReference(random);
    log.warn('could not read a payload', { ref, kind, problems: error.message });
    return ref;
  }

  /** Tells the person, by what can be read of the call: its `response_url`, its channel, or who it came from. */
  async refuseUnreadable(kind: string, body: unknown, error: Error): Promise<void> {
    const { services } = this.#options;
    const ref = this.logUnreadable(kind, error);
    const { data: rescued } = RescuedCall.safeParse(body);
    if (!rescued) return;
    const user = rescued.user?.id ?? rescued.user_id;
    const { response_url: address } = rescued;
    const responseUrl = address === undefined ? undefined : this.#responseUrl(address);
    try {
      if (user) {
        const channel = rescued.channel?.id ?? rescued.channel_id;
        await answer({ user, channel, responseUrl }, unreadableMessage(ref), 'ephemeral', services);
      } else await responseUrl?.send(unreadableMessage(ref), 'ephemeral');
    } catch (thrown) {
      services.log.warn('could not deliver a denial', { ref, error: asError(thrown) });
    }
  }

  #responseUrl(address: string): ResponseUrl {
    const { services, post } = this.#options;
    return new ResponseUrl(address, { clock: services.clock, post });
  }
}

/** What stands in no channel is answered in the person's own conversation with the bot. */
function directChannel(user: UserId): ChannelId {
  return ChannelId.parse(user);
}
