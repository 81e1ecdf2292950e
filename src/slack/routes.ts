/**
 * What a handler is: the types behind the one table (`register.ts`) from which routing, roles and help come.
 * Handlers are thin: read the input, call a feature, answer with a message.
 */
import type { KnownBlock, MessageMetadata, ModalView } from '@slack/types';
import type { Role } from '../access/roles.ts';
import type { Clock, Instant, Random } from '../clock.ts';
import type { CreditBook } from '../credits/book.ts';
import type { Feed } from '../feed/feed.ts';
import type { ChannelId, MessageTs, TeamId, UserId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Gate } from '../marketplace/gate.ts';
import type { Projects } from '../projects/purchases.ts';
import type { Store } from '../storage/store.ts';

/** A message as we send it: `text` is what notifications and screen readers get, always there. */
export interface Message {
  readonly text: string;
  readonly blocks?: readonly KnownBlock[];
  readonly metadata?: MessageMetadata;
}

/** What handlers may use. Built once, in app.ts. */
export interface Services {
  readonly team: TeamId;
  /** Version of Gigdesk, and when this process started. */
  readonly version: string;
  readonly startedAt: Instant;
  /** What was damaged in the store at the start, in sentences for whoever runs Gigdesk. */
  readonly notices?: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: Store;
  readonly gate: Gate;
  readonly credits: CreditBook;
  readonly feed: Feed;
  readonly projects: Projects;
  readonly slack: SlackCalls;
}

/**
 * The Slack calls that handlers make besides answering. Every message and view passes the limits check first.
 * @throws SlackCallError with Slack's own error code.
 */
export interface SlackCalls {
  /** Opens a modal; only within 3 s of the trigger. @returns the view's id, for `updateView`. */
  openView(triggerId: string, view: ModalView): Promise<string>;
  updateView(viewId: string, view: ModalView): Promise<void>;
  /** A message in a thread, or in the channel itself; for outcomes that answer a press, never for cards. */
  post(channel: ChannelId, message: Message, thread?: MessageTs): Promise<MessageTs>;
  ephemeral(channel: ChannelId, user: UserId, message: Message, thread?: MessageTs): Promise<void>;
  unfurl(
    channel: ChannelId,
    ts: MessageTs,
    unfurls: Readonly<Record<string, readonly KnownBlock[]>>,
  ): Promise<void>;
  /** Whether the bot can read and write there; Slack's error code when it can't. */
  reach(
    channel: ChannelId,
  ): Promise<
    | { readonly kind: 'member'; readonly name?: string }
    | { readonly kind: 'unreachable'; readonly error: string }
  >;
  /** A link to a message that stands in Slack. */
  permalink(channel: ChannelId, ts: MessageTs): Promise<string | undefined>;
}

/** Who acts. The role was decided for this very call. */
export interface Person {
  readonly user: UserId;
  readonly role: Role;
  /** Slack could not say who it is just now: the role is the most that is safe, and may be more in a minute. */
  readonly unsure?: true;
  /** IANA name, as Slack tells it. */
  readonly timezone?: string;
}

interface Call {
  readonly person: Person;
  readonly channel: ChannelId;
  readonly services: Services;
  /** Slack's trigger for one modal; dead 3 s after the press. */
  readonly triggerId: string;
  /** Answers the person alone (`ephemeral`, the default) or for everyone in the channel. */
  answer(message: Message, to?: 'ephemeral' | 'channel'): Promise<void>;
}

export interface CommandCall extends Call {
  /** What stands behind the subcommand's word, trimmed; Slack's `&amp; &lt; &gt;` undone. */
  readonly args: string;
}

export type HelpTopic = 'feed' | 'projects' | 'credits' | 'about';

/** One subcommand of `/gig`. */
export interface CommandRoute {
  readonly word: string;
  readonly topic: HelpTopic;
  readonly needs: Role;
  /** Without `/gig`, for example `lookup <link | ~id | uid>`; shown in help. */
  readonly usage: readonly string[];
  /** One sentence, for the overview. */
  readonly summary: string;
  /** More, for `/gig help <word>`; mrkdwn. */
  readonly details?: string;
  /** Without `/gig`; each must parse. */
  readonly examples: readonly string[];
  run(call: CommandCall): Promise<void>;
}

export interface ActionCall extends Call {
  /** A button's value or the chosen option's; input from outside, to be parsed. */
  readonly value: string;
  /** The message that was pressed, where it was one. */
  readonly message?: { readonly ts: MessageTs; readonly thread?: MessageTs };
  /** The view that was pressed, where it was one. */
  readonly view?: { readonly id: string; readonly privateMetadata: string };
  /** Takes the pressed message's place; only for ephemeral messages. */
  replace(message: Message): Promise<void>;
}

export interface ActionRoute {
  /** One of `actionIds`. */
  readonly id: string;
  readonly needs: Role;
  run(call: ActionCall): Promise<void>;
}

/** A message shortcut. */
export interface ShortcutRoute {
  readonly id: string;
  readonly needs: Role;
  run(call: ShortcutCall): Promise<void>;
}

export interface ShortcutCall extends Call {
  readonly message: { readonly ts: MessageTs; readonly text: string; readonly blocks: unknown };
}

/** A link of a domain of ours was posted. */
export interface LinkSharedCall {
  readonly channel: ChannelId;
  /** Who posted it. */
  readonly person: Person;
  readonly messageTs: MessageTs;
  readonly links: readonly { readonly url: string; readonly domain: string }[];
  readonly services: Services;
}
