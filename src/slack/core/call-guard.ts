/**
 * The checks of every call: resolves the caller's role, sends replies, and reports failures. A failure's
 * message and its log line share a reference.
 */
import { hasRoleAtLeast } from '../../access/access.ts';
import { asError } from '../../errors.ts';
import { listSubscribers } from '../../feed/channels.ts';
import type { ChannelId, TeamId } from '../../ids.ts';
import { joinWithOr } from '../kit/block-builders.ts';
import { formatMention } from '../kit/mrkdwn.ts';
import { createErrorReference, failureMessage } from './failures.ts';
import { isAnnouncement, postResultToChannel } from './handler-steps.ts';
import { PartialCallPayload } from './payloads.ts';
import type { PersonResolver } from './person-resolver.ts';
import {
  directChannel,
  type PostJson,
  type ReplyTarget,
  ResponseUrl,
  replacePressedMessage,
  replyInChannel,
  sendReply,
} from './replies.ts';
import { notAllowedMessage, unreadableRequestMessage } from './request-errors.ts';
import type { Message, Person, Services } from './routes.ts';
import { type PendingWork, SlowReplyNotice } from './slow-reply.ts';

/** Observes calls; a kind begins with `command`, `action`, `shortcut` or `view`. Must not throw. */
interface CallObserver {
  acknowledged(kind: string, tookMs: number): void;
  failed(kind: string, thrown: unknown): void;
}

export interface CallGuardOptions {
  readonly services: Services;
  readonly people: PersonResolver;
  /** For `response_url`s. */
  readonly post: PostJson;
  readonly watch?: CallObserver;
}

/** The person behind a call, before their role is known. */
export interface Caller extends ReplyTarget {
  /** Undefined if Slack names none. */
  readonly team: TeamId | undefined;
  readonly triggerId: string;
  readonly slowNotice: SlowReplyNotice;
}

type Tell = (message: Message) => Promise<void>;
type ReplyAudience = 'ephemeral' | 'channel';

export class CallGuard {
  readonly #options: CallGuardOptions;

  constructor(options: CallGuardOptions) {
    this.#options = options;
  }

