/**
 * The simulated Slack's interface for tests and the sandbox. It covers what the tests in
 * test/workbench/slack list and refuses everything else with an error. Start it with `startSimulatedSlack`
 * of `start-slack.ts`; give `apiUrl` to the SDK as `slackApiUrl`.
 */
import type { Clock, RandomSource } from '../../clock.ts';
import type { DateHeaderSkew } from '../http.ts';
import type {
  AllowedInstall,
  Bot,
  JsonObject,
  LoggedApiCall,
  NewChannel,
  NewUser,
  SlackChange,
  SlackChannel,
  SlackMessage,
  SlackUser,
  SlackUserGroup,
  SlackView,
  Team,
  UploadedFile,
} from './objects.ts';

export type * from './objects.ts';

export interface SlackOptions {
  /** For message times, rate limits and retries of events. */
  readonly clock: Clock;
  /**
   * The clock of people's timeouts: the 3 s for an acknowledgement and of a `trigger_id`, the 30 min of a
   * `response_url`. `clock` when absent. Use the machine's if `clock` runs fast, or 3 s become a few
   * milliseconds.
   */
  readonly peopleClock?: Clock;
  /** Dates the signatures of HTTP mode. The machine's when absent; the app's clock must agree with it. */
  readonly signingClock?: Clock;
  readonly random: RandomSource;
  readonly botToken?: string;
  readonly appToken?: string;
  readonly signingSecret?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly team?: Partial<Team>;
  readonly botName?: string;
  /** Off when absent. */
  readonly rateLimits?: 'on' | 'off';
  /** Links to these hosts cause `link_shared` events; every link when absent. */
  readonly unfurlDomains?: readonly string[];
  readonly host?: string;
  readonly port?: number;
}

/** People, channels and groups. IDs or names identify channels and people. An unknown one is an error. */
export interface SlackWorkspaceControls {
  readonly team: Team;
  readonly bot: Bot;
  addUser(user: NewUser): SlackUser;
  addChannel(channel: NewChannel): SlackChannel;
  addUserGroup(group: { id?: string; handle: string; users: readonly string[] }): SlackUserGroup;
  removeUserGroup(id: string): void;
  /** An admin deactivates a person's account: they leave all channels. */
  deactivate(user: string): void;
  user(idOrName: string): SlackUser;
  channel(idOrName: string): SlackChannel;
  /** Includes the bot. */
  users(): readonly SlackUser[];
  channels(): readonly SlackChannel[];
  userGroups(): readonly SlackUserGroup[];
  archive(channel: string): void;
  unarchive(channel: string): void;
  rename(channel: string, name: string): void;
  /** Makes a channel public or private: it gets a new ID, without an event (`convertChannel` sends one). */
  changeChannelId(
    channel: string,
    kind: 'public' | 'private',
  ): { readonly from: string; readonly to: string };
  /** Adds a person to a channel without an event (`joinChannel` sends one). */
  invite(channel: string, user: string): void;
  remove(channel: string, user: string): void;
  inviteBot(channel: string): void;
  removeBot(channel: string): void;
}

export interface SlackSettings {
  /** The bot token's scopes; `'all'` is what the covered methods need, without `chat:write.public`. */
  grantScopes(scopes: 'all' | readonly string[]): void;
  setRateLimits(mode: 'on' | 'off'): void;
  /**
   * `strict`: `conversations.history` and `conversations.replies` allow one call a minute and return 15
   * messages at most. Slack does this to apps that are distributed outside of its Marketplace.
   */
  setHistoryLimit(mode: 'usual' | 'strict'): void;
  /**
   * `left-out`: interactions omit what Slack's documentation says is optional. That is the `block_id` of a
   * view's blocks that aren't inputs, the workspace (null where an app is installed for an organization), and
   * flags that are false.
   */
  setOptionalFields(mode: 'sent' | 'left-out'): void;
  /**
   * Refuses these block types everywhere, as an older Slack does; an empty list takes all again. `unnamed`:
   * the refusal has no message that names the block.
   */
  refuseBlocks(types: readonly string[], answer?: 'named' | 'unnamed'): void;
  /** Refuses the bot token with this code (`token_revoked`, `account_inactive`); undefined accepts it. */
  refuseToken(error: string | undefined): void;
  /** How far the Date header is ahead of the simulator's clock, in ms; 0 at the start. */
  setDateAhead(ahead: DateHeaderSkew): void;
}

