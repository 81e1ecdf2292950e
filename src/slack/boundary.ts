/**
 * Between Slack and the handlers: acknowledges at once, then does the work behind. Here repeats are recognised, people
 * get their roles, and whatever goes wrong becomes a sentence with a reference that is also in the log.
 */

import type { FetchFunction } from '@slack/web-api';
import { mayAct } from '../access/roles.ts';
import { type Instant, SECOND } from '../clock.ts';
import { asError } from '../errors.ts';
import { ChannelId, type TeamId, type UserId } from '../ids.ts';
import { type AnswerPlace, answer, replace } from './answers.ts';
import { cleanText } from './blocks/clean-text.ts';
import { actionIds } from './blocks/ids.ts';
import { unescapeMrkdwn } from './blocks/mrkdwn.ts';
import {
  notAllowedMessage,
  otherWorkspaceMessage,
  restartingMessage,
  tooLongMessage,
  unknownCommandMessage,
  unknownPressMessage,
  unknownShortcutMessage,
  unreadableMessage,
} from './messages/boundary-answers.ts';
import { failureMessage } from './messages/failures.ts';
import {
  ActionPayload,
  CommandPayload,
  LinkSharedPayload,
  LONGEST_COMMAND,
  ShortcutPayload,
} from './payloads.ts';
import type { People } from './people.ts';
import { RecentIds } from './recent-ids.ts';
import { createReference } from './reference.ts';
import { ResponseUrl } from './response-url.ts';
import { checkTable, type RouteTable } from './route-table.ts';
import type { Message, Person, Services } from './routes.ts';
import { UnderWay } from './under-way.ts';

export interface BoundaryOptions {
  readonly table: RouteTable;
  readonly services: Services;
  readonly people: People;
  /** For `response_url`s. */
  readonly fetch: FetchFunction;
}

/** Slack's acknowledgement, without a body. */
export type Ack = () => Promise<void>;

/** An acknowledgement that takes longer is close to the 3 s after which Slack shows an error. */
const SLOW_ACK_MS = 2.5 * SECOND;

/** Somebody who asks for something, before it is known what they may do. */
interface Asker extends AnswerPlace {
  readonly team: TeamId;
  /** The person's own workspace, where Slack tells it. */
  readonly userTeam: TeamId | undefined;
  readonly triggerId: string;
}

interface Route {
  readonly needs: Person['role'];
  readonly name: string;
}

export class Boundary {
  readonly #options: BoundaryOptions;
  readonly #recent: RecentIds;
  readonly #underWay: UnderWay;
  #isStopping = false;

  /** @throws RangeError for a table with two routes of one name. */
  constructor(options: BoundaryOptions) {
    checkTable(options.table);
    this.#options = options;
    this.#recent = new RecentIds(options.services.clock);
    this.#underWay = new UnderWay(options.services.clock);
  }

  /** Whether no handler is under way. */
  get isIdle(): boolean {
    return this.#underWay.count === 0;
  }

  /** Starts no more handlers and waits for those under way. @returns how many were left at the deadline. */
  stop(deadlineMs: number): Promise<number> {
    this.#isStopping = true;
    return this.#underWay.drain(deadlineMs);
  }