  createCaller(address: string | null | undefined, caller: Omit<Caller, 'responseUrl' | 'slowNotice'>) {
    const slowNotice = new SlowReplyNotice(this.#options.services, caller.user);
    return { ...caller, responseUrl: address ? this.#responseUrl(address) : undefined, slowNotice };
  }

  async sendReply(caller: Caller, message: Message, to: ReplyAudience = 'ephemeral'): Promise<void> {
    const { services } = this.#options;
    const { channel } = caller;
    const prepared = await caller.slowNotice.prepareReply(message, to);
    if (to === 'ephemeral' || !channel) return sendReply(caller, prepared, services);
    if (await replyInChannel(caller, prepared, services)) return;
    // An announcement reports what is done: it must arrive, even if Slack doesn't take it now.
    if (isAnnouncement(prepared)) await postResultToChannel({ services, channel }, prepared);
    else await services.slack.post(channel, prepared);
  }

  /**
   * Runs work that may wait for the marketplace: without an answer after 2 s, the caller gets a notice.
   * @param asked undefined for fast work
   */
  async runWithSlowNotice(caller: Caller, asked: PendingWork | undefined, run: () => Promise<void>) {
    if (asked === undefined) return run();
    const { services } = this.#options;
    const { slowNotice } = caller;
    slowNotice.scheduleNotice(asked, (message) => sendReply(caller, message, services));
    try {
      await run();
    } finally {
      slowNotice.cancelNotice();
    }
  }

  /**
   * Replaces only ephemeral messages: a channel's message belongs to everyone, and delivery updates it. After
   * a slow-reply notice the answer goes below the notice.
   */
  replacePressedMessage(caller: Caller, message: Message): Promise<void> {
    if (caller.slowNotice.wasShown) return this.sendReply(caller, message);
    caller.slowNotice.cancelNotice();
    return replacePressedMessage(caller, message, this.#options.services);
  }

  /** The person with their role for this call; undefined if it doesn't suffice, after notifying them. */
  async authorize(
    caller: Caller,
    route: { readonly needs: Person['role']; readonly name: string },
    tell: Tell = (message) => this.sendReply(caller, message),
  ): Promise<Person | undefined> {
    const { services, people } = this.#options;
    const { user, channel } = caller;
    const person = await people.resolvePerson(user, channel);
    if (hasRoleAtLeast(person.role, route.needs)) return person;
    const { role } = person;
    services.log.info('denied a call, the person lacks the role', { user, route: route.name, role });
    await tell(notAllowedMessage(person, route.needs, await this.#whoCanHelp(person, channel)));
    return undefined;
  }

  /** A guest learns who can help: the people who set up the channel's feeds. */
  async #whoCanHelp(person: Person, channel: ChannelId | undefined): Promise<{ readonly hint?: string }> {
    if (person.role !== 'outsider' || person.unsure || channel === undefined) return {};
    const { store, log } = this.#options.services;
    try {
      const all = await store.read((tx) => listSubscribers(tx, channel));
      const helpers = [...new Set(all)].filter((user) => user !== person.user).slice(0, 2);
      return { hint: helpers.length > 0 ? `${joinWithOr(helpers.map(formatMention))} can help.` : undefined };
    } catch (thrown) {
      log.warn('could not read who can help a guest', { error: asError(thrown) });
      return {};
    }
  }

  /** The fields common to every handler's call. */
  createHandlerCall(caller: Caller, person: Person) {
    return {
      person,
      channel: caller.channel ?? directChannel(caller.user),
      services: this.#options.services,
      triggerId: caller.triggerId,
      answer: (message: Message, to?: ReplyAudience) => this.sendReply(caller, message, to),
    };
  }

  async reportFailure(
    caller: Caller,
    kind: string,
    thrown: unknown,
    tell: Tell = (message) => this.sendReply(caller, message),
  ): Promise<void> {
    const { log, clock } = this.#options.services;
    const { user, channel } = caller;
    const ref = this.logCallFailure(caller, kind, thrown);
    try {
      await tell(failureMessage(thrown, ref, clock.now()));
    } catch (again) {
      log.error('could not report a failure', { ref, user, channel, error: asError(again) });
    }
  }

  /** @returns the log line's reference. */
  logCallFailure({ user, channel }: Caller, kind: string, thrown: unknown): string {
    const { log, random } = this.#options.services;
    const ref = createErrorReference(random);
    this.#options.watch?.failed(kind, thrown);
    log.error('a call failed', { ref, kind, user, channel, error: asError(thrown) });
    return ref;
  }

  /** @returns the log line's reference; the log never contains the payload. */
  logUnreadablePayload(kind: string, error: Error): string {
    const { log, random } = this.#options.services;
    const ref = createErrorReference(random);
    log.warn('could not read a payload', { ref, kind, problems: error.message });
    return ref;
  }

  /** Notifies the person through any readable field: the `response_url`, the channel or the user. */
  async rejectUnreadablePayload(kind: string, body: unknown, error: Error): Promise<void> {
    const { services } = this.#options;
    const ref = this.logUnreadablePayload(kind, error);
    const { data: rescued } = PartialCallPayload.safeParse(body);
    if (!rescued) return;
    const user = rescued.user?.id ?? rescued.user_id;
    const { response_url: address } = rescued;
    const responseUrl = address === undefined ? undefined : this.#responseUrl(address);
    try {
      if (user) {
        const channel = rescued.channel?.id ?? rescued.channel_id;
        await sendReply({ user, channel, responseUrl }, unreadableRequestMessage(ref), services);
      } else await responseUrl?.send(unreadableRequestMessage(ref), 'ephemeral');
    } catch (thrown) {
      services.log.warn('could not deliver a denial', { ref, error: asError(thrown) });
    }
  }

  #responseUrl(address: string): ResponseUrl {
    const { services, post } = this.#options;
    return new ResponseUrl(address, { clock: services.clock, post });
  }
}
