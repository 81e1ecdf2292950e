/**
 * The handler types of the route table (`all-routes.ts`), which drives routing, roles and help. Handlers are
 * thin: read the input, call a feature, answer with a message.
 */
import type { HomeView, KnownBlock, MessageMetadata, ModalView } from '@slack/types';
import type { Role } from '../../access/access.ts';
import type { AccessService } from '../../access/create-access.ts';
import type { BiddingService } from '../../bidding/create-bidding.ts';
import type { Instant } from '../../clock.ts';
import type { ClockState } from '../../clock-watch.ts';
import type { CreditsService } from '../../credits/create-credits.ts';
import type { DigestService } from '../../digests/digests.ts';
import type { NameDirectory } from '../../directory/directory.ts';
import type { FeedService } from '../../feed/create-feed.ts';
import type { FollowService } from '../../follows/follows.ts';
import type { FunnelService } from '../../funnel/funnel.ts';
import type { HintService } from '../../hints/hints.ts';
import type { ChannelId, MessageTs, UserId } from '../../ids.ts';
import type { AccountConnection } from '../../installations/account-connection.ts';
import type { ProfileFeedService } from '../../profiles/profiles.ts';
import type { ProjectService } from '../../projects/projects.ts';
import type { ProposalService } from '../../proposals/proposals.ts';
import type { ResponseService } from '../../response/create-response.ts';
import type { SetupService } from '../../setups/setups.ts';
import type { SpendingService } from '../../spending/create-spending.ts';
import type { TemplateService } from '../../templates/templates.ts';
import type { Workspace } from '../../workspace.ts';
import type { DeliveryHealthReader } from '../delivery/health.ts';
import type { MessageBlock, ReplaceableBlock } from '../kit/chart-block.ts';
import type { ChannelAliases } from './channel-aliases.ts';
import type { HomeCache, UnfurlQueue, UserChannel } from './home-cache.ts';

/** A message to send: `text` is always there, for notifications and screen readers. */
export interface Message {
  readonly text: string;
  readonly blocks?: readonly MessageBlock[];
  readonly metadata?: MessageMetadata;
}

/** Which of Slack's newer blocks this workspace takes. */
export interface BlockSupport {
  /** The blocks to replace by their plain form. */
  readRefused(): Promise<ReadonlySet<ReplaceableBlock>>;
  /** Remembers what Slack accepted and refused. Never throws: the message is already sent. */
  record(accepted: Iterable<ReplaceableBlock>, refused: readonly ReplaceableBlock[]): Promise<void>;
  /** Whether Slack has accepted it since this process started. */
  hasAccepted(block: ReplaceableBlock): boolean;
}

/** What handlers may use. Built once, in app.ts. */
export interface Services
  extends Pick<Workspace, 'team' | 'store' | 'gate' | 'clock' | 'random' | 'log' | 'timezone'> {
  /** Gigdesk's version, and when this process started. */
  readonly version: string;
  readonly startedAt: Instant;
  /** Missing: no channel's ID ever changes. */
  readonly channelIds?: ChannelAliases;
  /** What was damaged in the store at start, in sentences for the operator. */
  readonly storeDamageNotices?: readonly string[];
  /** Records that only a newer version can read. */
  readonly invalidRecords?: number;
  /** Whether the wall clock can be trusted; missing: it can. */
  readonly clockState?: () => ClockState;
  readonly credits: CreditsService;
  readonly feed: FeedService;
  readonly profiles: ProfileFeedService;
  readonly directory: NameDirectory;
  readonly setups: SetupService;
  readonly bidding: BiddingService;
  readonly access: AccessService;
  readonly templates: TemplateService;
  readonly projects: ProjectService;
  readonly proposals: ProposalService;
  readonly digests: DigestService;
  readonly funnel: FunnelService;
  readonly hints: HintService;
  readonly follows: FollowService;
  readonly response: ResponseService;
  readonly spending: SpendingService;
  readonly delivery: DeliveryHealthReader;
  /** Missing where the marketplace token comes from the environment. */
  readonly account?: AccountConnection;
  readonly slack: SlackCalls;
  /** Optional Slack permissions that the token lacks; missing: none. */
  readonly missingScopes?: readonly string[];
  readonly blockSupport?: BlockSupport;
  /** The Home tabs currently shown. */
  readonly homes: HomeCache;
  /** Messages with links to look up. */
  readonly unfurlQueue: UnfurlQueue;
  /**
   * A person's current role in another channel than the call's; without a channel: everywhere. Only for a
   * person who passed the call guard and belongs to this workspace. Never throws.
   * @param maxAgeMs how old Slack's answers may be; missing: some minutes
   */
  resolvePerson(user: UserId, channel?: ChannelId, maxAgeMs?: number): Promise<Person>;
}

/** `type`: its media type. `comment`: the message that comes with it; mrkdwn. */
export type SentFile = Readonly<Record<'name' | 'type' | 'title' | 'comment', string>> & {
  readonly bytes: Uint8Array;
};

/**
 * The Slack calls that handlers make besides replying. Every message and view passes the limits check first.
 * @throws SlackCallError with Slack's own error code.
 */