export type SlackFaultEffect =
  | { readonly kind: 'ratelimited'; readonly retryAfterS?: number }
  | { readonly kind: 'status'; readonly status: number; readonly when?: 'before' | 'after' }
  | { readonly kind: 'error'; readonly error: string; readonly when?: 'before' | 'after' }
  /** The connection breaks; `after`: the effect happens, but the response is lost. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  | { readonly kind: 'broken-json'; readonly when?: 'before' | 'after' }
  /**
   * The response waits for `ms` of the clock, or until `release()`. By default, the effect comes first
   * (`after`).
   */
  | { readonly kind: 'hold'; readonly ms?: number; readonly when?: 'before' | 'after' };

export interface SlackFaultHandle {
  /** How often it was applied. */
  readonly used: number;
  /** Number of calls that it holds now. */
  readonly held: number;
  /** Lets the held calls continue. */
  release(): void;
  /** Stops the fault and releases held calls. */
  cancel(): void;
}

export interface SlackFaultControls {
  /**
   * Injects a fault for the next `times` calls (1 when absent, `Infinity` forever) of a Web API method.
   * `method` is its name, a prefix with `*` (`chat.*`), or `response_url`. A function can also check the
   * arguments. Older faults apply first.
   */
  injectFault(
    method: string | ((method: string, args: JsonObject) => boolean),
    effect: SlackFaultEffect,
    times?: number,
  ): SlackFaultHandle;
}

export type RequestForgery = 'wrong-signature' | 'old' | 'future' | 'unsigned' | 'charset';

/** A request from Slack to the app, with the app's acknowledgement. */
export interface SentAppRequest {
  readonly via: 'socket' | 'http';
  readonly type: 'slash_commands' | 'interactive' | 'events_api' | 'options';
  readonly payload: JsonObject;
  readonly sentAt: number;
  readonly answeredAt: number | undefined;
  /** HTTP mode only. */
  readonly status: number | undefined;
  /** The acknowledgement's body, parsed if it is JSON. */
  readonly body: unknown;
  readonly acked: boolean;
  readonly retryNum: number;
}

export interface SlackConnectionControls {
  /**
   * Sends later commands, interactions and events as signed requests to this URL, such as
   * `http://127.0.0.1:3000/slack/events`.
   */
  attachHttp(url: string): void;
  detachHttp(): void;
  /** Forges the signatures of later requests; undefined restores correct ones. */
  setForgery(forgery: RequestForgery | undefined): void;
  /** Socket Mode connections that have received the greeting. */
  readonly sockets: number;
  /** Asks every connection (or `count`) to reconnect, as Slack does every few hours. */
  refreshSockets(count?: number): void;
  /** Cuts connections without a close message. */
  cutSockets(): void;
  /** Refuses new sockets while set: `apps.connections.open` then returns this error. */
  refuseSockets(error: string | undefined): void;
  /** Every request to the app, in order. */
  sentRequests(): readonly SentAppRequest[];
  /** Resends a request unchanged, as after a lost acknowledgement; the app's answer has no effect. */
  resendRequest(request: SentAppRequest): Promise<{ acked: boolean; body: unknown }>;
}

/** The error that Slack shows to the person when the app doesn't respond. */
export type AppFailureCode = 'operation_timeout' | 'dispatch_failed' | 'http_service_error';

export interface UserActionResult {
  readonly acked: boolean;
  readonly failure: AppFailureCode | undefined;
  /** The acknowledgement's body; undefined when it was empty. */
  readonly body: unknown;
  readonly status: number | undefined;
  readonly triggerId: string;
  /** Undefined if Slack provides none (views, suggestions). */
  readonly responseUrl: string | undefined;
}

