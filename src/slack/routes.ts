/**
 * What a handler is: the types behind the one table (`register.ts`) from which routing, roles and help come.
 * Handlers are thin: read the input, call a feature, answer with a message.
 */
import type { HomeView, KnownBlock, MessageMetadata, ModalView } from '@slack/types';
import type { AccessService } from '../access/access.ts';
import type { Role } from '../access/roles.ts';
import type { BiddingService } from '../bidding/bidding.ts';
import type { Clock, Instant, Random } from '../clock.ts';
import type { ClockState } from '../clock-watch.ts';
import type { CreditsService } from '../credits/credits-service.ts';
import type { DigestService } from '../digests/digests.ts';
import type { NameDirectory } from '../directory/directory.ts';
import type { Feed } from '../feed/feed.ts';
import type { ChannelId, MessageTs, TeamId, UserId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { RequestGate } from '../marketplace/gate.ts';
import type { ProfileFeedService } from '../profiles/profile-feed-service.ts';
import type { ProjectService } from '../projects/project-service.ts';
import type { ProposalService } from '../proposals/proposal-service.ts';
import type { SetupService } from '../setups/setup-service.ts';
import type { Store } from '../storage/store.ts';
import type { TemplateService } from '../templates/template-service.ts';
import type { DeliveryHealthReader } from './delivery/health.ts';
import type { HomeCache, UserChannel } from './home/home-cache.ts';
import type { UnfurlQueue } from './unfurls/unfurl-queue.ts';

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
  /** IANA name; holds where neither a channel nor a person has one. */
  readonly timezone: string;
  /** What was damaged in the store at the start, in sentences for whoever runs Gigdesk. */
  readonly storeDamageNotices?: readonly string[];
  /** Records that only a newer version can read. */
  readonly invalidRecords?: number;
  /** Whether the wall clock can be believed; missing: it is. */
  readonly clockState?: () => ClockState;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly store: Store;
  readonly gate: RequestGate;
  readonly credits: CreditsService;
  readonly feed: Feed;
  readonly profiles: ProfileFeedService;
  readonly directory: NameDirectory;
  readonly setups: SetupService;
  readonly bidding: BiddingService;
  readonly access: AccessService;
  readonly templates: TemplateService;
  readonly projects: ProjectService;
  readonly proposals: ProposalService;
  readonly digests: DigestService;
  readonly delivery: DeliveryHealthReader;
  readonly slack: SlackCalls;
  /** Homes that are being shown. */
  readonly homes: HomeCache;
  /** Messages whose links are looked up. */
  readonly unfurlQueue: UnfurlQueue;
  /**
   * Somebody with the role of this moment in another place than that of the call; without a channel: everywhere. For a
   * person whom the boundary has let in, and whom it knows to be of this workspace. Never throws.
   */
  resolvePerson(user: UserId, channel?: ChannelId): Promise<Person>;
}

/**
 * The Slack calls that handlers make besides answering. Every message and view passes the limits check first.
 * @throws SlackCallError with Slack's own error code.
 */
export interface SlackCalls {
  /** Opens a modal; only within 3 s of the trigger. @returns the view's id, for `updateView`. */
  openView(triggerId: string, view: ModalView): Promise<string>;
  /** Puts a view on top of the open one. @returns its id. */
  pushView(triggerId: string, view: ModalView): Promise<string>;
  /** @param hash of the view that the person has on the screen: refused (`hash_conflict`) when that changed meanwhile. */
  updateView(viewId: string, view: ModalView, hash?: string): Promise<void>;
  /** Shows somebody their Home of the app. */
  publishHome(user: UserId, view: HomeView): Promise<void>;
  /** Channels that somebody is in and the bot may know of, private ones among them; those that it is not told of are left out. */
  listUserChannels(user: UserId): Promise<readonly UserChannel[]>;
  /** Public channels that the bot is in. */
  listPublicChannels(): Promise<readonly ChannelId[]>;
  /** User groups of the workspace; names are strangers' words. */
  listUserGroups(): Promise<
    readonly { readonly id: string; readonly name: string; readonly handle: string }[]
  >;
  /** A message in a thread, or in the channel itself; for outcomes that answer a press, never for cards. */
  post(channel: ChannelId, message: Message, thread?: MessageTs): Promise<MessageTs>;
  ephemeral(channel: ChannelId, user: UserId, message: Message, thread?: MessageTs): Promise<void>;
  unfurl(
    channel: ChannelId,
    ts: MessageTs,
    unfurls: Readonly<Record<string, readonly KnownBlock[]>>,
  ): Promise<void>;
  /** Whether the bot can read and write there; Slack's error code when it can't, `direct_message` for direct messages. */
  checkReachability(
    channel: ChannelId,
  ): Promise<
    | { readonly kind: 'member'; readonly name?: string }
    | { readonly kind: 'unreachable'; readonly error: string }
  >;
  /** A link to a message that stands in Slack. */
  fetchPermalink(channel: ChannelId, ts: MessageTs): Promise<string | undefined>;
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

export type HelpTopic = 'feed' | 'projects' | 'bidding' | 'proposals' | 'reports' | 'credits' | 'about';

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
  /** Its answer may wait for the marketplace: where that takes more than 2 s, the person is told that it is looked up. */
  readonly isSlow?: true;
  run(call: CommandCall): Promise<void>;
}

