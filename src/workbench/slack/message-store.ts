/** The messages that stand in the channels, and those that one person alone sees. */
import { compareTs, type Identifiers } from './identifiers.ts';
import type { Journal } from './journal.ts';
import type { Block, Json, Message, Metadata } from './objects.ts';

/** What a writer gives; the rest Slack adds. */
export interface Draft {
  readonly channel: string;
  readonly user: string;
  readonly byBot: boolean;
  readonly text: string;
  readonly blocks?: readonly Block[];
  readonly attachments?: readonly Json[];
  readonly metadata?: Metadata | undefined;
  readonly threadTs?: string | undefined;
  readonly broadcast?: boolean;
  readonly ephemeralFor?: string;
  readonly fileIds?: readonly string[];
}

export type Edit = Partial<Pick<Message, 'text' | 'blocks' | 'attachments' | 'metadata'>>;

export class MessageStore {
  readonly #ids: Identifiers;
  readonly #journal: Journal;
  /** By channel; ephemeral ones are among them. Always in the order of time. */
  readonly #channels = new Map<string, Message[]>();

  constructor(ids: Identifiers, journal: Journal) {
    this.#ids = ids;
    this.#journal = journal;
  }

  post(draft: Draft): Message {
    const message: Message = {
      channel: draft.channel,
      ts: this.#ids.ts(),
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
    this.#journal.tell({ kind: message.ephemeralFor ? 'ephemeral' : 'posted', message });
    return message;
  }

  edit(message: Message, edit: Edit): Message {
    return this.#replace({ ...message, ...edit, edited: true }, 'edited');
  }

  unfurl(message: Message, unfurls: Readonly<Record<string, Json>>): Message {
    return this.#replace({ ...message, unfurls: { ...message.unfurls, ...unfurls } }, 'unfurled');
  }

  /** False when that person had given that reaction before. */
  react(message: Message, name: string, user: string): boolean {
    const given = message.reactions.find((each) => each.name === name);
    if (given?.users.includes(user)) return false;
    const others = message.reactions.filter((each) => each.name !== name);
    const reactions = [...others, { name, users: [...(given?.users ?? []), user] }];
    this.#replace({ ...message, reactions }, 'reacted');
    return true;
  }

  delete(message: Message): void {
    const list = this.#channels.get(message.channel) ?? [];
    this.#channels.set(
      message.channel,
      list.filter((each) => each.ts !== message.ts),
    );
    this.#journal.tell({ kind: 'deleted', message });
  }

  /** One message as it stands, ephemeral or not. */
  find(channel: string, ts: string): Message | undefined {
    return this.#channels.get(channel)?.find((each) => each.ts === ts);
  }

  /** Everything that a channel shows at its top level, oldest first. */
  topLevel(channel: string): readonly Message[] {
    return this.#seen(channel).filter((each) => each.threadTs === undefined || each.broadcast);
  }

  thread(channel: string, ts: string): readonly Message[] {
    return this.#seen(channel).filter((each) => each.ts === ts || each.threadTs === ts);
  }

  replies(message: Message): readonly Message[] {
    return this.#seen(message.channel).filter((each) => each.threadTs === message.ts);
  }

  /** Every message of every channel, in the order of time. */
  all(): readonly Message[] {
    return [...this.#channels.values()].flat().sort((a, b) => compareTs(a.ts, b.ts));
  }

  clear(): void {
    this.#channels.clear();
  }

  #seen(channel: string): readonly Message[] {
    return (this.#channels.get(channel) ?? []).filter((each) => each.ephemeralFor === undefined);
  }

  #replace(message: Message, kind: 'edited' | 'unfurled' | 'reacted'): Message {
    const list = this.#channels.get(message.channel) ?? [];
    const index = list.findIndex((each) => each.ts === message.ts);
    if (index >= 0) list[index] = message;
    this.#journal.tell({ kind, message });
    return message;
  }
}