/** The target of an action: an existing message (from `messages`, `thread` or `ephemerals`), or a view. */
export type UserActionTarget =
  | { readonly message: SlackMessage; readonly view?: never; readonly unfurl?: string }
  | { readonly view: SlackView; readonly message?: never };

interface OnElement {
  readonly user: string;
  readonly actionId: string;
  /** Only needed when several blocks use the same `action_id`. */
  readonly blockId?: string;
  /** The person's input at that time, by `action_id` (see `InputValues`). */
  readonly values?: InputValues;
  /** Sends the action even if the element doesn't exist. */
  readonly force?: boolean;
}

/**
 * A person's input, by `action_id`, `block_id` or `block_id.action_id`. Text and numbers are strings. A
 * select takes an option's value or text, or a list of them. Dates are `2026-01-31`, times `09:30`. A
 * `file_input` takes the IDs of uploaded files. null clears the field.
 */
export type InputValues = Readonly<Record<string, string | number | null | readonly string[]>>;

export type ElementPressInput = UserActionTarget &
  OnElement & { readonly value?: string; readonly confirm?: 'accept' | 'deny' };
export type OptionChoiceInput = UserActionTarget &
  OnElement & {
    /** By value or text; null clears a select. For an `external_select`: an earlier suggestion. */
    readonly option: string | number | null | readonly string[];
    readonly confirm?: 'accept' | 'deny';
  };

export interface PressResult extends UserActionResult {
  /** The text of the confirmation that Slack showed first. */
  readonly confirm:
    | { readonly title: string; readonly text: string; readonly confirm: string; readonly deny: string }
    | undefined;
  /** False when the person declined: nothing was sent. */
  readonly sent: boolean;
}

export interface SubmitResult extends UserActionResult {
  /** False when Slack itself refused the input (see `errors`): nothing was sent. */
  readonly sent: boolean;
  readonly action: 'close' | 'errors' | 'update' | 'push' | 'clear' | 'none';
  /** By `block_id`. */
  readonly errors: Readonly<Record<string, string>>;
}

/**
 * Actions of a person. Each resolves when the app has acknowledged, after the 3 s, or when no app is
 * connected.
 */
export interface SlackUserActions {
  /** `command` is `/gig` when absent. */
  runSlashCommand(input: {
    user: string;
    channel: string;
    text: string;
    command?: string;
  }): Promise<UserActionResult>;
  press(input: ElementPressInput): Promise<PressResult>;
  chooseOption(input: OptionChoiceInput): Promise<PressResult>;
  /**
   * Types into an `external_select` and returns the app's options. @throws Error when there are none, or they
   * exceed Slack's limits
   */
  requestSuggestions(
    input: UserActionTarget & OnElement & { readonly query: string },
  ): Promise<readonly { text: string; value: string }[]>;
  /** Uploads a file, as a person's client does for a `file_input`; `values` then contain its ID. */
  uploadFile(input: { user: string; name: string; bytes: Buffer }): UploadedFile;
  /** Submits `view` (the person's topmost when absent). */
  submitView(input: {
    user: string;
    view?: SlackView;
    values?: InputValues;
    /** Replaces the view's own metadata, which no real client does. */
    forgedMetadata?: string;
    /** Submits `view` as it was when it was read, even if it has changed: another device still shows it. */
    asItWas?: true;
  }): Promise<SubmitResult>;
  /** Closes the topmost view, or the whole stack with `all`. */
  closeView(input: { user: string; all?: boolean }): Promise<UserActionResult | undefined>;
  messageShortcut(input: {
    user: string;
    message: SlackMessage;
    callbackId: string;
  }): Promise<UserActionResult>;
  globalShortcut(input: { user: string; callbackId: string }): Promise<UserActionResult>;
  /** Posts a message as a person, without an event. */
  postAsUser(input: { user: string; channel: string; text: string; threadTs?: string }): SlackMessage;
  /** Posts a message with links and sends `link_shared` for those of the unfurl domains. */
  postLinks(input: {
    user: string;
    channel: string;
    text?: string;
    urls: readonly string[];
    threadTs?: string;
  }): Promise<{ message: SlackMessage; acked: boolean }>;
  /** Sends any event of the Events API; its retries use the clock. */
  sendEvent(
    type: string,
    fields?: JsonObject,
    options?: { eventId?: string },
  ): Promise<{ acked: boolean; eventId: string }>;
  mentionApp(input: {
    user: string;
    channel: string;
    text: string;
    threadTs?: string;
  }): Promise<{ message: SlackMessage; acked: boolean }>;
  /** Writes to the bot in the person's direct messages. */
  messageApp(input: {
    user: string;
    text: string;
    threadTs?: string;
  }): Promise<{ message: SlackMessage; acked: boolean }>;
  /**
   * Adds a person, or the bot (`'bot'`), to a channel and sends `member_joined_channel`. `by` is the person
   * who invited them.
   */
  joinChannel(input: { user: string; channel: string; by?: string }): Promise<{ acked: boolean }>;
  /** Makes a channel public or private: it gets a new ID, and the app gets `channel_id_changed`. */
  convertChannel(channel: string, kind: 'public' | 'private'): Promise<{ acked: boolean }>;
  openHome(input: { user: string; tab?: 'home' | 'messages' }): Promise<{ acked: boolean }>;
  /**
   * @returns where Slack sends the person's browser, with a code and the state
   * @throws Error where Slack shows an error page: another app, no scopes, or no redirect address
   */
  allowInstall(input: AllowedInstall): string;
  /** @returns where Slack sends the person's browser, with `error=access_denied` and the state */
  cancelInstall(authorizeUrl: string): string;
}