export interface SlackCalls {
  /** Opens a modal, within 3 s of the trigger. @returns the view's ID, for `updateView`. */
  openView(triggerId: string, view: ModalView): Promise<string>;
  /** Pushes a view onto the open one. @returns its ID. */
  pushView(triggerId: string, view: ModalView): Promise<string>;
  /** @param hash of the view on the person's screen: refused (`hash_conflict`) if it changed meanwhile. */
  updateView(viewId: string, view: ModalView, hash?: string): Promise<void>;
  publishHome(user: UserId, view: HomeView): Promise<void>;
  /** A person's channels that the bot can see, private ones included. */
  listUserChannels(user: UserId): Promise<readonly UserChannel[]>;
  /** Those that the bot is in. */
  listPublicChannels(): Promise<readonly ChannelId[]>;
  /** User groups of the workspace; their names are untrusted text. */
  listUserGroups(): Promise<
    readonly { readonly id: string; readonly name: string; readonly handle: string }[]
  >;
  /** Posts to a thread or channel; for results of a press, never for cards. */
  post(channel: ChannelId, message: Message, thread?: MessageTs): Promise<MessageTs>;
  ephemeral(channel: ChannelId, user: UserId, message: Message, thread?: MessageTs): Promise<void>;
  unfurl(
    channel: ChannelId,
    ts: MessageTs,
    unfurls: Readonly<Record<string, readonly KnownBlock[]>>,
  ): Promise<void>;
  /** Whether the bot can read and write there; else Slack's error code, or `direct_message`. */
  checkReachability(channel: ChannelId): Promise<Reachability>;
  /** By direct message, once: after an unclear answer it may have arrived. Needs the scope `files:write`. */
  sendFile(user: UserId, file: SentFile): Promise<void>;
  /** A link to a posted message. */
  fetchPermalink(channel: ChannelId, ts: MessageTs): Promise<string | undefined>;
}

type Reachability =
  | { readonly kind: 'member'; readonly name?: string }
  | { readonly kind: 'unreachable'; readonly error: string };

/** The person behind a call. The role was decided for this very call. */
export interface Person {
  readonly user: UserId;
  readonly role: Role;
  /** Slack couldn't identify the person just now: the highest safe role, which may be higher in a minute. */
  readonly unsure?: true;
  /** IANA name, from Slack. */
  readonly timezone?: string;
}

interface Call {
  readonly person: Person;
  readonly channel: ChannelId;
  readonly services: Services;
  /** Slack's trigger for one modal; expires 3 s after the press. */
  readonly triggerId: string;
  /** Replies to the person alone (`ephemeral`, the default) or to everyone in the channel. */
  answer(message: Message, to?: 'ephemeral' | 'channel'): Promise<void>;
}

export interface CommandCall extends Call {
  /** The text after the subcommand, trimmed; Slack's `&amp; &lt; &gt;` are unescaped. */
  readonly args: string;
}

export type HelpTopic = 'feed' | 'projects' | 'bidding' | 'reports' | 'credits' | 'about';

/** One subcommand of `/gig`. */
export interface CommandRoute {
  readonly word: string;
  readonly topic: HelpTopic;
  readonly needs: Role;
  /** Without `/gig`, for example `lookup <link | ~id | uid>`; shown in help. */
  readonly usage: readonly string[];
  /** One sentence, for the overview. */
  readonly summary: string;
  /** For `/gig help <word>`; mrkdwn. */
  readonly details?: string;
  /** Without `/gig`; each must parse. */
  readonly examples: readonly string[];
  /** May wait for the marketplace: after 2 s, the person sees a lookup notice. */
  readonly isSlow?: true;
  run(call: CommandCall): Promise<void>;
}

/** The slash command without a word; help doesn't list it. */
export type BareCommandRoute = Pick<CommandRoute, 'needs' | 'isSlow' | 'run'>;

export interface ActionCall extends Call {
  /** A button's value or the chosen option's; untrusted input. */
  readonly value: string;
  /** The pressed message, if any. */
  readonly message?: { readonly ts: MessageTs; readonly thread?: MessageTs };
  /** The pressed view, if any, with its current input values. */
  readonly view?: PressedView;
  /** Replaces the pressed message; only for ephemeral messages. */
  replace(message: Message): Promise<void>;
}

export interface ActionRoute {
  /** One of `actionIds`. */
  readonly id: string;
  readonly needs: Role;
  /**
   * For presses in a view, which Slack sends without a channel: the view's channel, read from our own records
   * (never trusted from the view). The person's role there decides. undefined: no record found.
   */
  findChannel?(press: ViewButtonPress): Promise<ChannelId | undefined>;
  /** As `CommandRoute.isSlow`: what the notice says is pending, named after the button. Safe mrkdwn. */
  readonly pendingLabel?: string;
  /** It changes something, rather than look something up. */
  readonly hasSideEffects?: true;
  /** In a view, it shows its own waiting notice there. */
  readonly showsOwnWaitNotice?: true;
  /**
   * It saves the view's typed values and redraws the view. It doesn't run if the view was submitted since.
   * After a failed submission or a close, it gets the values typed by then.
   */
  readonly isInForm?: true;
  run(call: ActionCall): Promise<void>;
}

