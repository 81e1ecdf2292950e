/**
 * Slack's events: drops repeats and those of other workspaces, resolves who caused them, and calls the
 * handlers. An event needs no answer, so a failure is only logged.
 */
import { asError } from '../../errors.ts';
import type { UserId } from '../../ids.ts';
import type { LogFields } from '../../log.ts';
import { recordCallIfNew } from './call-tracking.ts';
import {
  ChannelIdChangedPayload,
  findInstallingTeam,
  HomeOpenedPayload,
  LinkSharedPayload,
  MemberJoinedPayload,
  MessagePayload,
} from './payloads.ts';
import type { PersonResolver } from './person-resolver.ts';
import type { RouteTable, Services } from './routes.ts';

/** Parses a payload and handles it in the background. */
export type ReadInBackground = <T>(
  kind: string,
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false; error: Error } },
  body: unknown,
  work: (payload: T) => Promise<void>,
) => void;

interface SlackEventsOptions {
  readonly handlers: RouteTable['events'];
  readonly services: Services;
  readonly people: PersonResolver;
  readonly read: ReadInBackground;
  /** With the channel IDs that Slack sent. */
  readonly readAsSent: ReadInBackground;
  readonly isStopping: () => boolean;
}

export class SlackEvents {
  readonly #options: SlackEventsOptions;

  constructor(options: SlackEventsOptions) {
    this.#options = options;
  }

  linkShared(body: unknown): void {
    const { handlers, services, people, read } = this.#options;
    read('link_shared', LinkSharedPayload, body, async (payload) => {
      const { channel, user, message_ts: messageTs, links, source } = payload.event;
      const handle = handlers.link_shared;
      if (source === 'composer' || !handle || !(await this.#isOurs(body, payload))) return;
      await this.#attempt('could not unfurl shared links', { channel }, async () => {
        const person = await people.resolvePerson(user, channel);
        await handle({ channel, person, messageTs, links, services });
      });
    });
  }

  homeOpened(body: unknown): void {
    const { handlers, services, people, read } = this.#options;
    read('app_home_opened', HomeOpenedPayload, body, async (payload) => {
      const { user, tab } = payload.event;
      const handle = handlers.app_home_opened;
      if (tab === 'messages' || !handle || !(await this.#isOurs(body, payload))) return;
      await this.#attempt('could not show a Home tab', { user }, async () =>
        handle({ person: await people.resolvePerson(user), services }),
      );
    });
  }

  /** @param botUser the bot's own ID: only its own joining matters */
  memberJoined(body: unknown, botUser: UserId): void {
    const { handlers, services, read } = this.#options;
    read('member_joined_channel', MemberJoinedPayload, body, async (payload) => {
      const { user, channel, inviter } = payload.event;
      const handle = handlers.member_joined_channel;
      if (user !== botUser || !handle || !(await this.#isOurs(body, payload))) return;
      const call = { channel, eventId: payload.event_id, services, invitedBy: inviter ?? undefined };
      await this.#attempt('could not welcome a channel', { channel }, () => handle(call));
    });
  }

  channelIdChanged(body: unknown): void {
    const { handlers, services, readAsSent } = this.#options;
    readAsSent('channel_id_changed', ChannelIdChangedPayload, body, async (payload) => {
      const { old_channel_id: from, new_channel_id: to } = payload.event;
      const { store, channelIds } = services;
      if (!channelIds || !(await this.#isOurs(body, payload))) return;
      await this.#attempt("Couldn't store a channel's new ID", { channel: from }, async () => {
        const channel = await channelIds.recordChange(store, from, to);
        await handlers.channel_id_changed?.({ channel, services });
      });
    });
  }

  mentioned(body: unknown, botUser: UserId): void {
    this.#messageToBot('app_mention', body, botUser);
  }

  directMessage(body: unknown, botUser: UserId): void {
    this.#messageToBot('message.im', body, botUser);
  }

  /** Messages of bots, its own among them, edits and deletions ask nothing. */
  #messageToBot(kind: 'app_mention' | 'message.im', body: unknown, botUser: UserId): void {
    const { handlers, services, people, read } = this.#options;
    read(kind, MessagePayload, body, async (payload) => {
      const { channel, user, thread_ts: thread, bot_id: bot, subtype, channel_type: type } = payload.event;
      const handle = handlers[kind];
      // Files come with a subtype, too, but then there is nothing to read.
      const isTyped = !bot && !subtype && (kind === 'app_mention' || type === 'im');
      if (!handle || !user || user === botUser || !isTyped) return;
      if (!(await this.#isOurs(body, payload))) return;
      await this.#attempt('could not answer a message', { channel, user }, async () => {
        const person = await people.resolvePerson(user, channel);
        await handle({ person, channel, services, thread: thread ?? undefined });
      });
    });
  }

  /** Of this workspace, and not handled before. An event that came during a stop never gets here. */
  async #isOurs(body: unknown, sent: { readonly team_id: string; readonly event_id: string }) {
    const { services } = this.#options;
    const team = findInstallingTeam(body) ?? sent.team_id;
    return team === services.team && recordCallIfNew(services, sent.event_id);
  }

  /** During a stop failures are expected: the store may be closed. */
  async #attempt(failure: string, fields: LogFields, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      const { services, isStopping } = this.#options;
      services.log[isStopping() ? 'warn' : 'error'](failure, { ...fields, error: asError(thrown) });
    }
  }
}