/** The current contents of the workspace, and the logs. */
export interface SlackWorkspaceContents {
  /** Top-level messages of a channel, oldest first. */
  messages(channel: string): readonly SlackMessage[];
  /** A message and its replies, oldest first. */
  thread(channel: string, ts: string): readonly SlackMessage[];
  /** The current version; undefined once it is deleted. */
  message(channel: string, ts: string): SlackMessage | undefined;
  /** Ephemeral messages, oldest first, without deleted ones. */
  ephemerals(user?: string, channel?: string): readonly SlackMessage[];
  /** Direct messages between the bot and a person. */
  directMessages(user: string): readonly SlackMessage[];
  /** The topmost open modal. */
  view(user: string): SlackView | undefined;
  viewStack(user: string): readonly SlackView[];
  home(user: string): SlackView | undefined;
  /** All uploaded files, or those of a message, with their bytes and alt texts. */
  files(on?: SlackMessage): readonly UploadedFile[];
  /** Unfurled links, oldest first. */
  unfurls(): readonly { channel: string; ts: string; url: string; unfurl: JsonObject }[];
  apiCalls(method?: string): readonly LoggedApiCall[];
  /**
   * Every `ok: false` answer (and refused suggestion or acknowledgement) that no fault caused: a passing test
   * has none.
   */
  failedCalls(): readonly LoggedApiCall[];
  /** Requests in progress and unacknowledged envelopes. */
  readonly openRequests: number;
  /**
   * Resolves when `condition` is true; checks it after every change. Uses no timers; the test's own timeout
   * ends it.
   */
  waitForCondition(condition: () => boolean): Promise<void>;
  /** Resolves when `openRequests` stays 0 for a few turns of the event loop. */
  waitUntilQuiet(): Promise<void>;
  onChange(listener: (change: SlackChange) => void): () => void;
}

export interface SimulatedSlack
  extends SlackWorkspaceControls,
    SlackSettings,
    SlackFaultControls,
    SlackConnectionControls,
    SlackUserActions,
    SlackWorkspaceContents {
  /** Base of the Web API, `http://127.0.0.1:<port>/api/`. */
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  /** For installing the app. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Clears workspace, messages, logs, faults and pending retries; connections, tokens and address stay. */
  reset(): void;
  close(): Promise<void>;
}