export interface ActionCall extends Call {
  /** A button's value or the chosen option's; input from outside, to be parsed. */
  readonly value: string;
  /** The message that was pressed, where it was one. */
  readonly message?: { readonly ts: MessageTs; readonly thread?: MessageTs };
  /** The view that was pressed, where it was one, with what was filled in by then. */
  readonly view?: PressedView;
  /** Takes the pressed message's place; only for ephemeral messages. */
  replace(message: Message): Promise<void>;
}

export interface ActionRoute {
  /** One of `actionIds`. */
  readonly id: string;
  readonly needs: Role;
  /**
   * For presses in a view, which Slack sends without a channel: where it belongs, read from our own records (never
   * believed from the view). The person's role there decides. undefined: the records know nothing of it.
   */
  findChannel?(press: ViewButtonPress): Promise<ChannelId | undefined>;
  /** As `CommandRoute.mayWait`: what the person is told to wait for, by what stands on the button. Harmless mrkdwn. */
  readonly pendingLabel?: string;
  /** It does something, rather than look something up. */
  readonly hasSideEffects?: true;
  /** Pressed in a view, it shows there by itself that somebody waits. */
  readonly showsOwnWaitNotice?: true;
  /**
   * It keeps what is typed in its view, and shows that anew: it is not run where the view was sent since, and knows what was typed by
   * then where it was sent in vain, or closed.
   */
  readonly isInForm?: true;
  run(call: ActionCall): Promise<void>;
}

/** What stands in one input of a view, exactly as typed or chosen. */
export interface FieldValue {
  readonly text?: string;
  /** The chosen option's value. */
  readonly option?: string;
  readonly options?: readonly string[];
  readonly users?: readonly UserId[];
  /** Of a time picker: `09:30`. */
  readonly time?: string;
  /** Of a date and time picker. */
  readonly at?: Instant;
}

/** By `block_id`: each of our input blocks holds one element. What is empty is missing. */
export type ViewValues = ReadonlyMap<string, FieldValue>;

export interface PressedView {
  readonly id: string;
  /** The lowest of the views that stand on one another; a view that stands alone is its own. */
  readonly rootId: string;
  readonly hash: string;
  readonly callbackId: string;
  /** Input from outside: at most the id of a record of ours, to be looked up for this very person. */
  readonly privateMetadata: string;
  readonly values: ViewValues;
}

/** A view that somebody has submitted, closed or pressed a button in, before anything is known of their role. */
export interface ViewInteraction {
  readonly user: UserId;
  readonly view: PressedView;
  readonly services: Services;
}

/** The same of a press; `value` is the button's, input from outside. */
export interface ViewButtonPress extends ViewInteraction {
  readonly value: string;
}

/** A view that was submitted, with the person's role at `SubmissionAnswer.channel` decided. */
export interface ViewSubmissionCall extends Call {
  readonly view: PressedView;
}

/** What the acknowledgement does to the submitted view. */
export type SubmissionResponse = (
  | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: 'update' | 'push'; readonly view: ModalView }
  | { readonly kind: 'close' | 'close-all' }
) & {
  /** Where it belongs, from our own records; the role there decides whether `after` runs. */
  readonly channel?: ChannelId;
  /**
   * The work behind the acknowledgement. Not run without the route's role; the person is told so. (Not called `then`: a
   * promise that resolves to something with a `then` calls it.)
   */
  readonly after?: (call: ViewSubmissionCall) => Promise<void>;
};

/** A modal that can be submitted. */
export interface ViewRoute {
  /** One of `viewIds`. */
  readonly id: string;
  readonly needs: Role;
  /**
   * Decides within the acknowledgement, so from our own records alone: no request to anybody. It runs before the person's
   * role is known; it may keep what the person typed and nothing else.
   */
  submit(submitted: ViewInteraction): Promise<SubmissionResponse>;
  /** The person closed it; only for views with `notify_on_close`. */
  closed?(closed: ViewInteraction): Promise<void>;
}

/** A message shortcut. */
export interface ShortcutRoute {
  readonly id: string;
  readonly needs: Role;
  /** As `CommandRoute.mayWait`; what the person is told is looked up. Harmless mrkdwn. */
  readonly pendingLabel?: string;
  run(call: ShortcutCall): Promise<void>;
}

export interface ShortcutCall extends Call {
  readonly message: { readonly ts: MessageTs; readonly text: string; readonly blocks: unknown };
}

/** Somebody has opened the Home of the app. */
export interface HomeOpenedCall {
  /** With their role everywhere. */
  readonly person: Person;
  readonly services: Services;
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