/** The value of one input of a view, exactly as typed or chosen. */
export interface ViewInputValue {
  readonly text?: string;
  /** The chosen option's value. */
  readonly option?: string;
  readonly options?: readonly string[];
  readonly users?: readonly UserId[];
  readonly channel?: ChannelId;
  /** From a time picker: `09:30`. */
  readonly time?: string;
  /** From a date and time picker. */
  readonly at?: Instant;
}

/** By `block_id`: each of our input blocks has one element. Empty inputs are missing. */
export type ViewValues = ReadonlyMap<string, ViewInputValue>;

export interface PressedView {
  readonly id: string;
  /** The bottom view of the stack; a single view's own ID. */
  readonly rootId: string;
  readonly hash: string;
  readonly callbackId: string;
  /** Untrusted input: at most the ID of a record of ours, to look up for this very person. */
  readonly privateMetadata: string;
  readonly values: ViewValues;
}

/** A view that a person submitted, closed or pressed a button in, before their role is known. */
export interface ViewInteraction {
  readonly user: UserId;
  readonly view: PressedView;
  readonly services: Services;
}

/** A press in a view; `value` is the button's, untrusted input. */
export interface ViewButtonPress extends ViewInteraction {
  readonly value: string;
}

/** A submitted view, with the person's role at `SubmissionResponse.channel`. */
export interface ViewSubmissionCall extends Call {
  readonly view: PressedView;
}

/** What the acknowledgement does to the submitted view. */
export type SubmissionResponse = (
  | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: 'update' | 'push'; readonly view: ModalView }
  | { readonly kind: 'close' }
) & {
  /** The view's channel, from our own records; the role there decides whether `after` runs. */
  readonly channel?: ChannelId;
  /**
   * The work after the acknowledgement. Without the route's role it doesn't run, and the person gets a
   * notice. (Not named `then`: a promise that resolves to an object with a `then` calls it.)
   */
  readonly after?: (call: ViewSubmissionCall) => Promise<void>;
};

/** A modal that can be submitted. */
export interface ViewRoute {
  /** One of `viewIds`. */
  readonly id: string;
  readonly needs: Role;
  /**
   * Decides before the acknowledgement, so from our own records alone: no outside requests. It runs before
   * the person's role is known, so it may only save what the person typed.
   */
  submit(submitted: ViewInteraction): Promise<SubmissionResponse>;
  /** The person closed it; only for views with `notify_on_close`. */
  closed?(closed: ViewInteraction): Promise<void>;
}

export interface ShortcutRoute {
  readonly id: string;
  readonly needs: Role;
  /** As `CommandRoute.isSlow`; what the slow-reply notice says is pending. Safe mrkdwn. */
  readonly pendingLabel?: string;
  run(call: ShortcutCall): Promise<void>;
}

export interface ShortcutCall extends Call {
  readonly message: { readonly ts: MessageTs; readonly text: string; readonly blocks: unknown };
}

/** A person opened the Home tab. Their role is the one everywhere. */
export interface HomeOpenedCall {
  readonly person: Person;
  readonly services: Services;
}

/** A message with a link to one of our domains was posted. */
export interface LinkSharedCall {
  readonly channel: ChannelId;
  /** The author of the message. */
  readonly person: Person;
  readonly messageTs: MessageTs;
  readonly links: readonly { readonly url: string; readonly domain: string }[];
  readonly services: Services;
}

/** The bot was invited to a channel. */
export interface BotJoinedCall {
  readonly channel: ChannelId;
  /** Missing if Slack names nobody. */
  readonly invitedBy?: UserId;
  /** Slack's ID of the event, the same when it sends the event again. */
  readonly eventId: string;
  readonly services: Services;
}

/** A message that asks the bot something: it mentions the bot, or is a direct message to it. */
export interface MessageToBotCall {
  readonly person: Person;
  readonly channel: ChannelId;
  /** The thread that the message is in, if any. */
  readonly thread?: MessageTs;
  readonly services: Services;
}

/** The shape of the route table; tests bring their own. */
export interface RouteTable {
  readonly bareCommand?: BareCommandRoute;
  readonly commands: readonly CommandRoute[];
  readonly actions: readonly ActionRoute[];
  readonly views: readonly ViewRoute[];
  readonly shortcuts: readonly ShortcutRoute[];
  /** By Slack's event name. */
  readonly events: {
    readonly link_shared?: (call: LinkSharedCall) => Promise<void>;
    readonly app_home_opened?: (call: HomeOpenedCall) => Promise<void>;
    readonly member_joined_channel?: (call: BotJoinedCall) => Promise<void>;
    readonly channel_id_changed?: (call: Pick<BotJoinedCall, 'channel' | 'services'>) => Promise<void>;
    readonly app_mention?: (call: MessageToBotCall) => Promise<void>;
    readonly 'message.im'?: (call: MessageToBotCall) => Promise<void>;
  };
}