  async command(body: unknown, ack: Ack, receivedAt?: Instant): Promise<void> {
    await this.#acknowledge(ack, 'command', receivedAt);
    this.#read('command', CommandPayload, body, (payload) => {
      const asker = this.#asker(payload.response_url, {
        user: payload.user_id,
        channel: payload.channel_id,
        team: payload.team_id,
        userTeam: undefined,
        triggerId: payload.trigger_id,
      });
      return this.#attend(asker, 'command', () => this.#runCommand(asker, payload));
    });
  }

  async action(body: unknown, ack: Ack, receivedAt?: Instant): Promise<void> {
    await this.#acknowledge(ack, 'action', receivedAt);
    this.#read('action', ActionPayload, body, (payload) => {
      const asker = this.#interacting(payload);
      return this.#attend(asker, 'action', () => this.#runAction(asker, payload));
    });
  }

  async shortcut(body: unknown, ack: Ack, receivedAt?: Instant): Promise<void> {
    await this.#acknowledge(ack, 'shortcut', receivedAt);
    this.#read('shortcut', ShortcutPayload, body, (payload) => {
      const asker = this.#interacting(payload);
      return this.#attend(asker, 'shortcut', () => this.#runShortcut(asker, payload));
    });
  }

  /** Whoever pressed something or took a shortcut. */
  #interacting(payload: ActionPayload | ShortcutPayload): Asker {
    return this.#asker(payload.response_url, {
      user: payload.user.id,
      channel: payload.channel?.id,
      team: payload.team.id,
      userTeam: payload.user.team_id,
      triggerId: payload.trigger_id,
    });
  }

  /** An event needs no answer, so a failure is only logged. */
  linkShared(body: unknown): void {
    const { table, services } = this.#options;
    this.#read('link_shared', LinkSharedPayload, body, async ({ event, event_id, team_id }) => {
      if (team_id !== services.team || event.source === 'composer' || this.#isStopping) return;
      if (!table.events.link_shared || !this.#recent.isNew(event_id)) return;
      const { channel, user, message_ts: messageTs, links } = event;
      try {
        const person = await this.#options.people.person(user);
        await table.events.link_shared({ channel, person, messageTs, links, services });
      } catch (thrown) {
        services.log.error('shared links were not unfurled', { channel, error: asError(thrown) });
      }
    });
  }

  async #acknowledge(ack: Ack, kind: string, receivedAt: Instant | undefined): Promise<void> {
    const { clock, log } = this.#options.services;
    const from = receivedAt ?? clock.now();
    await ack();
    const tookMs = clock.now() - from;
    if (tookMs > SLOW_ACK_MS) log.warn('an acknowledgement was slow', { kind, tookMs });
  }

  /** Parses, and goes on behind. A shape that is not Slack's names nobody who could be answered. */
  #read<T>(
    kind: string,
    schema: { safeParse(value: unknown): { success: true; data: T } | { success: false; error: Error } },
    body: unknown,
    work: (payload: T) => Promise<void>,
  ): void {
    const parsed = schema.safeParse(body);
    this.#underWay.start(() =>
      parsed.success ? work(parsed.data) : this.#refuseUnreadable(kind, body, parsed.error),
    );
  }

  async #refuseUnreadable(kind: string, body: unknown, error: Error): Promise<void> {
    const { services, fetch } = this.#options;
    const ref = createReference(services.random);
    services.log.warn('a payload can not be read', { ref, kind, problems: error.message });
    const address = (body as { response_url?: unknown } | undefined)?.response_url;
    if (typeof address !== 'string') return;
    const url = new ResponseUrl(address, { clock: services.clock, fetch });
    await url.send(unreadableMessage(ref), 'ephemeral').catch((thrown: unknown) => {
      services.log.warn('a refusal did not arrive', { ref, error: asError(thrown) });
    });
  }

  #asker(responseUrl: string | undefined, asker: Omit<Asker, 'responseUrl'>): Asker {
    const { services, fetch } = this.#options;
    return {
      ...asker,
      responseUrl: responseUrl ? new ResponseUrl(responseUrl, { clock: services.clock, fetch }) : undefined,
    };
  }

  /** Everything that every kind of call goes through. */
  async #attend(asker: Asker, kind: string, run: () => Promise<void>): Promise<void> {
    const { services } = this.#options;
    try {
      if (!this.#recent.isNew(asker.triggerId)) {
        services.log.info('Slack sent a call again', { kind, user: asker.user });
      } else if (asker.team !== services.team) {
        services.log.warn('a call of another workspace', { kind, team: asker.team, user: asker.user });
        await this.#answer(asker, otherWorkspaceMessage());
      } else if (this.#isStopping) {
        await this.#answer(asker, restartingMessage());
      } else {
        await run();
      }
    } catch (thrown) {
      await this.#tellFailure(asker, kind, thrown);
    }
  }

  async #tellFailure(asker: Asker, kind: string, thrown: unknown): Promise<void> {
    const { services } = this.#options;
    const ref = createReference(services.random);
    const { user, channel } = asker;
    services.log.error('a call failed', { ref, kind, user, channel, error: asError(thrown) });
    try {
      await this.#answer(asker, failureMessage(thrown, ref, services.clock.now()));
    } catch (again) {
      services.log.error('a failure could not be told', { ref, user, channel, error: asError(again) });
    }
  }

  #answer(asker: Asker, message: Message, to: 'ephemeral' | 'channel' = 'ephemeral'): Promise<void> {
    return answer(asker, message, to, this.#options.services);
  }

  /** The person with a role for this very call; undefined, and told so, when it does not suffice. */
  async #admit(asker: Asker, route: Route): Promise<Person | undefined> {
    const { services, people } = this.#options;
    const isForeign = asker.userTeam !== undefined && asker.userTeam !== services.team;
    const person: Person = isForeign
      ? { user: asker.user, role: 'outsider' }
      : await people.person(asker.user);
    if (mayAct(person.role, route.needs)) return person;
    services.log.info('somebody may not do this', { user: asker.user, route: route.name, role: person.role });
    await this.#answer(asker, notAllowedMessage(person, route.needs));
    return undefined;
  }

  #call(asker: Asker, person: Person) {
    return {
      person,
      channel: asker.channel ?? directChannel(asker.user),
      services: this.#options.services,
      triggerId: asker.triggerId,
      answer: (message: Message, to?: 'ephemeral' | 'channel') => this.#answer(asker, message, to),
    };
  }

  async #runCommand(asker: Asker, payload: CommandPayload): Promise<void> {
    const { commands } = this.#options.table;
    if (payload.text.length > LONGEST_COMMAND)
      return this.#answer(asker, tooLongMessage(payload.text.length, LONGEST_COMMAND));
    const { word, args } = readCommand(payload.text);
    const wanted = word === '' ? 'help' : word.toLowerCase();
    const route = commands.find((it) => it.word === wanted);
    if (!route)
      return this.#answer(
        asker,
        unknownCommandMessage(
          word,
          commands.map((it) => it.word),
        ),
      );
    const person = await this.#admit(asker, { needs: route.needs, name: route.word });
    if (person) await route.run({ ...this.#call(asker, person), args });
  }

  async #runAction(asker: Asker, payload: ActionPayload): Promise<void> {
    const { table, services } = this.#options;
    for (const pressed of payload.actions) {
      if (pressed.action_id === actionIds.open) continue;
      const route = table.actions.find((it) => it.id === pressed.action_id);
      if (!route) {
        services.log.info('a press of an unknown action', { action: pressed.action_id.slice(0, 80) });
        await this.#answer(asker, unknownPressMessage());
        continue;
      }
      const person = await this.#admit(asker, { needs: route.needs, name: route.id });
      if (!person) continue;
      await route.run({
        ...this.#call(asker, person),
        value: pressed.value ?? pressed.selected_option?.value ?? '',
        ...placeOf(payload),
        // Only what the person alone sees may be replaced: a channel's message belongs to all, and delivery keeps it.
        replace: (message) =>
          payload.container?.is_ephemeral ? replace(asker, message, services) : this.#answer(asker, message),
      });
    }
  }

  async #runShortcut(asker: Asker, payload: ShortcutPayload): Promise<void> {
    const route = this.#options.table.shortcuts.find((it) => it.id === payload.callback_id);
    const { message } = payload;
    if (!route || !message) return this.#answer(asker, unknownShortcutMessage());
    const person = await this.#admit(asker, { needs: route.needs, name: route.id });
    if (!person) return;
    const { ts, text, blocks } = message;
    await route.run({ ...this.#call(asker, person), message: { ts, text, blocks } });
  }
}

/** A command's first word and the rest; without what nobody sees, and `/gig` typed twice. */
function readCommand(text: string): { readonly word: string; readonly args: string } {
  const typed = cleanText(unescapeMrkdwn(text)).replace(/^(?:\/gig(?:\s+|$))+/iu, '');
  const [, word = '', args = ''] = /^(\S*)\s*([\s\S]*)$/u.exec(typed) ?? [];
  return { word, args: args.trim() };
}

/** A press in a view stands in no channel: the person's own conversation with the bot is the nearest. */
function directChannel(user: UserId): ChannelId {
  return ChannelId.parse(user);
}

/** The message or view that was pressed. */
function placeOf({ message, view, container }: ActionPayload) {
  const thread = message?.thread_ts ?? container?.thread_ts;
  return {
    ...(message ? { message: { ts: message.ts, ...(thread ? { thread } : {}) } } : {}),
    ...(view ? { view: { id: view.id, privateMetadata: view.private_metadata } } : {}),
  };
}
