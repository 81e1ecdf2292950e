/** The messages in the channels, including ephemeral ones. */

import type { SlackActivityLog } from './activity-log.ts';
import { compareTs, type SlackIdGenerator } from './identifiers.ts';
import type { Block, JsonObject, SlackMessage, SlackMessageMetadata } from './objects.ts';

/** The author's part of a message; Slack adds the rest. */
export interface NewMessage {
  readonly channel: string;
  readonly user: string;
  readonly byBot: boolean;
  readonly text: string;
  readonly blocks?: readonly Block[];
  readonly attachments?: readonly JsonObject[];
  readonly metadata?: SlackMessageMetadata | undefined;
  readonly threadTs?: string | undefined;
  readonly broadcast?: boolean;
  readonly ephemeralFor?: string;
  readonly fileIds?: readonly string[];
}

export type MessageEdit = Partial<Pick<SlackMessage, 'text' | 'blocks' | 'attachments' | 'metadata'>>;

function inOrder(messages: SlackMessage[]): SlackMessage[] {
  return messages.sort((a, b) => compareTs(a.ts, b.ts));
}

export class MessageStore {
  readonly #ids: SlackIdGenerator;
  readonly #journal: SlackActivityLog;
  /** By channel, in time order, including ephemeral ones. */
  readonly #channels = new Map<string, SlackMessage[]>();
  /** By ts, in time order: tests look at one person's answers all the time. */
  readonly #ephemeral = new Map<string, SlackMessage>();

  constructor(ids: SlackIdGenerator, journal: SlackActivityLog) {
    this.#ids = ids;
    this.#journal = journal;
  }

  post(draft: NewMessage): SlackMessage {
    const message: SlackMessage = {
      channel: draft.channel,
      ts: this.#ids.nextTs(),
      user: draft.user,
      byBot: draft.byBot,
      text: draft.text,
      blocks: draft.blocks ?? [],
      attachments: draft.attachments ?? [],
      metadata: draft.metadata,
      edited: false,
      threadTs: draft.threadTs,
      broadcast: draft.broadcast ?? false,
      ephemeralFor: draft.ephemeralFor,
      fileIds: draft.fileIds ?? [],
      reactions: [],
      unfurls: {},
    };
    const list = this.#channels.get(message.channel);
    if (list) list.push(message);
    else this.#channels.set(message.channel, [message]);
    if (message.ephemeralFor) this.#ephemeral.set(message.ts, message);
    this.#journal.emitChange({ kind: message.ephemeralFor ? 'ephemeral' : 'posted', message });
    return message;
  }

  edit(message: SlackMessage, edit: MessageEdit): SlackMessage {
    return this.#replace({ ...message, ...edit, edited: true }, 'edited');
  }

  addUnfurls(message: SlackMessage, unfurls: Readonly<Record<string, JsonObject>>): SlackMessage {
    return this.#replace({ ...message, unfurls: { ...message.unfurls, ...unfurls } }, 'unfurled');
  }

  /** False when that person already added that reaction. */
  addReaction(message: SlackMessage, name: string, user: string): boolean {
    const given = message.reactions.find((each) => each.name === name);
    if (given?.users.includes(user)) return false;
    const others = message.reactions.filter((each) => each.name !== name);
    const reactions = [...others, { name, users: [...(given?.users ?? []), user] }];
    this.#replace({ ...message, reactions }, 'reacted');
    return true;
  }

  delete(message: SlackMessage): void {
    const list = this.#channels.get(message.channel) ?? [];
    this.#channels.set(
      message.channel,
      list.filter((each) => each.ts !== message.ts),
    );
    this.#ephemeral.delete(message.ts);
    this.#journal.emitChange({ kind: 'deleted', message });
  }

  /** The message's current version, ephemeral or not. */
  find(channel: string, ts: string): SlackMessage | undefined {
    return this.#channels.get(channel)?.find((each) => each.ts === ts);
  }

  /** Every top-level message of a channel, oldest first. */
  topLevelMessages(channel: string): readonly SlackMessage[] {
    return this.#seen(channel).filter((each) => each.threadTs === undefined || each.broadcast);
  }

  thread(channel: string, ts: string): readonly SlackMessage[] {
    return this.#seen(channel).filter((each) => each.ts === ts || each.threadTs === ts);
  }

  replies(message: SlackMessage): readonly SlackMessage[] {
    return this.#seen(message.channel).filter((each) => each.threadTs === message.ts);
  }

  /** Every message of every channel, in time order. */
  all(): readonly SlackMessage[] {
    return inOrder([...this.#channels.values()].flat());
  }

  /** Messages that one person sees alone, in time order. @param channel undefined: of every channel */
  ephemeral(channel: string | undefined): readonly SlackMessage[] {
    const all = [...this.#ephemeral.values()];
    return channel === undefined ? all : all.filter((each) => each.channel === channel);
  }

  /** A channel's messages go on under its new ID. */
  moveChannel(from: string, to: string): void {
    const moved = (this.#channels.get(from) ?? []).map((each) => ({ ...each, channel: to }));
    this.#channels.delete(from);
    this.#channels.set(to, moved);
    for (const each of moved) if (this.#ephemeral.has(each.ts)) this.#ephemeral.set(each.ts, each);
  }

  clear(): void {
    this.#channels.clear();
    this.#ephemeral.clear();
  }

  #seen(channel: string): readonly SlackMessage[] {
    return (this.#channels.get(channel) ?? []).filter((each) => each.ephemeralFor === undefined);
  }

  #replace(message: SlackMessage, kind: 'edited' | 'unfurled' | 'reacted'): SlackMessage {
    const list = this.#channels.get(message.channel) ?? [];
    const index = list.findIndex((each) => each.ts === message.ts);
    if (index >= 0) list[index] = message;
    if (this.#ephemeral.has(message.ts)) this.#ephemeral.set(message.ts, message);
    this.#journal.emitChange({ kind, message });
    return message;
  }
}
